import { countNames, listedAs, listedPlace, listedShards } from '../core/host/listed-hosts.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { toShard } from '../store/hosts/listed.ts';
import { commit } from '../store/table/commit.ts';
import { any, is, lacks, minus, plus, set } from '../store/table/expressions.ts';
import { maybeText, number } from '../store/table/fields.ts';
import { blocklistKey, listedKey } from '../store/table/keys.ts';
import { getItem, getItems } from '../store/table/reads.ts';
import { overtaken, retrying } from '../store/table/retrying.ts';
import { updating } from '../store/table/writes.ts';
import { inCopies } from './blocked-hosts.ts';

/** How many shards are written at a time. */
const atOnce = 16;

/**
 * Reads the whole list at once: some 8 MB if it has a million names.
 *
 * @returns a function that returns the name on the list that covers a host; undefined if none does.
 */
export async function readWholeList(): Promise<(host: string) => string | undefined> {
  const items = await getItems(allShards.map(listedKey));
  const shards = new Map(items.map((item, shard) => [shard, toShard(item)] as const));
  return (host) => listedAs(host, shards);
}

/** The state of the list. @property names how many it has @property updatedAt when it was last replaced, in ISO 8601 */
export type ListState = { readonly names: number; readonly updatedAt: string | null; readonly excused: readonly string[] };

export async function getListState(): Promise<ListState> {
  const [item = {}, ...shards] = await getItems([blocklistKey, ...allShards.map(listedKey)]);
  const excused = shards.flatMap((shard) => [...toShard(shard).excused]);
  return { names: number(item, 'listed', 0), updatedAt: maybeText(item, 'listedAt') ?? null, excused: excused.sort() };
}

const allShards = Array.from({ length: listedShards }, (_, shard) => shard);

/**
 * Replaces the list. If it dies midway, some shards are new and the others old: run it again. Excused names stay
 * excused.
 *
 * Each edition of the list has a number, which its shards record. An edition cannot overwrite shards of a later one,
 * nor the number of names once a later one has begun. So in the end, all of them are from the same edition.
 *
 * @param marks of each shard, as `writeMarks` makes them. None at all removes the list.
 * @param now in milliseconds since 1970.
 * @returns how many names the list then has; undefined if a later edition has begun, which wins.
 */
export async function replaceList(marks: readonly Uint8Array[], now: number): Promise<number | undefined> {
  const names = countNames(marks);
  const edition = await retrying(beginEdition);
  // Functions read shards only if the list has names. So the number becomes 0 before the shards are emptied, and is
  // otherwise written after them.
  if (names === 0 && !(await sayHowMany(0, now, edition))) return undefined;
  const isNewest = { text: '#edition <= :edition', values: { ':edition': edition } };
  const written = await inParallel(allShards, atOnce, async (shard) => {
    const update = set({ marks: marks[shard] ?? new Uint8Array(), edition });
    return commit({ shard: updating(listedKey(shard), update, any(lacks('edition'), isNewest)) });
  });
  if (written.some(({ failed }) => failed)) return undefined;
  return names === 0 || (await sayHowMany(names, now, edition)) ? names : undefined;
}

/** Takes the number of the next edition. */
async function beginEdition(): Promise<number | typeof overtaken> {
  const { edition: last } = (await getItem(blocklistKey)) ?? {};
  const next = Number(last ?? 0) + 1;
  const isAsRead = last === undefined ? lacks('edition') : is('edition', last);
  const { failed } = await commit({ list: updating(blocklistKey, set({ edition: next }), isAsRead) });
  return failed ? overtaken : next;
}

/**
 * Writes the number of names where every function that accepts destinations reads it.
 *
 * @returns false if another edition has begun.
 */
async function sayHowMany(names: number, now: number, edition: number): Promise<boolean> {
  const update = set({ listed: names, listedAt: new Date(now).toISOString() });
  const isNewest = is('edition', edition);
  const { failed } = await commit({ list: updating(blocklistKey, update, isNewest), ...inCopies(update) });
  return !failed;
}

/** Excuses a name: it may be a destination, and so may its subdomains that are not on the list themselves. */
export const excuseName = (name: string): Promise<void> => changeExcused(plus, name);

/** Stops excusing a name; no-op if it isn't excused. */
export const unexcuseName = (name: string): Promise<void> => changeExcused(minus, name);

async function changeExcused(change: typeof plus | typeof minus, name: string): Promise<void> {
  await commit({ shard: updating(listedKey(listedPlace(name).shard), set({ excused: change(new Set([name])) })) });
}
