import { RequestError } from '../../core/errors.ts';
import { ConditionFailed } from '../table/expressions.ts';
import { number, text } from '../table/fields.ts';
import { getItem } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { putting, type Write } from '../table/writes.ts';
import { identityOf, isNewOrExpired, keptMs, keyReused, type RepeatableRequest, ttlOf } from './requests.ts';

/**
 * The protocol for work that is one transaction: the write of the record is its last part, on the condition that there
 * is no record. So there is neither a lease nor a takeover. An attempt that dies has done everything or nothing, and
 * one that arrives late fails. For example, if a client creates a webhook and retries:
 *
 *     first attempt    reads: no record
 *     first attempt    one transaction: webhook W1, and the record "the result is W1"
 *     first attempt    dies before it responds
 *     second attempt   reads the record, and returns W1
 *
 * If both attempts run at once, both read that there is no record:
 *
 *     first attempt    transaction: webhook W1, and the record
 *     second attempt   the same with webhook W2, refused because there is a record: nothing was written
 *     second attempt   reads the record, and returns W1
 */

/**
 * Executes a request once, however often it is sent within 24 hours, if its work is one transaction.
 *
 * @param work adds the write of `recording` to its transaction, as the last one, and throws the `ConditionFailed` if
 *   that write fails. Without a key there is nothing to add.
 * @param kept what is recorded of the result, as JSON. It must not contain secrets.
 * @returns the result of the work, or if the request has been executed before, what was recorded.
 * @throws RequestError `idempotency_key_reused`, and whatever `work` throws
 */
export async function executeInTransaction<R, K>(
  request: RepeatableRequest,
  work: (recording: ((result: R) => Write) | undefined) => Promise<R>,
  kept: (result: R) => K,
): Promise<{ readonly made: R } | { readonly before: K }> {
  if (request.key === undefined) return { made: await work(undefined) };
  const { recordKey, bodyHash } = identityOf(request, request.key);
  /** What an earlier attempt has recorded. */
  const find = async (): Promise<{ readonly before: K } | undefined> => {
    const item = await getItem(recordKey);
    if (!item || number(item, 'expiresAt') <= request.receivedAt) return undefined;
    if (text(item, 'bodyHash') !== bodyHash) throw keyReused();
    return { before: JSON.parse(text(item, 'result')) };
  };
  return retrying(async () => {
    const before = await find();
    if (before) return before;
    const expiresAt = request.receivedAt + keptMs;
    const attempt = work((result) =>
      putting(
        { ...recordKey, bodyHash, expiresAt, ttl: ttlOf(expiresAt), result: JSON.stringify(kept(result)) },
        isNewOrExpired(request),
      ),
    );
    try {
      return { made: await attempt };
    } catch (error) {
      // Another attempt was first. Its result is the response.
      if (error instanceof ConditionFailed) return overtaken;
      // This attempt may also have been refused because another one has used up a limit.
      const isRefused = error instanceof RequestError && error.code !== 'temporarily_unavailable';
      const there = isRefused ? await find() : undefined;
      if (!there) throw error;
      return there;
    }
  });
}
