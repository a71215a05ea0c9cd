import type { Domain } from '../../core/domain/domain.ts';
import { newRequestToken } from '../../core/ids.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import type { Item } from '../table/client.ts';
import { failedCondition, is, isAbsent } from '../table/conditions.ts';
import { flag, maybeText, text } from '../table/fields.ts';
import { checkRoundKey, domainChecksIndex, domainKey, type Key, toKey, workspaceKey } from '../table/keys.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { putItem } from '../table/writes.ts';
import { copyInterestTo, interestOf } from '../webhooks/interest.ts';
import { toDomain } from './domains.ts';

/** A round of checks of all proven domains, by name. */
export type Round = {
  /** In ISO 8601. */
  readonly startedAt: string;
  /** The last host that was checked; undefined at the start. */
  readonly after: string | undefined;
  /** Identifies the last saved position. The next one is only saved if this is still current. */
  readonly token: string | undefined;
};

/** A round as stored. */
type SavedRound = Round & { readonly token: string; readonly isDone: boolean };

const toSavedRound = (item: Item): SavedRound => ({
  startedAt: text(item, 'startedAt'),
  after: maybeText(item, 'after'),
  token: text(item, 'token'),
  isDone: flag(item, 'isDone'),
});

const savedRoundItem = (round: SavedRound): Key & Item => ({ ...checkRoundKey, ...round });

/**
 * How long after the start of a round the next one begins, in milliseconds: a day, less some tolerance for an early
 * schedule.
 */
const betweenRounds = 23.5 * 60 * 60 * 1_000;

const pageSize = 100;

/** How many domains to update at a time. */
const concurrentUpdates = 10;

/**
 * The unfinished round, or a new one, which is not saved yet. Undefined if the last one is finished and began less than
 * 23.5 hours ago. One read.
 *
 * A round that takes longer than a day is finished before the next one begins; otherwise the domains at the end would
 * never be checked. If a finished round began more than 23.5 hours in the future, by a wrong clock, it is ignored.
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

/**
 * The next domains of a round: their hosts, and each domain as it is now, undefined if it is gone. `isLast` says that
 * there are no more.
 *
 * It also copies the interest of workspaces to those of their domains that are behind: the function that changed a
 * webhook died, or did not find the domain in the index yet. The domains are read first, so that none counts as behind
 * that was only updated in between.
 */
export async function nextDomains({ after }: Round): Promise<{
  hosts: string[];
  domains: (Domain | undefined)[];
  isLast: boolean;
}> {
  const entries = await Array.fromAsync(query({ gsi1pk: domainChecksIndex, after }, { limit: pageSize }));
  const hosts = entries.map((entry) => text(entry, 'gsi1sk'));
  const items = await getItems(hosts.map(domainKey));
  await copyInterests(items.filter((item) => item !== undefined));
  return { hosts, domains: items.map((item) => item && toDomain(item)), isLast: hosts.length < pageSize };
}

/** Gives the domains what the webhooks of their workspaces need, if they are behind. */
async function copyInterests(items: readonly Item[]): Promise<void> {
  const owners = [...new Set(items.map((item) => text(item, 'workspaceId')))];
  const workspaces = await getItems(owners.map(workspaceKey));
  const interests = new Map(owners.map((id, index) => [id, interestOf(workspaces[index])]));
  await inParallel(items, concurrentUpdates, async (item) => {
    const workspaceId = text(item, 'workspaceId');
    await copyInterestTo(workspaceId, { ...item, ...toKey(item) }, interests.get(workspaceId) ?? interestOf(undefined));
  });
}

/**
 * Saves how far a round has come, and returns it as it then is. Undefined if another run has saved its own position
 * since this round was read: that run continues, and the domains that both have checked were checked twice.
 *
 * @param after the last host that was checked.
 */
export async function saveRound(round: Round, after: string | undefined, isDone: boolean): Promise<Round | undefined> {
  const saved = { startedAt: round.startedAt, after, token: newRequestToken() };
  const write = putItem(savedRoundItem({ ...saved, isDone }), round.token === undefined ? isAbsent : is('token', round.token));
  const failed = await failedCondition(write);
  // An earlier attempt of this write may have saved it and lost its response.
  return failed && failed.items[0]?.token !== saved.token ? undefined : saved;
}
