import { expect } from 'vitest';
import { mergeRoundKey, sealingLeaseKey, sealingScheduleKey, tailEntryKey } from '../../../lambdas/store/table/keys.ts';
import { get, put, query, remove, type Scenario, type Scenarios, store, update } from '../faults/scenario.ts';
import { contextWith } from '../http/invoke.ts';
import { fakeBucket } from './fake-bucket.ts';
import { atEnd, type Log, oldMonth, useLog } from './log.ts';

/** The bucket of these scenarios, for `vi.mock`. */
export const bucket = fakeBucket();

/** More time than the function requires before it begins a step. */
const spareMs = 70_000;

/** The queries of all partitions of a tail, or of the entries of tails. */
const eight = Array(8).fill(query);
/** The function finds what is due, takes the lease, reads the tail, the workspace and the erasures, and makes a file. */
const sealed = [...eight, get, put, ...eight, get, query, get, remove, remove] as const;

/** Lets the function do its work while another run seals the same tail. */
async function sealing(event: { readonly isHourly?: boolean }, log: Log, workspaceId: string, slugs: readonly string[]) {
  const { handler } = await import('../../../lambdas/events/seal-clicks.ts');
  process.env.SEALING_SCHEDULE = 'sealing';
  const check = async () => expect(await log.slugsOf(workspaceId)).toEqual(slugs);
  return {
    act: async (budget: number) => {
      try {
        await handler(event, contextWith(budget + spareMs));
        return { status: 200 };
      } catch {
        // The schedule runs again.
        return { status: 503, headers: { 'Retry-After': '1' } };
      }
    },
    check,
    meanwhile: () => log.seal(workspaceId),
    checkBoth: check,
  };
}

/** Nothing is due on the tables yet. */
async function openLog(): Promise<Log> {
  const log = await useLog(bucket);
  for await (const { workspaceId } of log.tailsToSeal()) await store.deleteItem(tailEntryKey(workspaceId));
  // Work of earlier scenarios, which becomes due while these run.
  for (const { key } of await log.dueErasures(Date.now() + 10 * log.dayMs)) await store.deleteItem(key);
  await store.deleteItem(sealingScheduleKey);
  return log;
}

/** A workspace with an old click in its tail. @param writtenMs how long ago its entry was written */
const oldTail = (writtenMs: number) => async () => {
  const log = await openLog();
  const workspaceId = await log.newLog();
  const click = log.newClick({ at: atEnd(-1) });
  const bytes = await log.writeTail(workspaceId, 'ShardA', [click]);
  await store.putItem({ ...tailEntryKey(workspaceId), bytes, since: click.at, at: Date.now() - writtenMs });
  return sealing({}, log, workspaceId, [click.slug]);
};

const hour = 60 * 60_000;

/** A workspace with two files that are to be merged. */
async function oldFiles() {
  const { log, workspaceId, clicks } = await newFiles();
  bucket.age(workspaceId, 40 * 24 * hour);
  const slugs = clicks.map(({ slug }) => slug).sort();
  return {
    ...(await sealing({ isHourly: true }, log, workspaceId, slugs)),
    meanwhile: () => log.tendMonth(workspaceId, oldMonth),
  };
}

/** A workspace with two files, of which one has clicks that were erased. */
async function erasedFiles() {
  const { log, workspaceId, clicks } = await newFiles();
  const [erased, other] = clicks;
  await log.noteErasure(workspaceId, erased.linkId, 1, 120_000);
  const scenario = await sealing({ isHourly: true }, log, workspaceId, [other.slug]);
  // Until the sweep is done, the erased click may be in its file.
  const checkBoth = async () => expect(await log.slugsOf(workspaceId)).toContain(other.slug);
  // A month that was begun by a run that failed has its turn in the next round, when the lease of that run is over.
  const check = async () => {
    await store.deleteItem(sealingLeaseKey(workspaceId));
    expect((await scenario.act(20_000)).status).toBe(200);
    await scenario.check();
  };
  return { ...scenario, check, checkBoth, meanwhile: () => log.tendMonth(workspaceId, oldMonth, true) };
}

/** A workspace with two files of a month. */
async function newFiles() {
  const log = await openLog();
  bucket.files.clear();
  await store.putItem({ ...mergeRoundKey, startedAt: atEnd(0), token: 'before', isDone: true });
  const workspaceId = await log.newLog();
  const clicks = [log.newClick({ at: atEnd(-2) }), log.newClick({ at: atEnd(-1) })] as const;
  for (const click of clicks) {
    await log.writeTail(workspaceId, 'ShardA', [click]);
    await log.seal(workspaceId);
  }
  return { log, workspaceId, clicks };
}

const alone = { alone: true } as const satisfies Partial<Scenario>;

export const sealingScenarios: Scenarios = {
  'seal-clicks': {
    ...alone,
    // The entry is deleted, and the tail and its entries are read again before the schedule is switched off, and after it.
    calls: [...sealed, ...eight, remove, ...eight, ...eight, put, get, ...eight],
    arrange: oldTail(hour),
  },
  'seal-clicks: an entry in which a function may still believe': {
    ...alone,
    calls: [...sealed, ...eight, update, ...eight, put, get, ...eight],
    arrange: oldTail(0),
  },
  'seal-clicks: merging': {
    ...alone,
    // Its lease and its position name their run, which recognises its own writes.
    settles: true,
    // The erasures are read; the round is begun, and its position saved; then the lease, the tail, the workspace, and the
    // erasures.
    calls: [...eight, query, get, put, get, put, ...eight, get, query, remove, put],
    arrange: oldFiles,
  },
  'seal-clicks: erasing': {
    ...alone,
    settles: true,
    // As above, with what was erased read for each file. At the end, the erasure is settled.
    calls: [...eight, query, get, put, get, put, ...eight, get, query, query, remove, put, update, put],
    arrange: erasedFiles,
  },
};
