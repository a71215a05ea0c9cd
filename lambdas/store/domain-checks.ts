import type { Domain } from '../domain/domain.ts';
import { newRequestToken } from '../domain/ids.ts';
import { toDomain } from './domains.ts';
import type { Item } from './table/client.ts';
import { failedCondition, is, isAbsent } from './table/conditions.ts';
import { flag, maybeText, text } from './table/fields.ts';
import { checkRoundKey, domainChecksIndex, domainKey, type Key } from './table/keys.ts';
import { getItem, getItems, query } from './table/reads.ts';
import { putItem } from './table/writes.ts';

/** A round of checks: each domain whose ownership is proven, by name. */
export type Round = {
  /** In ISO 8601. */
  readonly startedAt: string;
  /** The host up to which all are checked. */
  readonly after: string | undefined;
  /** Of the position that was saved last: whoever saves the next one must have begun there. */
  readonly token: string | undefined;
};

/** A round as its item has it. */
type SavedRound = Round & { readonly token: string; readonly isDone: boolean };

const toSavedRound = (item: Item): SavedRound => ({
  startedAt: text(item, 'startedAt'),
  after: maybeText(item, 'after'),
  token: text(item, 'token'),
  isDone: flag(item, 'isDone'),
});

const savedRoundItem = (round: SavedRound): Key & Item => ({ ...checkRoundKey, ...round });

/** How long after a round the next one begins, in milliseconds: a day, less what the schedule may come early. */
const betweenRounds = 23.5 * 60 * 60 * 1_000;

/** How many domains are read at a time. */
const pageSize = 100;

/**
 * The round that is under way, or a new one, which is not written down yet. Undefined if the last one is done and began within the last
 * day. One read.
 *
 * A round that takes longer than a day is ended before the next one begins: else those at the end would never be checked. A round that began
 * in the future was begun by a clock that was wrong, and counts for nothing once it is done.
 */
export async function currentRound(now = Date.now()): Promise<Round | undefined> {
  const item = await getItem(checkRoundKey);
  const startedAt = new Date(now).toISOString();
  if (!item) return { startedAt, after: undefined, token: undefined };
  const { isDone, ...saved } = toSavedRound(item);
  if (!isDone) return saved;
  const age = Math.abs(now - Date.parse(saved.startedAt));
  return age < betweenRounds ? undefined : { startedAt, after: undefined, token: saved.token };
}

/** The next domains of a round: their hosts, and what each is now, if it is still one. `isLast` says that none follow. */
export async function nextDomains({ after }: Round): Promise<{
  hosts: string[];
  domains: (Domain | undefined)[];
  isLast: boolean;
}> {
  const entries = await Array.fromAsync(query({ gsi1pk: domainChecksIndex, after }, { limit: pageSize }));
  const hosts = entries.map((entry) => text(entry, 'gsi1sk'));
  const items = await getItems(hosts.map(domainKey));
  return { hosts, domains: items.map((item) => item && toDomain(item)), isLast: hosts.length < pageSize };
}

/**
 * Saves how far a round has come, and gives it as it then is. Undefined if another run has saved its own position since this round was
 * read: that run goes on, and what both have checked was checked twice.
 *
 * @param after the host up to which all are checked.
 */
export async function saveRound(round: Round, after: string | undefined, isDone: boolean): Promise<Round | undefined> {
  const saved = { startedAt: round.startedAt, after, token: newRequestToken() };
  const write = putItem(savedRoundItem({ ...saved, isDone }), round.token === undefined ? isAbsent : is('token', round.token));
  const failed = await failedCondition(write);
  // It may have been saved by this very write, whose answer was lost.
  return failed && failed.items[0]?.token !== saved.token ? undefined : saved;
}
