import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { client } from '../lambdas/store/table/client.ts';

/** The calls of some work, and the units that the table and its index count for them. */
export type Units = { calls: number; read: number; write: number };

type Input = { readonly UpdateExpression?: string };
type Output = { readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] };

let taken: Units = { calls: 0, read: 0, write: 0 };
let failure: Error | undefined;

const isRead = (command: string) => /^(Get|BatchGet|Query)/.test(command);

/**
 * Renewals of a lease are not counted: how many there are depends on how long the work takes, and figures must not
 * vary.
 */
const isRenewal = ({ UpdateExpression }: Input) => UpdateExpression === 'SET #leaseUntil = :until';

client.middlewareStack.add((next) => (args) => next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } }), {
  step: 'initialize',
  name: 'askForUnits',
});
client.middlewareStack.add(
  (next, { commandName }) =>
    async (args) => {
      const answer = await next(args).catch((error: Error) => {
        // A failed condition is a response. After any other error, the work may have ended early, so its figures would
        // be wrong.
        if (!/^(Conditional|TransactionCanceled)/.test(error.name)) failure ??= error;
        throw error;
      });
      if (isRenewal(args.input as Input)) return answer;
      taken.calls++;
      for (const { CapacityUnits = 0 } of [(answer.output as Output).ConsumedCapacity ?? []].flat()) {
        taken[isRead(String(commandName)) ? 'read' : 'write'] += CapacityUnits;
      }
      return answer;
    },
  // In this step, every attempt is seen, including retries.
  { step: 'finalizeRequest', priority: 'low', name: 'countUnits' },
);

/**
 * Runs the work, and returns its calls and units. Must not run concurrently.
 *
 * @throws the first error other than a failed condition.
 */
export async function unitsOf(work: () => Promise<unknown>): Promise<Units> {
  taken = { calls: 0, read: 0, write: 0 };
  failure = undefined;
  await work();
  if (failure) throw failure;
  return taken;
}
