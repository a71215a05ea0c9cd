import type { Context } from 'aws-lambda';
import { alarming } from '../core/alarms.ts';
import { countGatewayKeys } from '../outbound/gateway-keys.ts';
import { withinInvocation } from '../runtime/deadline.ts';

/** The number of keys at which the operator is warned, while there is still time to act. */
const warnFrom = 9_000;

/**
 * Runs once a day and counts the account's gateway keys. AWS allows 10,000 in a region
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html). Each workspace of each stage has one. If
 * it fails, Lambda runs it again.
 */
export const handler = (_event: unknown, context: Context): Promise<{ keys: number }> =>
  withinInvocation(context, async () => {
    const keys = await countGatewayKeys();
    if (keys >= warnFrom) console.warn({ message: alarming.fewGatewayKeysLeft, keys });
    return { keys };
  });
