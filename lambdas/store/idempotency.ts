import { createHash, createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { timeLeft } from '../deadline.ts';
import { RequestError } from '../domain/errors.ts';
import { newImportId, newRequestToken, newSalt } from '../domain/ids.ts';
import type { ImportRun } from '../domain/import.ts';
import type { Item } from './client.ts';
import { type Key, requestKey } from './keys.ts';
import { getItem } from './reads.ts';
import { ConditionFailed, putItem, updateItem } from './writes.ts';

/** How long a record is kept, in milliseconds, by the clock that reads it. */
const keptMs = 24 * 60 * 60 * 1_000;
/** How long a function may be silent before another takes its work over, and how often it renews its lease. */
const leaseMs = 5_000;
const renewalMs = 1_500;
/** How often one who waits looks whether the other is done, and when it gives up waiting. */
const pollMs = 200;
const waitingEndsMs = 6_000;

/** A request that may be repeated. */
export type RepeatableRequest = {
  readonly workspaceId: string;
  readonly operation: string;
  /** The `Idempotency-Key`; without one nothing is recorded. */
  readonly key: string | undefined;
  /** The body as it was sent. */
  readonly body: string;
};

/** The right to carry a request out, for as long as it is renewed. */
export type Lease = ImportRun & {
  /** The request may be repeated: what it comes to is recorded. */
  readonly isRecorded: boolean;
  /** Another function held the lease before, and may have done part of the work. */
  readonly resumed: boolean;
  /** Throws where another function has taken over since. */
  readonly assertCurrent: () => void;
};

/** Another function has taken the work over. */
class LeaseLost extends Error {}

/**
 * Carries a request out once, however often it is sent within 24 hours, and gives the recorded result to its repetitions.
 *
 * A record says who works on the request, until when that is to be believed (the lease), and for how many times it has
 * changed hands (the epoch); whoever finishes must still have the epoch.
 *
 * @param prepare runs before anything is recorded, and may refuse the request; never for a repetition of a finished one.
 * @param work must bear being done again in part: the lease says whether it has been begun. Its result is kept as JSON.
 * @throws RequestError `idempotency_key_reused`, `idempotency_in_progress`
 */
export async function once<P, R extends NonNullable<unknown>>(
  request: RepeatableRequest,
  prepare: () => Promise<P>,
  work: (lease: Lease, prepared: P) => Promise<R>,
): Promise<R> {
  if (request.key === undefined) {
    const run = { importId: newImportId(), salt: newSalt(), createdAt: new Date().toISOString() };
    return work({ ...run, isRecorded: false, resumed: false, assertCurrent: () => {} }, await prepare());
  }
  const recordKey = requestKey(request.workspaceId, request.operation, sha256(request.key));
  // Keyed with what the table does not have: a body may carry a password, which a bare hash of it would give away to whoever guesses.
  const bodyHash = createHmac('sha256', request.key).update(request.body).digest('hex');
  // Not the gateway's request id: clients can set it, and two requests would hold the same lease.
  const owner = newRequestToken();
  let prepared: P | undefined;
  for (;;) {
    const record = unexpired(await getItem(recordKey));
    if (record && record.bodyHash !== bodyHash) {
      throw new RequestError('idempotency_key_reused', 'The Idempotency-Key was sent with another body before.');
    }
    if (typeof record?.result === 'string') return JSON.parse(record.result);
    if (record && record.owner !== owner && Number(record.leaseUntil) > Date.now()) {
      await waitForOther(Number(record.leaseUntil));
      continue;
    }
    prepared ??= await prepare();
    try {
      const held = record ? await takeOver(recordKey, record, owner) : await begin(recordKey, bodyHash, owner);
      return await whileRenewing(recordKey, held, (assertCurrent) =>
        work({ ...runOf(held), isRecorded: true, resumed: record !== undefined, assertCurrent }, prepared as P),
      );
    } catch (error) {
      // Another was faster, or took over: what it comes to is the answer.
      if (!(error instanceof ConditionFailed || error instanceof LeaseLost)) throw error;
    }
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const unexpired = (record: Item | undefined): Item | undefined =>
  record && Number(record.expiresAt) > Date.now() ? record : undefined;

const runOf = ({ importId, salt, createdAt }: Item): ImportRun => ({ importId, salt, createdAt }) as ImportRun;

async function waitForOther(leaseUntil: number): Promise<void> {
  if (timeLeft() < waitingEndsMs) {
    throw new RequestError('idempotency_in_progress', 'A request with this Idempotency-Key is being carried out.', {
      retryAfter: Math.max(1, Math.ceil((leaseUntil - Date.now()) / 1_000)),
    });
  }
  await wait(pollMs);
}

/** Writes the record of a request that nobody has begun. @throws ConditionFailed where somebody has. */
async function begin(recordKey: Key, bodyHash: string, owner: string): Promise<Item> {
  const now = Date.now();
  const record = {
    importId: newImportId(),
    salt: newSalt(),
    createdAt: new Date(now).toISOString(),
    bodyHash,
    owner,
    epoch: 1,
    leaseUntil: now + leaseMs,
    expiresAt: now + keptMs,
    ttl: Math.ceil((now + keptMs) / 1_000),
  };
  await putItem({ ...recordKey, ...record }, { text: 'attribute_not_exists(pk) OR #expiresAt <= :now', values: { ':now': now } });
  return record;
}

/** Takes over from one whose lease has lapsed. @throws ConditionFailed where another did, or where it came back. */
const takeOver = (recordKey: Key, record: Item, owner: string): Promise<Item> =>
  updateItem(
    recordKey,
    {
      text: 'SET #epoch = :next, #owner = :owner, #leaseUntil = :until',
      values: { ':next': Number(record.epoch) + 1, ':owner': owner, ':until': Date.now() + leaseMs },
    },
    {
      text: '#epoch = :epoch AND #leaseUntil = :lease AND attribute_not_exists(#result)',
      values: { ':epoch': record.epoch, ':lease': record.leaseUntil },
    },
  );

/** Does the work while renewing the lease, and records its result; where it fails, lets the lease go. */
async function whileRenewing<R extends NonNullable<unknown>>(
  recordKey: Key,
  { epoch, owner }: Item,
  work: (assertCurrent: () => void) => Promise<R>,
): Promise<R> {
  const ours = { text: '#epoch = :epoch AND #owner = :owner', values: { ':epoch': epoch, ':owner': owner } };
  const setLease = (until: number) =>
    updateItem(recordKey, { text: 'SET #leaseUntil = :until', values: { ':until': until } }, ours);
  let lost = false;
  const renewal = setInterval(() => {
    setLease(Date.now() + leaseMs).catch((error) => {
      // Only a failed condition says so for certain; what could not be renewed now may be the next time.
      if (error instanceof ConditionFailed) lost = true;
    });
  }, renewalMs);
  try {
    const result = await work(() => {
      if (lost) throw new LeaseLost();
    });
    await updateItem(recordKey, { text: 'SET #result = :result', values: { ':result': JSON.stringify(result) } }, ours);
    return result;
  } catch (error) {
    // Whoever repeats the request need not wait for a lease that nobody needs any more.
    if (!(error instanceof ConditionFailed || error instanceof LeaseLost)) await setLease(0).catch(() => {});
    throw error;
  } finally {
    clearInterval(renewal);
  }
}
