import { createHash, createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Creation } from '../../domain/creation.ts';
import type { Domain } from '../../domain/domain.ts';
import { RequestError } from '../../domain/errors.ts';
import { newRequestId, newRequestToken, newSalt } from '../../domain/ids.ts';
import { timeLeft } from '../../runtime/deadline.ts';
import type { Item } from '../table/client.ts';
import { all, any, ConditionFailed, ifConditionFails, is, isAbsent, lacks } from '../table/conditions.ts';
import { maybeText, number, text } from '../table/fields.ts';
import { type Key, requestKey } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { putItem, putting, updateItem, type Write } from '../table/writes.ts';

/** How long a record is kept, in milliseconds, by the clock of the function that reads it. */
const keptMs = 24 * 60 * 60 * 1_000;
/** How long a lease lasts before another function may take over, and how often it is renewed, in milliseconds. */
const leaseMs = 5_000;
const renewalMs = 1_500;
/** How long a record is kept at least after a takeover, in milliseconds: far longer than a function runs. */
const takenOverMs = 60 * 60 * 1_000;
/** How often a waiting request polls the record, and with how much time left it stops waiting, in milliseconds. */
const pollMs = 200;
const waitingEndsMs = 6_000;

/** A request that may be repeated. */
export type RepeatableRequest = {
  readonly workspaceId: string;
  readonly operation: string;
  /** The `Idempotency-Key`. Without one nothing is recorded. */
  readonly key: string | undefined;
  /** The raw body. */
  readonly body: string;
};

/** An attempt to execute a request. Several functions may be working on it; only the latest can record the result. */
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

/**
 * Executes a request once, however often it is sent within 24 hours, and returns the recorded result to its
 * repetitions.
 *
 * A record says which function is working on the request, until when it holds the lease, and how many times the request
 * has been taken up (the epoch). A function writes its result, or its failure, only if it still has the epoch: the
 * result of a function that lost its lease to another is discarded. The record also names the domain's proof of
 * ownership, so that a request does not begin under one owner and end under the next.
 *
 * @throws RequestError `idempotency_key_reused`, `idempotency_in_progress`, and whatever `prepare` and `work` throw
 */
export async function once<P extends Prepared, R extends NonNullable<unknown>>(
  request: RepeatableRequest,
  steps: Steps<P, R>,
): Promise<R> {
  if (request.key === undefined) return unrecorded(steps);
  const { recordKey, bodyHash } = identityOf(request, request.key);
  // Not the gateway's request id: clients can set it, and two requests would then share a lease.
  const owner = newRequestToken();
  for (;;) {
    const item = await getItem(recordKey);
    const record = item && unexpired(toRecord(item));
    if (record && record.bodyHash !== bodyHash) throw keyReused();
    if (record?.result !== undefined) return JSON.parse(record.result);
    if (record && record.owner !== owner && record.leaseUntil > Date.now()) {
      await waitForOther(record.leaseUntil);
      continue;
    }
    const attempt = record ? resume(recordKey, record, owner, steps) : start(recordKey, bodyHash, owner, steps);
    const result = await ifConditionFails(attempt, () => undefined);
    if (result !== undefined) return result;
    // Another function was first, or took over. Its result is the response.
  }
}

/**
 * Executes a request once, however often it is sent within 24 hours, if its work is one transaction: the record of the
 * request is part of it. So there is neither a lease nor a takeover. An attempt that dies has done everything or nothing,
 * and one that arrives late fails.
 *
 * @param work adds the write of `recording` to its transaction, as the last one, and throws the `ConditionFailed` if it
 *   is that write which fails. Without a key there is nothing to add.
 * @param kept what is recorded of the result, as JSON. It must not contain secrets.
 * @returns the result of the work, or if the request has been executed before, what was recorded.
 * @throws RequestError `idempotency_key_reused`, and whatever `work` throws
 */
