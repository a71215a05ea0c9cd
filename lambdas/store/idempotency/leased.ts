import { setTimeout as wait } from 'node:timers/promises';
import type { Domain } from '../../core/domain/domain.ts';
import { RequestError } from '../../core/errors.ts';
import { newRequestToken } from '../../core/ids.ts';
import type { Creation } from '../../core/link/creation.ts';
import { timeLeft } from '../../runtime/deadline.ts';
import { isHeld, newLeaseEnd, whileRenewing } from '../schedules/leases.ts';
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
 * function has the lease, until when, and which attempt that is. Only the latest attempt can record its result. For
 * example, A starts an import of 200 links and is slow, so the client retries, and B takes over:
 *
 *     A   puts the record: attempt 1, owner A, lease for 5 seconds, salt S     if there is no record
 *     A   creates 80 links. Each has a slug made from S, and the request's mark
 *     A   hangs, so that it no longer renews its lease (which it does every 1.5 seconds)
 *     B   the client's retry: reads the record, and waits until the lease expires
 *     B   updates the record: attempt 2, owner B, lease for 5 seconds          if it is still attempt 1 with that lease
 *     B   finds the 80 links by their marks, and creates the other 120 with slugs made from S
 *     A   wakes up, and tries to record its result                             if it is still attempt 1: refused
 *     B   records the result                                                   if it is still attempt 2
 *     A   reads the record again, and returns B's result
 *     C   a later retry reads the record, and returns B's result
 *
 * If B dies, too, C takes over as attempt 3. If the work of A fails, A ends its lease, so that B need not wait. The
 * work itself must tolerate that another attempt still writes: the lease only says whose result counts.
 *
 * The record also has the domain's `domainId`, so that a request does not begin under one owner of the domain and end
 * under the next.
 */

/** How long a record is kept at least after a takeover, in milliseconds: far longer than a function runs. */
const takenOverMs = 60 * 60 * 1_000;
/** How often a waiting request polls the record, and with how much time left it stops waiting, in milliseconds. */
const pollMs = 200;
const waitingEndsMs = 6_000;

/** What the work of a request gets to know of the lease under which it runs. Without a key there is no record of it. */
export type Lease = Creation & {
  /** The request may be repeated: its result is recorded. */
  readonly isRecorded: boolean;
  /** Another function held the lease before, and may have done part of the work. */
  readonly resumed: boolean;
};

/** What `prepare` returns, including the domain. */
type Prepared = { readonly domain: Pick<Domain, 'domainId'> };

/** The steps of a request. */
export type Steps<P extends Prepared, R extends NonNullable<unknown>> = {
  /**
   * Finds the result of an earlier attempt that died before it recorded it. Runs before `prepare`, which may by now
   * refuse what was valid then. Not needed if `work` does it.
   */
  readonly find?: (lease: Lease, domainId: string) => Promise<R | undefined>;
  /**
   * Runs before anything is recorded, and may refuse the request. Does not run for repetitions of a finished request.
   */
  readonly prepare: () => Promise<P>;
  /** Must tolerate being repeated in part, even while another attempt is running. Its result is stored as JSON. */
  readonly work: (lease: Lease, prepared: P) => Promise<R>;
};

/** A request's record: what its attempts have in common, and which one holds the lease. */
type RequestRecord = Creation & {
  readonly bodyHash: string;
  readonly domainId: string;
  readonly owner: string;
  /** The number of the attempt that holds the lease, from 1: the attribute `epoch`. */
  readonly attempt: number;
  /** By the table's clock, in milliseconds since 1970. */
  readonly leaseUntil: number;
  /** By the gateway's clock, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** The result as JSON. */
  readonly result: string | undefined;
};

const toRecord = (item: Item): RequestRecord => ({
  requestId: text(item, 'requestId'),
  salt: text(item, 'salt'),
  createdAt: text(item, 'createdAt'),
  bodyHash: text(item, 'bodyHash'),
  domainId: text(item, 'domainId'),
  owner: text(item, 'owner'),
  attempt: number(item, 'epoch'),
  leaseUntil: number(item, 'leaseUntil'),
  expiresAt: number(item, 'expiresAt'),
  result: maybeText(item, 'result'),
});

const recordItem = (recordKey: Key, { attempt, ...record }: RequestRecord): Key & Item => ({
  ...recordKey,
  ...record,
  epoch: attempt,
  ttl: ttlOf(record.expiresAt),
});

/**
 * Executes a request once, however often it is sent within 24 hours, and returns the recorded result to its
 * repetitions.
 *
 * @throws RequestError `idempotency_key_reused`, `idempotency_in_progress`, and whatever `prepare` and `work` throw
 */
