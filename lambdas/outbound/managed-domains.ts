import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { reportingDenials } from '../runtime/denials.ts';

// The function that makes certificates and names for domains. The API has it invoked, so that no function that the internet
// reaches may do anything in ACM or API Gateway.

let client: LambdaClient | undefined;

/** How long a client waits for the function, in milliseconds. It goes on by itself. */
const waitMs = 12_000;

/**
 * Has `manage-domains` take a domain as far as it can be taken now, and waits for that for a while. What came of it is in the
 * table. If the function cannot be reached, that is logged: its schedule takes care of the domain within the hour.
 */
export async function manageNow(FunctionName: string, host: string): Promise<void> {
  client ??= new LambdaClient({ maxAttempts: 1 });
  const invoking = client;
  const command = new InvokeCommand({ FunctionName, Payload: JSON.stringify({ host }) });
  try {
    await reportingDenials(() => invoking.send(command, { abortSignal: AbortSignal.timeout(waitMs) }));
  } catch (error) {
    console.warn({ message: 'a domain was not taken care of at once', domain: host, name: (error as Error).name });
  }
}
