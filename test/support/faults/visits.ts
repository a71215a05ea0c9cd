import { expect } from 'vitest';
import { nothingKnown } from '../../../lambdas/core/click/click.ts';
import { newClick } from '../../../lambdas/core/click/new-click.ts';
import { rowsOfText } from '../../../lambdas/core/click/row.ts';
import type { DomainSettings } from '../../../lambdas/core/domain/domain.ts';
import type { Link } from '../../../lambdas/core/link/link.ts';
import { guesserName, sharedLimit, visitorLimit, visitorName } from '../../../lambdas/core/visit/password-guesses.ts';
import { clickItem, clickMessage } from '../../../lambdas/store/clicks/clicks.ts';
import type { CountedClick } from '../../../lambdas/store/clicks/counts.ts';
import type { DomainFiles } from '../../../lambdas/store/domains/files.ts';
import type { LinkEdits } from '../../../lambdas/store/links/changes.ts';
import { attemptsKey, countKey, type Key, tailEntryKey } from '../../../lambdas/store/table/keys.ts';
import { deliverWaiting } from '../clicks/waiting-queue.ts';
import { contextWith } from '../http/invoke.ts';
import { clicksOf } from '../store/store.ts';
import { countClicks as countInCounter } from '../things/counting.ts';
import { cheapHash } from '../things/password.ts';
import { placed } from '../things/placed-click.ts';
import { startVisits, type VisitOptions, visitEvent, visitorIp } from '../things/visit.ts';
import { lostAnswer } from './lost-answer.ts';
import { overtaken } from './overtaken.ts';
import {
  type Answer,
  answerOf,
  batchGet,
  get,
  linkWithTags,
  plenty,
  put,
  remove,
  type Scenarios,
  setCaps,
  store,
  update,
} from './scenario.ts';

/** Creates a link on its own domain, and returns how to visit it with a function that has just started. */
async function linkToVisit(changes: LinkEdits) {
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = await store.updateLink(found, changes);
  const visit = await startVisits();
  const open = async (
    budget: number,
    more: Pick<VisitOptions, 'headers' | 'method'> & { readonly path?: string } = {},
  ): Promise<Answer> => {
    const response = await visit({ host: workspace.domain.host, path: `/${link.shortCode}`, budget, ...more });
    return { status: Number(response.statusCode), headers: response.headers };
  };
  const openBehind = (budget: number) => open(budget, { path: `/${link.shortCode}/more/path` });
  const clicks = () => clicksOf(link.id);
  return { open, openBehind, link, clicks, remove: () => store.deleteLink({ link, clickCount: 0 }), workspaceId: workspace.id };
}

/** A link with a cap of 5 to visit. Somebody else claims a visit too. Clicks are recorded only after the claim. */
async function cappedLinkToVisit() {
  const found = await linkToVisit({ maxClicks: 5 });
  const { link, clicks } = found;
  return {
    ...found,
    check: async () => {
      // A visit that gets no response may have claimed a visit too.
      const used = await store.usedOf(link);
      expect([1, 2]).toContain(used);
      expect([1, 2]).toContain(await clicks());
      expect(await clicks()).toBeLessThanOrEqual(Number(used));
    },
  };
}

/** A link, and how visitors report it. @returns also how many have, in the reports that are open */
async function linkToReport() {
  const { link } = await linkToVisit({});
  const { host, path } = { host: link.domain, path: '/+report' };
  const send = async (visitor: string, budget = plenty, address = `/${link.shortCode}`): Promise<Answer> => {
    // A module with another address is loaded anew, and remembers nothing.
    const fresh = `../../../lambdas/redirect/reporting.ts?started=${++addresses}`;
    const { answerReport } = await import(fresh);
    const body = new URLSearchParams({ address, reason: 'spam', form: visitor.repeat(16) }).toString();
    const { statusCode, headers } = await answerReport(visitEvent({ host, path, method: 'POST', body }), contextWith(budget));
    return { status: Number(statusCode), headers };
  };
  const { listReports } = await import('../../../lambdas/operator/reports.ts');
  const statements = async () =>
    (await listReports('open', Date.now())).reduce((sum, one) => sum + (one.linkId === link.id ? one.statements.length : 0), 0);
  return { send, statements };
}
let addresses = 0;

/** The number of a visitor's attempts at a link's password. */
async function attemptsOf(link: Link, sourceIp = visitorIp): Promise<number> {
  const item = await store.getItem(attemptsKey(link.id, visitorName(link, sourceIp)));
  return (item?.marks as Set<string> | undefined)?.size ?? 0;
}

