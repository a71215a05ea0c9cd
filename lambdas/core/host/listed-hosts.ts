import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { RuleError } from '../errors.ts';

/*
 * A list of harmful hosts that somebody else maintains, with up to a million names. It is stored in shards, each with a
 * part of the names as hashes of 64 bits. Looking up a host takes a few small reads, which functions cache for a while.
 *
 * A name's shard and hash have 72 bits together. Two of a million names share them with a probability of 1 in 9
 * billion. A host that isn't on the list seems to be with a probability of 1 in 2^72 for each name on it.
 */

/** How many shards the names are spread over, evenly, by the first byte of their hashes. */
export const listedShards = 256;

/** The most names that a list may have: 31 kB for each shard. */
export const listedNames = 1_000_000;

/** How many names are looked up for a host. */
const lookedUp = 5;

/** Where a name is on the list. @property shard from 0 @property mark of the name within it, below 2^64 */
export type ListedPlace = { readonly shard: number; readonly mark: bigint };

/** @param name a canonical host */
export function listedPlace(name: string): ListedPlace {
  const hash = createHash('sha256').update(name).digest();
  return { shard: hash.readUInt8(0), mark: hash.readBigUInt64BE(1) };
}

/**
 * The names by which a host may be on a list, the most specific first: a name on the list covers its subdomains too.
 * Names of one label are never on it. For a host with many labels, only the host itself and its parents with the fewest
 * labels are looked up, because those can have been registered.
 *
 * @param host canonical
 */
export function namesOnList(host: string): string[] {
  if (isIP(host) !== 0 || host.startsWith('[')) return [host];
  const labels = host.split('.');
  const parents = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'));
  return [host, ...parents.slice(-(lookedUp - 1))];
}

/** A shard of the list. @property excused names that the operator has excused */
export type ListedShard = { readonly marks: Uint8Array; readonly excused: ReadonlySet<string> };

const markBytes = 8;

/** The marks of a shard as bytes, sorted, each once. */
export function writeMarks(marks: BigUint64Array): Uint8Array {
  const sorted = marks.slice().sort();
  const bytes = new Uint8Array(sorted.length * markBytes);
  const view = new DataView(bytes.buffer);
  let length = 0;
  for (const [index, mark] of sorted.entries()) {
    if (index > 0 && mark === sorted[index - 1]) continue;
    view.setBigUint64(length, mark);
    length += markBytes;
  }
  return bytes.subarray(0, length);
}

/** How many names a shard has. */
export const countMarks = (marks: Uint8Array): number => marks.length / markBytes;

/** How many names a list has. @param marks those of each shard */
export const countNames = (marks: readonly Uint8Array[]): number => marks.reduce((sum, one) => sum + countMarks(one), 0);

function hasMark(marks: Uint8Array, wanted: bigint): boolean {
  const view = new DataView(marks.buffer, marks.byteOffset, marks.byteLength);
  let [from, to] = [0, countMarks(marks)];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const mark = view.getBigUint64(middle * markBytes);
    if (mark === wanted) return true;
    if (mark < wanted) from = middle + 1;
    else to = middle;
  }
  return false;
}

/**
 * The name on the list that covers a host; undefined if none does, or if a more specific name is excused.
 *
 * @param shards those of `namesOnList(host)`, by their numbers. A missing one has no names.
 */
export function listedAs(host: string, shards: ReadonlyMap<number, ListedShard>): string | undefined {
  for (const name of namesOnList(host)) {
    const { shard, mark } = listedPlace(name);
    const found = shards.get(shard);
    if (found?.excused.has(name)) return undefined;
    if (found && hasMark(found.marks, mark)) return name;
  }
  return undefined;
}

export const listedError = () =>
  new RuleError(
    'destination_listed',
    'must not point to a host that is on a list of harmful hosts: if that is a mistake, the operator of this service can excuse it',
  );
