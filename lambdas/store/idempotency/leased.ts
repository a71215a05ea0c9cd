import { setTimeout as wait } from 'node:timers/promises';
import type { Domain } from '../../core/domain/domain.ts';
import { RequestError } from '../../core/errors.ts';
import type { Creation } from '../../core/link/creation.ts';
import { timeLeft } from '../../runtime/deadline.ts';
import { takeUnlessHeld, whileRenewing } from '../schedules/leases.ts';
import type { Item } from '../table/client.ts';
import { tableTime } from '../table/clock.ts';
import { all, ConditionFailed, ifConditionFails, is, lacks, set } from '../table/expressions.ts';
import { maybeText, number, text } from '../table/fields.ts';
import type { Key } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { putItem, updateItem } from '../table/writes.ts';
import {
  identityOf,
  isNewOrExpired,
  keptMs,
  keyReused,
  newCreation,
  type RepeatableRequest,
  ttlOf,
  withRetryAdvice,
} from './requests.ts';

/**
 * The protocol for work that takes several writes, such as an import. The request has a record, which says which
 * attempt has the lease, and until when. Only the latest attempt can record its result. For example, A starts an import
 * of 200 links and is slow, so the client retries, and B takes over:
 *
 *     A   puts the record: owner A, lease for 5 seconds, salt S                if there is no record
 *     A   creates 80 links. Each has a slug made from S, and the request's mark
 *     A   hangs, so that it no longer renews its lease (which it does every 1.5 seconds)
 *     B   the client's retry: reads the record again and again, until the lease expires
 *     B   updates the record: owner B, lease for 5 seconds                     if A still owns it with that lease
 *     B   finds the 80 links by their marks, and creates the other 120 with slugs made from S
 *     A   wakes up, and tries to record its result                             if A still owns it: refused
 *     B   records the result                                                   if B still owns it
 *     A   reads the record again, and returns B's result
 *     C   a later retry reads the record, and returns B's result
 *
 * If B dies, too, C takes over. If the work of A fails, A ends its lease, so that B need not wait. The work itself must
 * tolerate that another attempt still writes: the lease only decides whose result is recorded.
 *
 * The record also has the domain's `domainId`, so that a request does not begin under one owner of the domain and end
 * under the next; and what `fix` found, such as the fields of a template, so that all attempts create the same.
 */

/** How long a record is kept after a takeover, at least, in milliseconds: far longer than a function runs. */
const takenOverMs = 60 * 60 * 1_000;
/** How often a waiting request polls the record, and with how much time left it stops waiting, in milliseconds. */
const pollMs = 200;
const waitingEndsMs = 6_000;

/** What the work of a request knows about its lease. Without a key, the lease isn't recorded. */
export type Lease = Creation & {
  /** The request may be repeated: its result is recorded. */
  readonly isRecorded: boolean;
  /** Another function held the lease before, and may have done part of the work. */
  readonly resumed: boolean;
};

/** What `prepare` returns, including the domain. */
type Prepared = { readonly domain: Pick<Domain, 'domainId'> };

/** The steps of a request. */
export type Steps<P extends Prepared, R extends NonNullable<unknown>, F = undefined> = {
  /**
   * Reads what may change between two attempts. It is recorded as JSON, and later attempts get what the first one has
   * recorded.
   */
  readonly fix?: (() => Promise<F>) | undefined;
  /**
   * Finds the result of an earlier attempt that died before it recorded it. Runs before `prepare`, which may by now
   * refuse what was valid then. Not needed if `work` does it.
   */
  readonly find?: (lease: Lease, domainId: string) => Promise<R | undefined>;
  /** Runs before anything is recorded, and may refuse the request. Does not run for retries of a finished request. */
  readonly prepare: (fixed: F | undefined) => Promise<P>;
  /** Must tolerate being repeated in part, even while another attempt is running. Its result is stored as JSON. */
  readonly work: (lease: Lease, prepared: P) => Promise<R>;
};

/** A request's record: what its attempts have in common, and which one holds the lease. */
type RequestRecord = Creation & {
  readonly bodyHash: string;
  readonly domainId: string;
  readonly owner: string;
  /** By the table's clock, in milliseconds since 1970. */
  readonly leaseUntil: number;
  /** By the gateway's clock, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** What `fix` found, and the result, as JSON. */
  readonly fixed: string | undefined;
  readonly result: string | undefined;
};

const toRecord = (item: Item): RequestRecord => ({
  requestId: text(item, 'requestId'),
  salt: text(item, 'salt'),
  createdAt: text(item, 'createdAt'),
  bodyHash: text(item, 'bodyHash'),
  domainId: text(item, 'domainId'),
  owner: text(item, 'owner'),
  leaseUntil: number(item, 'leaseUntil'),
  expiresAt: number(item, 'expiresAt'),
  fixed: maybeText(item, 'fixed'),
  result: maybeText(item, 'result'),
});

/**
 * Executes a request once, however often it is sent within 24 hours, and returns the recorded result to its retries.
 *
 * @throws RequestError `idempotency_key_reused`, `idempotency_in_progress`, and whatever `prepare` and `work` throw
 */