/** Uses up a limit of attempts. @param name of whoever shares it */
async function useUp(link: Link, name: string, limit: number): Promise<void> {
  const marks = new Set(Array.from({ length: limit }, (_, index) => `${Date.now().toString(36)}.${index}`));
  await store.putItem({ ...attemptsKey(link.id, name), marks });
}

/** A link with a password to visit. Somebody else behind the same address guesses it too. */
async function protectedLinkToVisit() {
  const found = await linkToVisit({ passwordHash: right });
  const guess = (sourceIp = visitorIp) => store.takeGuess(found.link, sourceIp, Date.now());
  return { ...found, guess };
}

/** Counts a batch of clicks, as the stream delivers it. */
async function countClicks(records: readonly object[], budget: number): Promise<Answer> {
  const { handler } = await import('../../../lambdas/events/count-clicks.ts');
  const Records = records.map((dynamodb) => ({ dynamodb: { ApproximateCreationDateTime: 1_900_000_000, ...dynamodb } }));
  try {
    await handler({ Records, shardId: 'shardId-1' }, contextWith(budget));
    return { status: 200 };
  } catch {
    // The batch is delivered again.
    return { status: 503, headers: { 'Retry-After': '1' } };
  }
}

/** The keys of a click in a record of the stream. */
const keysOfClick = (linkId: string, id = '1') => ({
  pk: { S: `CLICK#${linkId}#7` },
  sk: { S: `2030-01-02T03:04:05.678Z#${id}` },
});

/** The rows of a workspace's clicks, each once, by their ids. */
async function rowsOf(workspaceId: string): Promise<string[]> {
  const { readTail } = await import('../../../lambdas/store/clicks/tail.ts');
  const pieces = await Array.fromAsync(readTail(workspaceId));
  return [...new Set(pieces.flatMap(({ text }) => rowsOfText(text).map(({ id }) => id)))].sort();
}

const right = cheapHash('right');

let hosts = 0;

/** Places in the stream are unique, because the key of a failure is made of its place. */
let records = 100;

/** Adds clicks to a link's counter only. */
async function countIn(id: string, clicks: readonly CountedClick[], budget: number, shardId = 'shardId-1'): Promise<Answer> {
  return answerOf(budget, () => countInCounter(id, shardId, clicks));
}

/** A link with two clicks in each of ten shards. One that comes an hour later makes their marks idle. */
async function linkWithIdleMarks() {
  const { workspaceId, id } = await linkWithTags();
  const at = 1_900_000_000;
  // The shards of another run have other checkpoints.
  const shards = Array.from({ length: 10 }, (_, shard) => `${id}-${shard}`);
  for (const number of [9, 10]) {
    for (const shardId of shards) await countIn(id, [placed(number, at)], plenty, shardId);
  }
  const clickCount = async () => (await store.getLink(workspaceId, id))?.clickCount;
  return { id, at, later: at + 60 * 60, shards, clickCount };
}

