import { countNames, type ListedShard, listedAs, listedPlace, listedShards, namesOnList } from '../../core/host/listed-hosts.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import type { Instant } from '../../runtime/instant.ts';
import { memory } from '../../runtime/memory.ts';
import type { Item } from '../table/client.ts';
import { commit } from '../table/commit.ts';
import { any, is, lacks } from '../table/conditions.ts';
import { bytes, maybeText, number, textSet } from '../table/fields.ts';
import { blocklistCopies, blocklistKey, listedKey } from '../table/keys.ts';
import { getItem, getItems } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { minus, plus, set } from '../table/updates.ts';
import { updating } from '../table/writes.ts';
import { rememberedMs } from './blocklist.ts';

/*
 * The operator's list of harmful hosts. A shard is replaced at once, so a list that is replaced while links are created, or
 * only in part, is one of two good lists for each host. The item of the blocked hosts, and its copies, say how many names
 * there are: without any, no function reads a shard.
 */

/** How many shards are written at a time. */
const atOnce = 16;

const toShard = (item: Item = {}): ListedShard => ({ marks: bytes(item, 'marks'), excused: textSet(item, 'excused') });

/**
 * Creates a function's look at the list: which hosts are on it, each with the name on it that stands for the host. One call
 * per 100 shards, of which a host has one to five. A shard is cached for 50 seconds, so that a client that sends many
 * hosts cannot use up what the table can read: each shard takes up to 8 read units. All of them are 8 MB.
 */
export function listedMemory() {
  const remembered = memory<ListedShard>({ forMs: rememberedMs, most: listedShards });
  return async (hosts: readonly string[], now: Instant): Promise<ReadonlyMap<string, string>> => {
    const wanted = [...new Set(hosts.flatMap(namesOnList).map((name) => listedPlace(name).shard))];
    const shards = new Map<number, ListedShard>();
    for (const shard of wanted) {
      const known = remembered.get(String(shard), now);
      if (known) shards.set(shard, known.value);
    }
    const missing = wanted.filter((shard) => !shards.has(shard));
    const items = await getItems(missing.map(listedKey));
    for (const [index, shard] of missing.entries()) {
      const read = toShard(items[index]);
      remembered.set(String(shard), read, now);
      shards.set(shard, read);
    }
    return new Map(
      hosts.flatMap((host) => {
        const name = listedAs(host, shards);
        return name === undefined ? [] : [[host, name] as const];
      }),
    );
  };
}

/**
 * Reads the whole list at once: some 8 MB if it has a million names.
 *
 * @returns the name on the list that stands for a host; undefined if none does.
 */
export async function readWholeList(): Promise<(host: string) => string | undefined> {
  const items = await getItems(allShards.map(listedKey));
  const shards = new Map(items.map((item, shard) => [shard, toShard(item)] as const));
  return (host) => listedAs(host, shards);
}

/** The list as it is. @property names how many it has @property updatedAt when it was replaced as a whole, in ISO 8601 */
export type ListState = { readonly names: number; readonly updatedAt: string | null; readonly excused: readonly string[] };

export async function getListState(): Promise<ListState> {
  const [item = {}, ...shards] = await getItems([blocklistKey, ...allShards.map(listedKey)]);
  const excused = shards.flatMap((shard) => [...toShard(shard).excused]);
  return { names: number(item, 'listed', 0), updatedAt: maybeText(item, 'listedAt') ?? null, excused: excused.sort() };
}

const allShards = Array.from({ length: listedShards }, (_, shard) => shard);

/**
 * Replaces the list. If it ends on the way, some shards are new and the others are as before: run it again. Excused names
 * stay excused.
 *
 * Replacements have numbers, and so has each shard: that of its last one. Once another has begun, whatever an earlier one
 * still writes is refused, so the list and the number of its names are always those of one replacement in the end.
 *
 * @param marks of each shard, as `writeMarks` makes them. None at all removes the list.
 * @param now in milliseconds since 1970.
 * @returns how many names the list then has; undefined if another replacement has begun meanwhile, which decides.
 */
export async function replaceList(marks: readonly Uint8Array[], now: number): Promise<number | undefined> {
  const names = countNames(marks);
  const replacement = await retrying(beginReplacement);
  // Before the shards are empty, no function looks at them any more; before it does, they are full.
  if (names === 0 && !(await sayHowMany(0, now, replacement))) return undefined;
  const isNewest = { text: '#replacement <= :replacement', values: { ':replacement': replacement } };
  const written = await inParallel(allShards, atOnce, async (shard) => {
    const update = set({ marks: marks[shard] ?? new Uint8Array(), replacement });
    return commit({ shard: updating(listedKey(shard), update, any(lacks('replacement'), isNewest)) });
  });
  if (written.some(({ failed }) => failed)) return undefined;
  return names === 0 || (await sayHowMany(names, now, replacement)) ? names : undefined;
}

/** Takes the next number of a replacement. */
async function beginReplacement(): Promise<number | typeof overtaken> {
  const { replacement: last } = (await getItem(blocklistKey)) ?? {};
  const next = Number(last ?? 0) + 1;
  const isAsRead = last === undefined ? lacks('replacement') : is('replacement', last);
  const { failed } = await commit({ list: updating(blocklistKey, set({ replacement: next }), isAsRead) });
  return failed ? overtaken : next;
}

/**
 * Writes how many names there are, where every function that accepts destinations sees it.
 *
 * @returns false if another replacement has begun.
 */
async function sayHowMany(names: number, now: number, replacement: number): Promise<boolean> {
  const update = set({ listed: names, listedAt: new Date(now).toISOString() });
  const copies = Object.fromEntries(blocklistCopies.map((copy) => [copy.pk + copy.sk, updating(copy, update)]));
  const { failed } = await commit({ list: updating(blocklistKey, update, is('replacement', replacement)), ...copies });
  return !failed;
}

/** Excuses a name: it, and its subdomains as far as they are not on the list themselves, may be destinations. */
export const excuseName = (name: string): Promise<void> => changeExcused(plus, name);

/** Excuses a name no longer; no-op if it isn't excused. */
export const unexcuseName = (name: string): Promise<void> => changeExcused(minus, name);

async function changeExcused(change: typeof plus | typeof minus, name: string): Promise<void> {
  await commit({ shard: updating(listedKey(listedPlace(name).shard), set({ excused: change(new Set([name])) })) });
}