export async function executeOnce<P extends Prepared, R extends NonNullable<unknown>, F = undefined>(
  request: RepeatableRequest,
  steps: Steps<P, R, F>,
): Promise<R> {
  if (request.key === undefined) return executeUnrecorded(steps);
  const { recordKey, bodyHash } = identityOf(request, request.key);
  // Not `retrying`, which starts over after a moment: this waits until the function at work has finished.
  for (;;) {
    const item = await getItem(recordKey);
    const known = item && toRecord(item);
    const record = known && known.expiresAt > request.receivedAt ? known : undefined;
    if (record && record.bodyHash !== bodyHash) throw keyReused();
    if (record?.result !== undefined) return JSON.parse(record.result);
    const attempt = record ? resume(recordKey, record, request, steps) : start(recordKey, bodyHash, request, steps);
    const result = await ifConditionFails(attempt, () => undefined);
    // If another function was first, or has taken over, its result is the response.
    if (result !== undefined) return result;
  }
}

/** Executes a request that has no key, and so cannot be repeated. */
async function executeUnrecorded<P extends Prepared, R extends NonNullable<unknown>, F>({
  fix,
  prepare,
  work,
}: Steps<P, R, F>): Promise<R> {
  const prepared = await prepare(await fix?.());
  return withRetryAdvice({ key: undefined }, () => work({ ...newCreation(), isRecorded: false, resumed: false }, prepared));
}

/** Waits a moment for the holder of the lease. @throws RequestError `idempotency_in_progress` if time runs short */
async function waitForHolder(leaseUntil: number): Promise<void> {
  if (timeLeft() < waitingEndsMs) {
    throw new RequestError(
      'idempotency_in_progress',
      'Another request with this Idempotency-Key is still running. Send this one again later.',
      {
        retryAfter: Math.max(1, Math.ceil((leaseUntil - tableTime()) / 1_000)),
      },
    );
  }
  await wait(pollMs);
}

/**
 * Executes a request that has no record.
 *
 * @returns undefined if another function has begun it in the meantime
 * @throws ConditionFailed if another function has taken over
 */
async function start<P extends Prepared, R extends NonNullable<unknown>, F>(
  recordKey: Key,
  bodyHash: string,
  request: RepeatableRequest,
  { fix, prepare, work }: Steps<P, R, F>,
): Promise<R | undefined> {
  const fixed = await fix?.();
  const prepared = await prepare(fixed);
  const creation = newCreation();
  const expiresAt = request.receivedAt + keptMs;
  const record = {
    ...recordKey,
    ...creation,
    bodyHash,
    domainId: prepared.domain.domainId,
    expiresAt,
    ttl: ttlOf(expiresAt),
    ...(fixed !== undefined && { fixed: JSON.stringify(fixed) }),
  };
  const lease = await takeUnlessHeld(0, (taken) => putItem({ ...record, ...taken }, isNewOrExpired(request)));
  if (!lease) return undefined;
  return finish(recordKey, lease.owner, () => work(leaseOf(creation, false), prepared));
}

/**
 * Takes over a request that another function began, once that function's lease has run out, and continues it. The
 * record then outlasts the work: if it expired first, a retry would start over.
 *
 * @returns undefined if another function is at work, was faster, or has finished
 * @throws RequestError `idempotency_in_progress` if another function is at work, and time runs short
 * @throws ConditionFailed if another function has taken over
 */
async function resume<P extends Prepared, R extends NonNullable<unknown>, F>(
  recordKey: Key,
  record: RequestRecord,
  { receivedAt }: RepeatableRequest,
  { find, prepare, work }: Steps<P, R, F>,
): Promise<R | undefined> {
  const { owner, leaseUntil } = record;
  const expiresAt = Math.max(record.expiresAt, receivedAt + takenOverMs);
  const isUnchanged = all(is('owner', owner), is('leaseUntil', leaseUntil), lacks('result'));
  const lease = await takeUnlessHeld(leaseUntil, (taken) =>
    updateItem(recordKey, set({ ...taken, expiresAt, ttl: ttlOf(expiresAt) }), isUnchanged),
  );
  if (!lease) {
    await waitForHolder(leaseUntil);
    return undefined;
  }
  return finish(recordKey, lease.owner, async () => {
    const known = leaseOf(record, true);
    const result = await find?.(known, record.domainId);
    if (result !== undefined) return result;
    const prepared = await prepare(record.fixed === undefined ? undefined : JSON.parse(record.fixed));
    if (prepared.domain.domainId !== record.domainId) {
      throw new RequestError(
        'idempotency_key_reused',
        'The ownership of the domain was proven again since the request began. Send the request with another Idempotency-Key.',
      );
    }
    return work(known, prepared);
  });
}

const leaseOf = ({ requestId, salt, createdAt }: Creation, resumed: boolean): Lease => ({
  requestId,
  salt,
  createdAt,
  isRecorded: true,
  resumed,
});

/**
 * Does the work under the lease, and records its result. If the work fails, it ends the lease, so that a retry need not
 * wait.
 *
 * @throws ConditionFailed if another function has taken over: then neither the result nor the failure is the request's
 *   response
 */
async function finish<R extends NonNullable<unknown>>(recordKey: Key, owner: string, work: () => Promise<R>): Promise<R> {
  const isOurs = is('owner', owner);
  const setLease = (until: number) => updateItem(recordKey, set({ leaseUntil: until }), isOurs);
  try {
    return await whileRenewing(setLease, async () => {
      const result = await work();
      await updateItem(recordKey, set({ result: JSON.stringify(result) }), isOurs);
      return result;
    });
  } catch (error) {
    if (error instanceof ConditionFailed) throw error;
    await setLease(0).catch((failed) => {
      if (failed instanceof ConditionFailed) throw failed;
    });
    throw error;
  }
}