/** Visits. */
const redirects: Scenarios = {
  'redirect: an open link': {
    calls: [get, get, get, put],
    succeeds: 302,
    forgivenFrom: 3,
    arrange: async () => {
      const { open, link, clicks, remove } = await linkToVisit({});
      return {
        act: open,
        check: async () => expect(await clicks()).toBeGreaterThanOrEqual(1),
        // The owner deletes the link. A click that is written again is still the same click.
        meanwhile: remove,
        checkBoth: async ({ status }) => {
          expect([status, await clicks()]).toEqual([302, 1]);
          expect(await store.getItem(countKey(link.id))).toHaveProperty('ttl');
        },
      };
    },
  },
  'redirect: a path behind a slug': {
    calls: [get, get, get, batchGet, put],
    succeeds: 302,
    forgivenFrom: 4,
    arrange: async () => {
      const { openBehind, clicks, remove } = await linkToVisit({ forwardPath: true });
      return {
        act: openBehind,
        check: async () => expect(await clicks()).toBeGreaterThanOrEqual(1),
        meanwhile: remove,
        checkBoth: async ({ status }: Answer) => expect([status, await clicks()]).toEqual([302, 1]),
      };
    },
  },
  'redirect: a path behind a slug that the link got later': {
    calls: [get, get, get, batchGet, batchGet, put],
    succeeds: 302,
    forgivenFrom: 5,
    arrange: async () => {
      const { openBehind, clicks, remove } = await linkToVisit({ forwardPath: true, customSlug: `later-${Date.now()}` });
      return {
        act: openBehind,
        check: async () => expect(await clicks()).toBeGreaterThanOrEqual(1),
        meanwhile: remove,
        checkBoth: async ({ status }: Answer) => expect([status, await clicks()]).toEqual([302, 1]),
      };
    },
  },
  'redirect: a report of a link': {
    calls: [get, update, get, update, update],
    settles: 4,
    arrange: async () => {
      const { send, statements } = await linkToReport();
      return {
        act: (budget) => send('A', budget),
        check: async () => expect(await statements()).toBe(1),
        // Another visitor reports the link.
        meanwhile: () => send('B'),
        checkBoth: async ({ status }) => expect([status, await statements()]).toEqual([200, 2]),
      };
    },
  },
  'redirect: a report of a link that is not there': {
    calls: [get, update, get, update, update],
    // No condition holds, so no write is executed, and none loses its response.
    settles: 3,
    arrange: async () => {
      const { send, statements } = await linkToReport();
      return {
        act: (budget) => send('A', budget, '/unknown'),
        check: async () => expect(await statements()).toBe(0),
        meanwhile: () => send('B'),
        checkBoth: async ({ status }) => expect([status, await statements()]).toEqual([200, 1]),
      };
    },
  },
  'redirect: a capped link': {
    calls: [get, get, get, get, update, get, put],
    succeeds: 302,
    forgivenFrom: 6,
    arrange: async () => {
      const { open, link, clicks, check } = await cappedLinkToVisit();
      return {
        act: open,
        check,
        // Another visitor claims a visit.
        meanwhile: () => store.claimVisit(link),
        checkBoth: async ({ status }) => expect([status, await store.usedOf(link), await clicks()]).toEqual([302, 2, 1]),
      };
    },
  },
  'redirect: the last visit of a capped link': {
    calls: [get, get, get, get, update, get, put],
    succeeds: 302,
    forgivenFrom: 6,
    // A visitor who got no response may have used it up.
    repeated: [410],
    decisive: 4,
    arrange: async () => {
      const { open, link, clicks } = await linkToVisit({ maxClicks: 1 });
      let isTheirs = false;
      return {
        act: open,
        check: async () => expect(await store.usedOf(link)).toBe(1),
        meanwhile: async () => {
          isTheirs = (await store.claimVisit(link)).isClaimed;
        },
        checkBoth: async ({ status }) =>
          expect([status, await store.usedOf(link), await clicks()]).toEqual(isTheirs ? [410, 1, 0] : [302, 1, 1]),
      };
    },
  },
  'redirect: a capped link whose cap is set anew before it is read': {
    calls: [get, get, get, get, get, update, get, put],
    succeeds: 302,
    forgivenFrom: 7,
    arrange: async () => {
      const { open, link, workspaceId, clicks, check } = await cappedLinkToVisit();
      const setAnew = () => setCaps(workspaceId, [link.id], [null, 5]);
      return {
        act: (budget) => overtaken(setAnew, () => open(budget), { command: get, partition: 'CAP#' }),
        check,
        // It is removed: the claim is lost, and the visitor passes without one.
        meanwhile: () => setCaps(workspaceId, [link.id], [null]),
        checkBoth: async ({ status }) => {
          expect([status, await clicks()]).toEqual([302, 1]);
          expect(await store.usedOf(link)).toBeLessThanOrEqual(1);
        },
      };
    },
  },
  'redirect: a capped link whose claim was made unheard': {
    calls: [get, get, get, get, update, get, get, put],
    succeeds: 302,
    forgivenFrom: 7,
    arrange: async () => {
      const { open, link, workspaceId, clicks, check } = await cappedLinkToVisit();
      return {
        act: (budget) => lostAnswer('done', { work: () => open(budget), other: async () => {} }),
        check,
        // The cap becomes smaller than the number of others' visits, but not than this visit's claim.
        meanwhile: async () => {
          await store.claimVisit(link);
          await setCaps(workspaceId, [link.id], [2]);
        },
        checkBoth: async ({ status }) => expect([status, await store.usedOf(link), await clicks()]).toEqual([302, 2, 1]),
      };
    },
  },
  'redirect: a capped link, only its headers': {
    calls: [get, get, get, get],
    arrange: async () => {
      const { open, link } = await cappedLinkToVisit();
      return {
        act: (budget) => open(budget, { method: 'HEAD' }),
        check: async () => expect(await store.usedOf(link)).toBe(0),
      };
    },
  },
  'redirect: a capped link that is used up': {
    calls: [get, get, get, get],
    succeeds: 410,
    arrange: async () => {
      const { open, link } = await linkToVisit({ maxClicks: 1 });
      await store.claimVisit(link);
      return { act: open, check: async () => expect(await store.usedOf(link)).toBe(1) };
    },
  },
  'redirect: a wrong password': {
    calls: [get, get, get, update, update],
    succeeds: 401,
    arrange: async () => {
      const { open, link, clicks, guess } = await protectedLinkToVisit();
      return {
        act: (budget) => open(budget, { headers: { 'link-password': 'wrong' } }),
        check: async () => expect(await clicks()).toBe(0),
        meanwhile: guess,
        checkBoth: async ({ status }) => expect([status, await clicks(), await attemptsOf(link)]).toEqual([401, 0, 2]),
      };
    },
  },
  'redirect: the right password': {
    calls: [get, get, get, update, update, update, update, put],
    succeeds: 302,
    forgivenFrom: 5,
    arrange: async () => {
      const { open, link, clicks, guess } = await protectedLinkToVisit();
      return {
        act: (budget) => open(budget, { headers: { 'link-password': 'right' } }),
        check: async () => expect(await clicks()).toBeGreaterThanOrEqual(1),
        // Only the other's attempt stays.
        meanwhile: guess,
        checkBoth: async ({ status }) => expect([status, await clicks(), await attemptsOf(link)]).toEqual([302, 1, 1]),
      };
    },
  },
  'redirect: a password when the visitor has no attempt left': {
    calls: [get, get, get, update],
    succeeds: 429,
    settles: true,
    arrange: async () => {
      const { open, link, clicks, guess } = await protectedLinkToVisit();
      await useUp(link, visitorName(link, visitorIp), visitorLimit.quota);
      const check = async () => expect([await clicks(), await attemptsOf(link)]).toEqual([0, visitorLimit.quota]);
      return {
        act: (budget) => open(budget, { headers: { 'link-password': 'right' } }),
        check,
        meanwhile: guess,
        checkBoth: async ({ status }) => {
          expect(status).toBe(429);
          await check();
        },
      };
    },
  },
  'redirect: a password when all visitors together have no attempt left': {
    calls: [get, get, get, update, update, update],
    succeeds: 429,
    arrange: async () => {
      const { open, link, clicks, guess } = await protectedLinkToVisit();
      for (const number of [1, 2]) await useUp(link, guesserName(link, `GUESS ${number}`), sharedLimit(number).quota);
      return {
        act: (budget) => open(budget, { headers: { 'link-password': 'right' } }),
        // An attempt without a response may be counted as the visitor's first.
        check: async () => {
          expect(await clicks()).toBe(0);
          expect([0, 1]).toContain(await attemptsOf(link));
        },
        // Another visitor is refused as well, and keeps no guess either.
        meanwhile: () => guess('203.0.113.1'),
        checkBoth: async ({ status }) => {
          expect(status).toBe(429);
          expect([await clicks(), await attemptsOf(link), await attemptsOf(link, '203.0.113.1')]).toEqual([0, 0, 0]);
        },
      };
    },
  },
  'redirect: a slug that is not the first one of its link': {
    calls: [get, get, get, get, put],
    succeeds: 302,
    forgivenFrom: 4,
    arrange: async () => {
      const { open, link, clicks, remove } = await linkToVisit({ customSlug: 'Another' });
      return {
        act: open,
        check: async () => expect(await clicks()).toBeGreaterThanOrEqual(1),
        meanwhile: remove,
        checkBoth: async ({ status }) => {
          expect([status, await clicks()]).toEqual([302, 1]);
          expect(await store.getItem(countKey(link.id))).toHaveProperty('ttl');
        },
      };
    },
  },
  'redirect: a path that is no link, if the domain has a page for it': {
    calls: [get, get],
    succeeds: 302,
    arrange: async () => {
      const { domain } = await store.newWorkspace();
      const rootUrl = 'https://www.example.com/';
      await store.updateDomain(domain, { rootUrl }, { isExact: false });
      const visit = await startVisits();
      return {
        act: async (budget) => {
          const { statusCode, headers } = await visit({ host: domain.host, path: '/', budget });
          if (statusCode === 302) expect(headers.Location).toBe(rootUrl);
          return { status: Number(statusCode), headers };
        },
        check: async () => {},
      };
    },
  },
  'redirect: a file for apps': {
    calls: [get, get],
    arrange: () => onDomainWith({ assetLinks: 'sha256:x' }, { assetLinks: '[]' }, '/.well-known/assetlinks.json'),
  },
  'redirect: a page with a logo': {
    calls: [get, get],
    succeeds: 404,
    // The page is shown without it.
    forgivenFrom: 1,
    arrange: () => onDomainWith({ logoUrl: 'https://www.example.com/' }, { logo: 'data:image/png;base64,AA' }, '/'),
  },
  'redirect: a blocked destination': {
    calls: [get, get, get],
    succeeds: 404,
    arrange: async () => {
      const host = `host${++hosts}.evil.example`;
      const { open, clicks } = await linkToVisit({ url: `https://www.${host}/` });
      await store.blockHost(host);
      return { act: open, check: async () => expect(await clicks()).toBe(0) };
    },
  },
};

