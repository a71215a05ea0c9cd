import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { client } from '../lambdas/store/table/client.ts';

/** What work takes of the table: its calls, and the units that the table and its index count for them. */
export type Units = { calls: number; read: number; write: number };

type Input = { readonly UpdateExpression?: string };
type Output = { readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] };

let taken: Units = { calls: 0, read: 0, write: 0 };
let failure: Error | undefined;

const isRead = (command: string) => /^(Get|BatchGet|Query)/.test(command);

/** How often a lease is renewed depends on how long the work takes: no part of a figure that is to be the same each time. */
const isRenewal = ({ UpdateExpression }: Input) => UpdateExpression === 'SET #leaseUntil = :until';

client.middlewareStack.add((next) => (args) => next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } }), {
  step: 'initialize',
  name: 'askForUnits',
});
client.middlewareStack.add(
  (next, { commandName }) =>
    async (args) => {
      const answer = await next(args).catch((error: Error) => {
        // A refused condition is an answer. After anything else the work may have been cut short, and its figure would be wrong.
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
  // Each attempt passes through here, a repeated one too.
  { step: 'finalizeRequest', priority: 'low', name: 'countUnits' },
);

/** Does the work and says what it took of the table; one at a time. @throws the error of a call that the engine did not answer. */
export async function unitsOf(work: () => Promise<unknown>): Promise<Units> {
  taken = { calls: 0, read: 0, write: 0 };
  failure = undefined;
  await work();
  if (failure) throw failure;
  return taken;
}
