import { RequestError } from '../../../lambdas/core/errors.ts';
import { liftImports } from '../../../lambdas/operator/lifted-imports.ts';
import { withDeadline } from '../../../lambdas/runtime/deadline.ts';
import { updateLinks } from '../../../lambdas/store/links/bulk-changes.ts';
import { createLink } from '../../../lambdas/store/links/create.ts';
import { createLinks } from '../../../lambdas/store/links/imports.ts';
import { getLinks } from '../../../lambdas/store/links/links.ts';
import { createTag, getTags } from '../../../lambdas/store/tags/tags.ts';
import { newRun, newWorkspace } from '../support/fixtures.ts';
import { importAtPace, type PacedImports, withoutInserts } from './paced-imports.ts';
import { simulateTable, type Used } from './table.ts';
import { inSimulatedTime, type SimulatedTime } from './time.ts';

/** What programs do with one workspace, in a simulation. */
export type BusyWorkspace = {
  /** How many tags the workspace has, and how many of them each link gets: the next ones in turn. */
  readonly tags: number;
  readonly tagsPerLink: number;
  readonly work:
    | { readonly createsPerSecond: number; readonly seconds: number }
    /** This many imports of 1,000 links at once. */
    | { readonly imports: number }
    | PacedImports
    /** Updates this many links in bulk: each gets the next tags in place of its own. */
    | { readonly replaceTagsOf: number };
  /** The burst capacity of each partition, in milliseconds of its rate; the default is a second. */
  readonly burstMs?: number;
};

export type BusyWorkspaceResult = {
  /** Links that were created or changed, and those for which the time of their request was too short. */
  readonly done: number;
  readonly failed: number;
  /** How long requests took, in milliseconds: half of them, and the longest. */
  readonly median: number;
  readonly longest: number;
  readonly used: Used;
  /** The whole duration, in simulated seconds. */
  readonly seconds: number;
};

const url = 'https://example.org/';

/**
 * Simulates requests that change many links of one workspace. The functions' own code runs on the engine, with the
 * latency and the limits of DynamoDB. Each request has the time that a function has for its calls.
 */
export async function simulateBusyWorkspace({ tags, tagsPerLink, work, burstMs }: BusyWorkspace): Promise<BusyWorkspaceResult> {
  const { domain, workspaceId, host } = await newWorkspace();
  const tagIds: string[] = [];
  const nameOf = (number: number) => `Tag ${number}`;
  for (let number = 0; number < tags; number++) {
    tagIds.push((await createTag(workspaceId, { name: nameOf(number), color: '#123456' })).id);
  }
  let next = 0;
  const nextTags = () => Array.from({ length: tagsPerLink }, () => tagIds[next++ % tagIds.length] as string);
  const known = { byId: new Map((await getTags(workspaceId, tagIds)).map((tag) => [tag.id, tag])), idOf: new Map() };
  const newLinks = async (count: number, idsOf: () => string[]) => {
    const entries = Array.from({ length: count }, (_, index) => ({ index, url, tagIds: idsOf() }));
    const results = await createLinks(domain, entries, new Map(), newRun(new Date(Date.now())), { tags: known });
    return Object.values(results).flatMap((result) => ('id' in result ? [result.id] : []));
  };
  const before = nextTags();
  const linkIds = 'replaceTagsOf' in work ? await newLinks(work.replaceTagsOf, () => before) : [];
  if ('pacedImports' in work) {
    const until = Date.now() + 7 * 24 * 3_600_000;
    await liftImports(workspaceId, { perMinute: work.perMinute, until, gatewayKey: 'gateway-lifted' });
  }

  return inSimulatedTime(async (time) => {
    const start = time.now();
    const executeInserts = 'pacedImports' in work ? withoutInserts() : () => {};
    const { used, stop } = simulateTable(time, burstMs);
    const requests: number[] = [];
    let [done, failed] = [0, 0];
    /** Sends a request for this many links, which returns how many it changed. */
    const request = async (links: number, run: () => Promise<number>) => {
      const from = time.now();
      const count = await withDeadline(20_000, run).catch((error) => {
        if (!(error instanceof RequestError)) throw error;
        return 0;
      });
      requests.push(time.now() - from);
      done += count;
      failed += links - count;
    };
    const create = async () => {
      await createLink(domain, { url, tagIds: nextTags() }, newRun(new Date(time.now())));
      return 1;
    };
    const change = async () => {
      const found = (await getLinks(workspaceId, linkIds)).filter((link) => link !== undefined);
      const after = nextTags();
      const updates = found.map((one) => ({ found: one, changes: { tagIds: after } }));
      const results = await updateLinks(workspaceId, updates, { tagIds: after, tagPaths: [] });
      return results.filter((result) => result === undefined).length;
    };
    const silent = silence();
    try {
      if ('imports' in work) {
        await Promise.all(
          Array.from({ length: work.imports }, () => request(1_000, async () => (await newLinks(1_000, nextTags)).length)),
        );
      } else if ('pacedImports' in work) {
        const nextNames = () => Array.from({ length: tagsPerLink }, () => nameOf(next++ % tags));
        await importAtPace(time, { workspaceId, host }, work, nextNames, (send) => request(1_000, send));
      } else if ('replaceTagsOf' in work) await request(work.replaceTagsOf, change);
      else await steadily(time, work, () => request(1, create));
    } finally {
      silent.end();
      stop();
      executeInserts();
    }
    requests.sort((one, other) => one - other);
    const part = (share: number) => Math.round(requests[Math.ceil(requests.length * share) - 1] ?? 0);
    return { done, failed, median: part(0.5), longest: part(1), used, seconds: (time.now() - start) / 1_000 };
  });
}

/** Sends requests at random times, without waiting for earlier ones. */
async function steadily(
  time: SimulatedTime,
  { createsPerSecond, seconds }: { readonly createsPerSecond: number; readonly seconds: number },
  request: () => Promise<void>,
): Promise<void> {
  const until = time.now() + seconds * 1_000;
  const requests: Promise<void>[] = [];
  for (;;) {
    await time.wait((-Math.log(1 - Math.random()) * 1_000) / createsPerSecond);
    if (time.now() >= until) break;
    requests.push(request());
  }
  await Promise.all(requests);
}

/** Keeps the functions' log lines about refused calls out of the output. */
function silence() {
  const { warn, error } = console;
  Object.assign(console, { warn: () => {}, error: () => {} });
  return { end: () => Object.assign(console, { warn, error }) };
}