/** A batch of clicks. Somebody else counts the same batch: Lambda may deliver it twice at once. */
function counting(count: (budget: number) => Promise<Answer>, check: () => Promise<void>) {
  return {
    act: count,
    check,
    meanwhile: () => count(plenty),
    checkBoth: async ({ status }: Answer) => {
      expect(status).toBe(200);
      await check();
    },
  };
}

/** The notes of clicks that could not be counted. */
async function failures() {
  const keys = await Array.fromAsync(store.query({ gsi1pk: 'FAILURES' }));
  return store.getItems(keys as never);
}

/** The counting of clicks. */
const counts: Scenarios = {
  'count-clicks: a batch': {
    // After the items are read, the rows are written into the workspace's tail, and its entry is updated.
    calls: [batchGet, put, update, update],
    settles: 3,
    arrange: async () => {
      const { workspaceId, id } = await linkWithTags();
      const NewImage = { workspaceId: { S: workspaceId }, host: { S: 'go.example.com' } };
      const records = ['9', '10'].map((SequenceNumber) => ({ Keys: keysOfClick(id, SequenceNumber), NewImage, SequenceNumber }));
      return counting(
        (budget) => countClicks(records, budget),
        async () => {
          expect((await store.getLink(workspaceId, id))?.clickCount).toBe(2);
          expect(await rowsOf(workspaceId)).toEqual(['10', '9']);
          expect(await store.getItem(tailEntryKey(workspaceId))).toMatchObject({ since: '2030-01-02T03:04:05.678Z' });
        },
      );
    },
  },
  'count-clicks: a batch of a link that is deleted meanwhile': {
    calls: [batchGet, update],
    settles: true,
    arrange: async () => {
      const { workspaceId, id } = await linkWithTags();
      const found = await store.getLink(workspaceId, id);
      if (!found) throw new Error('no link');
      const count = (budget: number) => countIn(id, [placed(9)], budget);
      return {
        act: count,
        check: async () => expect((await store.getLink(workspaceId, id))?.clickCount).toBe(1),
        meanwhile: () => store.deleteLink(found),
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          expect(await store.getItem(countKey(id))).toEqual({ ...countKey(id), ttl: expect.any(Number) });
        },
      };
    },
  },
  'count-clicks: a batch of a deleted link': {
    calls: [batchGet],
    arrange: async () => {
      const { workspaceId, id } = await linkWithTags();
      const found = await store.getLink(workspaceId, id);
      if (found) await store.deleteLink(found);
      return {
        act: (budget) => countIn(id, [placed(9)], budget),
        check: async () => expect(await store.getItem(countKey(id))).toEqual({ ...countKey(id), ttl: expect.any(Number) }),
      };
    },
  },
  'count-clicks: a batch that finds idle marks': {
    // It counts, writes the checkpoint of its shard, reads those of the others, and removes their marks.
    calls: [batchGet, update, update, batchGet, update],
    settles: true,
    forgivenFrom: 2,
    arrange: async () => {
      const { id, later, clickCount } = await linkWithIdleMarks();
      return counting(
        (budget) => countIn(id, [placed(10, later)], budget, `${id}-later`),
        async () => expect(await clickCount()).toBe(21),
      );
    },
  },
  'count-clicks: a batch that comes after its mark was removed': {
    calls: [batchGet, get, update],
    settles: true,
    arrange: async () => {
      const { id, at, later, shards, clickCount } = await linkWithIdleMarks();
      await countIn(id, [placed(10, later)], plenty, `${id}-later`);
      return counting(
        (budget) => countIn(id, [placed(10, at), placed(11, at)], budget, shards[3]),
        async () => expect(await clickCount()).toBe(22),
      );
    },
  },
  'count-clicks: clicks that cannot be counted': {
    calls: [batchGet, put, update, put],
    arrange: async () => {
      const { workspaceId, id } = await linkWithTags();
      const record = {
        Keys: keysOfClick(id),
        NewImage: { workspaceId: { S: workspaceId }, host: { S: 'go.example.com' } },
        SequenceNumber: String(++records),
      };
      // Its row is there, and the counter has become invalid.
      await countClicks([record], plenty);
      await store.putItem({ ...countKey(id), count: 'many' });
      return counting(
        (budget) => countClicks([record], budget),
        async () =>
          expect(
            (await failures()).filter((failure) => (failure?.counts as Key | undefined)?.pk === countKey(id).pk),
          ).toHaveLength(1),
      );
    },
  },
  'count-clicks: a click that was erased before it was counted': {
    calls: [batchGet, put, update, remove],
    arrange: async () => {
      const { workspaceId, id } = await linkWithTags();
      await store.eraseClicks({ id, workspaceId, clickEpoch: 0 });
      await store.erasePage(id);
      const late = newClick(
        { id, workspaceId, domain: 'go.example.com', clickEpoch: 0 },
        Date.parse('2030-01-02T03:04:05.678Z'),
        nothingKnown,
      );
      const item = clickItem(late);
      await store.putItem(item);
      const NewImage = { workspaceId: { S: workspaceId }, host: { S: 'go.example.com' } };
      const record = { Keys: { pk: { S: item.pk }, sk: { S: item.sk } }, NewImage, SequenceNumber: '9' };
      return counting(
        (budget) => countClicks([record], budget),
        async () => {
          expect(await store.getItem(item)).toBeUndefined();
          expect((await store.getLink(workspaceId, id))?.clickCount).toBe(0);
        },
      );
    },
  },
  'count-clicks: a click that cannot be read': {
    calls: [put],
    arrange: async () => {
      const { id } = await linkWithTags();
      const SequenceNumber = String(++records);
      const Keys = { pk: { S: `CLICK#not-${id}` }, sk: { S: 'malformed' } };
      return counting(
        (budget) => countClicks([{ Keys, SequenceNumber }], budget),
        async () => expect((await failures()).filter((failure) => failure?.itemPk === Keys.pk.S)).toHaveLength(1),
      );
    },
  },
};