export async function onceInTransaction<R, K>(
  request: RepeatableRequest,
  work: (recording: ((result: R) => Write) | undefined) => Promise<R>,
  kept: (result: R) => K,
): Promise<{ readonly made: R } | { readonly before: K }> {
  if (request.key === undefined) return { made: await work(undefined) };
  const { recordKey, bodyHash } = identityOf(request, request.key);
  /** What an earlier attempt has recorded. */
  const find = async (): Promise<{ readonly before: K } | undefined> => {
    const item = await getItem(recordKey);
    if (!item || number(item, 'expiresAt') <= Date.now()) return undefined;
    if (text(item, 'bodyHash') !== bodyHash) throw keyReused();
    return { before: JSON.parse(text(item, 'result')) };
  };
  for (;;) {
    const before = await find();
    if (before) return before;
    const now = Date.now();
    const expiresAt = now + keptMs;
    const attempt = work((result) =>
      putting(
        { ...recordKey, bodyHash, expiresAt, ttl: ttlOf(expiresAt), result: JSON.stringify(kept(result)) },
        isNewOrExpired(now),
      ),
    );
    try {
      return { made: await attempt };
    } catch (error) {
      // Another attempt was first. Its result is the response.
      if (error instanceof ConditionFailed) continue;
      // It may also have been first and left no room for this one.
      const isRefused = error instanceof RequestError && error.code !== 'temporarily_unavailable';
      const there = isRefused ? await find() : undefined;
      if (!there) throw error;
      return there;
    }
  }
}

/** A request that creates something and is not recorded, or is new. */
export const newCreation = (): Creation => ({ requestId: newRequestId(), salt: newSalt(), createdAt: new Date().toISOString() });

/** Where a request's record is, and the hash of its body. */
const identityOf = ({ workspaceId, operation, body }: RepeatableRequest, key: string) => ({
  recordKey: requestKey(workspaceId, operation, sha256(key)),
  // Keyed with the Idempotency-Key, which the table does not have. The body may contain a password, which could be
  // guessed from a plain hash.
  bodyHash: createHmac('sha256', key).update(body).digest('base64url'),
});

const keyReused = () => new RequestError('idempotency_key_reused', 'The Idempotency-Key was sent with another body before.');

const isNewOrExpired = (now: number) => any(isAbsent, { text: '#expiresAt <= :now', values: { ':now': now } });

/** Executes a request that cannot be repeated. */
async function unrecorded<P extends Prepared, R extends NonNullable<unknown>>({ prepare, work }: Steps<P, R>): Promise<R> {
  const prepared = await prepare();
  return lookFirstIfWithoutKey({ key: undefined }, () => work({ ...newCreation(), isRecorded: false, resumed: false }, prepared));
}

/**
 * Does the work of a request that creates something. If it cannot be finished and has no key, the error says what to do
 * before it is sent again.
 */
export async function lookFirstIfWithoutKey<R>({ key }: Pick<RepeatableRequest, 'key'>, work: () => Promise<R>): Promise<R> {
  if (key !== undefined) return work();
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'temporarily_unavailable') throw error;
    throw new RequestError(
      error.code,
      'The service could not finish in time, and may have created what was sent. Look before you send it again; with an Idempotency-Key you need not.',
      { ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }) },
    );
  }
}

/** Executes a request that has no record. @throws ConditionFailed if another function has begun it in the meantime */
async function start<P extends Prepared, R extends NonNullable<unknown>>(
  recordKey: Key,
  bodyHash: string,
  owner: string,
  { prepare, work }: Steps<P, R>,
): Promise<R> {
  const prepared = await prepare();
  const record = await begin(recordKey, bodyHash, prepared.domain.domainId, owner);
  return whileRenewing(recordKey, record, () => work({ ...creationOf(record), isRecorded: true, resumed: false }, prepared));
}

/**
 * Takes over a request that another function began, and continues it. @throws ConditionFailed if another function takes
 * it over, now or later
 */
async function resume<P extends Prepared, R extends NonNullable<unknown>>(
  recordKey: Key,
  begun: RequestRecord,
  owner: string,
  { find, prepare, work }: Steps<P, R>,
): Promise<R> {
  const record = await takeOver(recordKey, begun, owner);
  return whileRenewing(recordKey, record, async () => {
    const lease = { ...creationOf(record), isRecorded: true, resumed: true };
    const result = await find?.(lease, record.domainId);
    if (result !== undefined) return result;
    const prepared = await prepare();
    if (prepared.domain.domainId !== record.domainId) {
      throw new RequestError(
        'idempotency_key_reused',
        'The domain has been proven anew since the request was begun: send it with another Idempotency-Key.',
      );
    }
    return work(lease, prepared);
  });
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

const unexpired = (record: RequestRecord): RequestRecord | undefined => (record.expiresAt > Date.now() ? record : undefined);

/** A request's record: what its attempts have in common, and which one holds the lease. */
type RequestRecord = Creation & {
  readonly bodyHash: string;
  readonly domainId: string;
  readonly owner: string;
  readonly epoch: number;
  /** In milliseconds since 1970, like `expiresAt`. */
  readonly leaseUntil: number;
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
  epoch: number(item, 'epoch'),
  leaseUntil: number(item, 'leaseUntil'),
  expiresAt: number(item, 'expiresAt'),
  result: maybeText(item, 'result'),
});

