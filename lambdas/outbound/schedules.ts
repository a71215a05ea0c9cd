import { DisableRuleCommand, EnableRuleCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { reportingDenials } from '../runtime/denials.ts';

/**
 * Makes a call that may be repeated, and once more if it fails: AWS may have closed a connection that was kept. Beyond
 * that, the stream repeats its batch, and the schedule runs again in a minute.
 */
export const twice = <T>(call: () => Promise<T>): Promise<T> => call().catch(call);

let eventBridge: EventBridgeClient | undefined;

/** Switches a rule of EventBridge on or off. Doing it again changes nothing. @param Name of the rule */
export async function switchRule(Name: string, isOn: boolean): Promise<void> {
  eventBridge ??= new EventBridgeClient({ maxAttempts: 1 });
  const client = eventBridge;
  const command = isOn ? new EnableRuleCommand({ Name }) : new DisableRuleCommand({ Name });
  await reportingDenials(() => twice(() => client.send(command as EnableRuleCommand)));
}
