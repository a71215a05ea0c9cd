import { DisableRuleCommand, EnableRuleCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { reportingDenials } from '../runtime/denials.ts';

/**
 * Makes an idempotent call, and retries it once, because AWS may have closed an idle connection. After that, the stream
 * sends its batch again, or the schedule runs again in a minute.
 */
export const twice = <T>(call: () => Promise<T>): Promise<T> => call().catch(call);

let eventBridge: EventBridgeClient | undefined;

/** Switches a rule of EventBridge on or off. Idempotent. @param Name of the rule */
export async function switchRule(Name: string, isOn: boolean): Promise<void> {
  eventBridge ??= new EventBridgeClient({ maxAttempts: 1 });
  const client = eventBridge;
  const command = isOn ? new EnableRuleCommand({ Name }) : new DisableRuleCommand({ Name });
  await reportingDenials(() => twice(() => client.send(command as EnableRuleCommand)));
}