export async function executeOnce<P extends Prepared, R extends NonNullable<unknown>>(
  request: RepeatableRequest,
  steps: Steps<P, R>,
): Promise<R> {
  if (request.key === undefined) return executeUnrecorded(steps);
  const { recordKey, bodyHash } = identityOf(request, request.key);
  // Not the gateway's request id: clients can set it, and two requests would then share a lease.
  const owner = newRequestToken();
  for (;;) {
    const item = await getItem(recordKey);
    const known = item && toRecord(item);
    const record = known && known.expiresAt > request.receivedAt ? known : undefined;
    if (record && record.bodyHash !== bodyHash) throw keyReused();
    if (record?.result !== undefined) return JSON.parse(record.result);
    if (record && record.owner !== owner && isHeld(record.leaseUntil)) {
      await waitForHolder(record.leaseUntil);
      continue;
    }
    const attempt = record ? resume(recordKey, record, request, owner, steps) : start(recordKey, bodyHash, request, owner, steps);
    const result = await ifConditionFails(attempt, () => undefined);
    if (result !== undefined) return result;
    // Another function was first, or took over. Its result is the response.
  }
}

/** Executes a request that has no key, and so cannot be repeated. */
async function executeUnrecorded<P extends Prepared, R extends NonNullable<unknown>>({ prepare, work }: Steps<P, R>): Promise<R> {
  const prepared = await prepare();
  return withRetryAdvice({ key: undefined }, () => work({ ...newCreation(), isRecorded: false, resumed: false }, prepared));
}

/** Waits a moment for the holder of the lease. @throws RequestError `idempotency_in_progress` if time runs short */
async function waitForHolder(leaseUntil: number): Promise<void> {
  if (timeLeft() < waitingEndsMs) {
    throw new RequestError('idempotency_in_progress', 'Another request with this Idempotency-Key is still running.', {
      retryAfter: Math.max(1, Math.ceil((leaseUntil - tableTime()) / 1_000)),
    });
  }
  await wait(pollMs);
}

/** Executes a request that has no record. @throws ConditionFailed if another function has begun it in the meantime */
async function start<P extends Prepared, R extends NonNullable<unknown>>(
  recordKey: Key,
  bodyHash: string,
  request: RepeatableRequest,
  owner: string,
  { prepare, work }: Steps<P, R>,
): Promise<R> {
  const prepared = await prepare();
  const record = await begin(recordKey, bodyHash, request, prepared.domain.domainId, owner);
  return finish(recordKey, record, () => work(leaseOf(record, false), prepared));
}

/** Writes the record of a request that has none. @throws ConditionFailed if there is one by now */
async function begin(
  recordKey: Key,
  bodyHash: string,
  request: RepeatableRequest,
  domainId: string,
  owner: string,
): Promise<RequestRecord> {
  const record: RequestRecord = {
    ...newCreation(),
    bodyHash,
    domainId,
    owner,
    attempt: 1,
    leaseUntil: newLeaseEnd(),
    expiresAt: request.receivedAt + keptMs,
    result: undefined,
  };
  await putItem(recordItem(recordKey, record), isNewOrExpired(request));
  return record;
}

/**
 * Takes over a request that another function began, and continues it.
 *
 * @throws ConditionFailed if another function takes it over, now or later
 */
async function resume<P extends Prepared, R extends NonNullable<unknown>>(
  recordKey: Key,
  begun: RequestRecord,
  { receivedAt }: RepeatableRequest,
  owner: string,
  { find, prepare, work }: Steps<P, R>,
): Promise<R> {
  const record = await takeOver(recordKey, begun, receivedAt, owner);
  return finish(recordKey, record, async () => {
    const lease = leaseOf(record, true);
    const result = await find?.(lease, record.domainId);
    if (result !== undefined) return result;
    const prepared = await prepare();
    if (prepared.domain.domainId !== record.domainId) {
      throw new RequestError(
        'idempotency_key_reused',
        'The ownership of the domain was proven again since the request began. Send it with another Idempotency-Key.',
      );
    }
    return work(lease, prepared);
  });
}

/**
 * Takes over an expired lease. It extends the record to outlast the work: if the record expired first, a repetition
 * would start over.
 *
 * @throws ConditionFailed if another function took over, or the holder renewed its lease or finished
 */
async function takeOver(recordKey: Key, record: RequestRecord, receivedAt: number, owner: string): Promise<RequestRecord> {
  const expiresAt = Math.max(record.expiresAt, receivedAt + takenOverMs);
  const item = await updateItem(
    recordKey,
    set({ epoch: record.attempt + 1, owner, leaseUntil: newLeaseEnd(), expiresAt, ttl: ttlOf(expiresAt) }),
    all(is('epoch', record.attempt), is('leaseUntil', record.leaseUntil), lacks('result')),
  );
  return toRecord(item);
}

const leaseOf = ({ requestId, salt, createdAt }: RequestRecord, resumed: boolean): Lease => ({
  requestId,
  salt,
  createdAt,
  isRecorded: true,
  resumed,
});

/**
 * Does the work under the lease, and records its result. If the work fails, it ends the lease, so that a repetition need
 * not wait.
 *
 * @throws ConditionFailed if another function has taken over: then neither the result nor the failure is the request's
 *   response
 */
async function finish<R extends NonNullable<unknown>>(
  recordKey: Key,
  { attempt, owner }: RequestRecord,
  work: () => Promise<R>,
): Promise<R> {
  const isOurs = all(is('epoch', attempt), is('owner', owner));
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