/** A visit of a path on a domain with a file. */
async function onDomainWith(settings: Partial<DomainSettings>, files: DomainFiles, path: string) {
  const { domain } = await store.newWorkspace();
  await store.updateDomain(domain, settings, { files, isExact: false });
  const visit = await startVisits();
  return {
    act: async (budget: number) => {
      const { statusCode, headers } = await visit({ host: domain.host, path, budget });
      return { status: Number(statusCode), headers };
    },
    check: async () => {},
  };
}

/** Delivers a message of the queue of clicks, as long as it stays there. Another reader gets it, too. */
function waiting(message: () => string, check: () => Promise<void>) {
  const deliver = async (budget: number): Promise<Answer> => {
    const stays = await deliverWaiting([message()], budget);
    return stays.length === 0 ? { status: 200 } : { status: 503, headers: { 'Retry-After': '1' } };
  };
  return counting(deliver, check);
}

/** The recording of clicks that waited. */
const waits: Scenarios = {
  'record-waiting-clicks': {
    calls: [put],
    arrange: async () => {
      const { workspaceId, id } = await linkWithTags();
      const click = newClick({ id, workspaceId, domain: 'go.example.com', clickEpoch: 0 }, Date.now(), nothingKnown);
      return waiting(
        () => clickMessage(click),
        async () => expect(await clicksOf(id)).toBe(1),
      );
    },
  },
  'record-waiting-clicks: a message that is no click': {
    calls: [put],
    arrange: async () => {
      const message = `poison ${++records}`;
      return waiting(
        () => message,
        // Messages of all runs have the same id here, and so the same item.
        async () => expect((await failures()).some((failure) => String(failure?.message).startsWith('poison '))).toBe(true),
      );
    },
  },
};

/** Visits, and the recording and counting of their clicks. */
export const visitScenarios: Scenarios = { ...redirects, ...counts, ...waits };
