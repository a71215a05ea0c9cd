import { type ListedShard, listedAs, listedPlace, listedShards, namesOnList } from '../../core/host/listed-hosts.ts';
import type { Instant } from '../../runtime/instant.ts';
import { memory } from '../../runtime/memory.ts';
import type { Item } from '../table/client.ts';
import { bytes, textSet } from '../table/fields.ts';
import { listedKey } from '../table/keys.ts';
import { getItems } from '../table/reads.ts';
import { rememberedMs } from './blocklist.ts';

/*
 * The operator's list of harmful hosts. A shard is replaced atomically, so while the list is being replaced, or if that
 * stops midway, each shard is from one of two good lists. The item of the blocked hosts, and its copies, say how many
 * names there are: without any, no function reads a shard.
 */

/** A shard as its item says. */
export const toShard = (item: Item = {}): ListedShard => ({ marks: bytes(item, 'marks'), excused: textSet(item, 'excused') });

/**
 * Creates a function's lookup in the list: which hosts are on it, each with the name on the list that covers it. One
 * call per 100 shards, of which a host has one to five. A shard is cached for 50 seconds, so that a client that sends
 * many hosts cannot use up what the table can read: each shard takes up to 8 read units. All of them are 8 MB.
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
