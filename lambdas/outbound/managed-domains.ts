import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { reportingDenials } from '../runtime/denials.ts';

// The function that makes certificates and names for domains. The API invokes it, so that no function that the internet
// reaches has permissions in ACM or API Gateway.

let client: LambdaClient | undefined;

/** How long a client waits for the function, in milliseconds. The function continues after that. */
const waitMs = 12_000;

/**
 * Has `manage-domains` advance a domain as many steps as possible, and waits a while for it. The result is in the
 * table. If the function cannot be reached, that is logged, and its schedule takes care of the domain within the hour.
 */
export async function manageNow(FunctionName: string, host: string): Promise<void> {
  client ??= new LambdaClient({ maxAttempts: 1 });
  const invoking = client;
  const command = new InvokeCommand({ FunctionName, Payload: JSON.stringify({ host }) });
  try {
    await reportingDenials(() => invoking.send(command, { abortSignal: AbortSignal.timeout(waitMs) }));
  } catch (error) {
    console.warn({ message: 'a call of manage-domains failed or took too long', domain: host, name: (error as Error).name });
  }
}
