import type { Item } from '../store/table/client.ts';
import { commit, type Writes } from '../store/table/commit.ts';
import { all, any, type Expression, has, lacks, minus, plus, set } from '../store/table/expressions.ts';
import { text } from '../store/table/fields.ts';
import { blocklistCopies, blocklistKey } from '../store/table/keys.ts';
import { getItem } from '../store/table/reads.ts';
import { checking, updating } from '../store/table/writes.ts';

/*
 * The blocked hosts are one item for the operator, with the time when each was blocked, and 16 copies of their names.
 * Each function reads a random copy. A transaction writes all of them, so they are always equal, except in a restored
 * table, which may have only a part of what was written in its last second; `blockHost` repairs that.
 */

/**
 * The most bytes that the operator's list may hold: about 4,000 hosts of usual length, and half of what DynamoDB allows
 * an item (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html). With its copies, it
 * stays below the 4 MB of a transaction
 * (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html). Every function that
 * serves visitors or accepts destinations reads a whole copy up to once every 50 seconds.
 */
const mostBytes = 200_000;

/** The bytes that a host takes in the operator's list: its name, and the time when it was blocked. */
const bytesOf = (host: string): number => host.length + 24;

/**
 * The item has an attribute for each host. Every host has a dot or a colon, so it cannot clash with other attributes.
 */
const toHosts = (item: Item = {}): ReadonlyMap<string, string> =>
  new Map(
    Object.keys(item)
      .filter((name) => /[.:]/.test(name))
      .map((host) => [host, text(item, host)]),
  );

/** The operator's list: the blocked hosts, each with the time it was blocked, in ISO 8601. */
export const getBlockedHosts = async (): Promise<ReadonlyMap<string, string>> => toHosts(await getItem(blocklistKey));

/**
 * Blocks a host and its subdomains. Concurrent blocks all take effect. It is a transaction so that its token makes it
 * idempotent: retried after a lost response, it does not block again what another operator has unblocked since.
 *
 * @returns when it was blocked, in ISO 8601; undefined if the list is full.
 */
export async function blockHost(host: string): Promise<string | undefined> {
  const names = { '#host': host };
  const blockedAt = new Date().toISOString();
  const block = updating(
    blocklistKey,
    { text: 'SET #host = :now ADD #bytes :size', values: { ':now': blockedAt, ':size': bytesOf(host) }, names },
    all(lacks('host'), any(lacks('bytes'), { text: '#bytes <= :room', values: { ':room': mostBytes - bytesOf(host) } })),
  );
  const copied = inCopies(set({ hosts: plus(new Set([host])) }));
  const { failed, items } = await commit({ block, ...copied });
  if (!failed) return blockedAt;
  const blockedBefore = toHosts(items.block).get(host);
  if (blockedBefore) await commit({ isBlocked: checking(blocklistKey, { ...has('host'), names }), ...copied });
  return blockedBefore;
}

/** Unblocks a host; no-op if it isn't blocked. It is a transaction for the same reason as the block. */
export async function unblockHost(host: string): Promise<void> {
  const unblock = updating(
    blocklistKey,
    { text: 'REMOVE #host ADD #bytes :size', values: { ':size': -bytesOf(host) }, names: { '#host': host } },
    has('host'),
  );
  await commit({ unblock, ...inCopies(set({ hosts: minus(new Set([host])) })) });
}

/** The writes of an update to all copies. */
export const inCopies = (update: Expression): Writes =>
  Object.fromEntries(blocklistCopies.map((copy) => [copy.pk + copy.sk, updating(copy, update)]));