const recordItem = (recordKey: Key, record: RequestRecord): Key & Item => ({
  ...recordKey,
  ...record,
  ttl: ttlOf(record.expiresAt),
});

/** The `ttl` of a record that expires then, in seconds. */
const ttlOf = (expiresAt: number): number => Math.ceil(expiresAt / 1_000);

const creationOf = ({ requestId, salt, createdAt }: RequestRecord): Creation => ({ requestId, salt, createdAt });

async function waitForOther(leaseUntil: number): Promise<void> {
  if (timeLeft() < waitingEndsMs) {
    throw new RequestError('idempotency_in_progress', 'A request with this Idempotency-Key is being carried out.', {
      retryAfter: Math.max(1, Math.ceil((leaseUntil - Date.now()) / 1_000)),
    });
  }
  await wait(pollMs);
}

/** Writes the record of a request that has none. @throws ConditionFailed if there is one by now */
async function begin(recordKey: Key, bodyHash: string, domainId: string, owner: string): Promise<RequestRecord> {
  const now = Date.now();
  const record: RequestRecord = {
    ...newCreation(),
    bodyHash,
    domainId,
    owner,
    epoch: 1,
    leaseUntil: now + leaseMs,
    expiresAt: now + keptMs,
    result: undefined,
  };
  await putItem(recordItem(recordKey, record), isNewOrExpired(now));
  return record;
}

/**
 * Takes over an expired lease. It extends the record to outlast the work: if the record expired first, a repetition
 * would start over.
 *
 * @throws ConditionFailed if another function took over, or the holder renewed its lease or finished
 */
async function takeOver(recordKey: Key, record: RequestRecord, owner: string): Promise<RequestRecord> {
  const now = Date.now();
  const expiresAt = Math.max(record.expiresAt, now + takenOverMs);
  const item = await updateItem(
    recordKey,
    {
      text: 'SET #epoch = :next, #owner = :owner, #leaseUntil = :until, #expiresAt = :expiresAt, #ttl = :ttl',
      values: {
        ':next': record.epoch + 1,
        ':owner': owner,
        ':until': now + leaseMs,
        ':expiresAt': expiresAt,
        ':ttl': ttlOf(expiresAt),
      },
    },
    all(is('epoch', record.epoch), is('leaseUntil', record.leaseUntil), lacks('result')),
  );
  return toRecord(item);
}

/**
 * Does the work while renewing the lease, and records its result. If the work fails, it releases the lease, so that a
 * repetition need not wait.
 *
 * @throws ConditionFailed if another function has taken over: then neither the result nor the failure is the request's
 *   response
 */
async function whileRenewing<R extends NonNullable<unknown>>(
  recordKey: Key,
  { epoch, owner }: RequestRecord,
  work: () => Promise<R>,
): Promise<R> {
  const ours = all(is('epoch', epoch), is('owner', owner));
  const setLease = (until: number) =>
    updateItem(recordKey, { text: 'SET #leaseUntil = :until', values: { ':until': until } }, ours);
  // A failed renewal is ignored: the next one may succeed, and if another function has taken over, the last write
  // notices.
  const renewal = setInterval(() => setLease(Date.now() + leaseMs).catch(() => {}), renewalMs);
  try {
    const result = await work();
    await updateItem(recordKey, { text: 'SET #result = :result', values: { ':result': JSON.stringify(result) } }, ours);
    return result;
  } catch (error) {
    if (error instanceof ConditionFailed) throw error;
    await setLease(0).catch((failed) => {
      if (failed instanceof ConditionFailed) throw failed;
    });
    throw error;
  } finally {
    clearInterval(renewal);
  }
}
