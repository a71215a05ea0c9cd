import type { Result } from '../../migration/results.ts';
import { runImport } from '../../migration/run.ts';
import { patientApi } from '../service/client.ts';
import { SaidError } from '../service/failures.ts';
import { reloadLinks } from '../service/links.ts';
import { queries } from '../service/queries.ts';
import type { Me } from '../service/types.ts';
import { noteUnfinishedImport } from '../service/unfinished.ts';
import { watched } from '../service/watched.ts';
import { journaled, linkNow } from './journal.ts';
import type { KeptImport } from './kept.ts';
import { place } from './place.ts';

// The import that this tab carries out. It continues while the person looks at other screens.

export type Job =
  /** Nothing is known yet, or there is none. */
  | { readonly state: 'unknown' | 'none' }
  | {
      /** `elsewhere`: another tab carries it out. */
      readonly state: 'running' | 'pausing' | 'paused' | 'failed' | 'elsewhere' | 'done';
      readonly kept: KeptImport;
      readonly done: number;
      readonly results: readonly Result[];
      /** How many more seconds it waits; undefined if it does not wait. */
      readonly waits?: number | undefined;
      readonly failure?: Error | undefined;
    };

type Active = Extract<Job, { readonly kept: KeptImport }>;

let job: Job = { state: 'unknown' };
let known: string | undefined;
const jobWatch = watched(() => job);

function set(next: Job): void {
  job = next;
  jobWatch.emit();
}

/** The import, if it is still that run: the person may have ended it, or opened another workspace. */
const active = (runId: string): Active | undefined => ('kept' in job && job.kept.runId === runId ? job : undefined);

const change = (runId: string, what: Partial<Active>): void => {
  const before = active(runId);
  if (before) set({ ...before, ...what });
};

export const useJob = jobWatch.useValue;

/** Shows an import that does not continue by itself. @returns whether it is one */
function showResting(kept: KeptImport | undefined): boolean {
  if (!kept) set({ state: 'none' });
  else if (kept.results) set({ state: 'done', kept, done: kept.rows.length, results: kept.results });
  else if (kept.isPaused) set({ state: 'paused', kept, done: 0, results: [] });
  else return false;
  return true;
}

/** Finds an import of the workspace from an earlier page, and continues it unless it is paused. */
export async function findImport(workspaceId: string): Promise<void> {
  if (known === workspaceId) return;
  known = workspaceId;
  const kept = await place.getImport(workspaceId).catch(() => undefined);
  if (!showResting(kept) && kept) await carryOut(kept);
}

/**
 * Starts an import.
 *
 * @throws SaidError if another tab has started one; another Error if the browser cannot store it: then a reload would
 * lose it.
 */
export async function startImport(kept: KeptImport): Promise<void> {
  if (!(await place.addImport(kept))) {
    throw new SaidError('Another tab has started an import. Reload this page to see it; end it before you start another one.');
  }
  void carryOut(kept);
}

/** Ends waits. Requests under way are finished. */
export async function pause(): Promise<void> {
  if (!('kept' in job)) return;
  const { kept } = job;
  // Stored before this tab releases the lock: otherwise another tab would continue.
  await place.putImport({ ...kept, isPaused: true });
  noteUnfinishedImport(null);
  change(kept.runId, { state: 'pausing' });
  endWait();
}

export async function goOn(): Promise<void> {
  if (!('kept' in job)) return;
  const kept = { ...job.kept, isPaused: false };
  await place.putImport(kept);
  void carryOut(kept);
}

/** Forgets the import. The links that it made stay. */
export async function forget(): Promise<void> {
  if (!('kept' in job)) return;
  const { workspaceId, runId } = job.kept;
  noteUnfinishedImport(null);
  await place.forget(workspaceId, runId);
  set({ state: 'none' });
}

/** Carries out an import, in one tab at a time. */
async function carryOut(kept: KeptImport): Promise<void> {
  const { workspaceId } = kept;
  const before = 'kept' in job ? job : { done: 0, results: [] };
  const run = async (): Promise<void> => {
    // Another tab may have ended or paused it meanwhile.
    const found = await place.getImport(workspaceId);
    if (showResting(found) || !found) return;
    set({ state: 'running', kept: found, done: before.done, results: before.results });
    await carryOutHere(found);
  };
  const name = `links-import ${workspaceId}`;
  await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) return run();
    set({ state: 'elsewhere', kept, done: 0, results: [] });
    void navigator.locks.request(name, run);
  });
}

/** How often the page shows the progress. */
const shownEveryMs = 100;

async function carryOutHere(kept: KeptImport): Promise<void> {
  const { domain, template, rows, fingerprint, runId } = kept;
  noteUnfinishedImport(kept.workspaceId);
  let shownAt = 0;
  // Nothing of this import may be sent with another workspace's key.
  const isOfKey = () => queries.getQueryData<Me>(['me'])?.workspace.id === kept.workspaceId;
  const isStopped = () => active(runId)?.state !== 'running' || !isOfKey();
  const client = journaled(
    (afterWait) =>
      patientApi({
        wait: async (seconds) => {
          await waitAloud(seconds, runId, isStopped);
          afterWait();
        },
      }),
    runId,
    place,
  );
  const { results, failure } = await runImport({
    client,
    linkNow: (link) => linkNow(client, link),
    domain,
    template,
    rows,
    fingerprint,
    runId,
    isStopped,
    onProgress: (done, soFar) => {
      if (Date.now() - shownAt < shownEveryMs) return;
      shownAt = Date.now();
      change(runId, { done, results: [...soFar] });
    },
  });
  reloadLinks();
  void queries.invalidateQueries({ queryKey: ['tags'] });
  const done = results.filter(({ outcome }) => outcome !== 'not_reached').length;
  if (failure) {
    change(runId, { state: 'failed', done, results, failure });
    // If only the network is missing, the import continues when it is back.
    const again = () => active(runId)?.state === 'failed' && void goOn();
    if (!navigator.onLine) window.addEventListener('online', again, { once: true });
  } else if (isStopped()) {
    change(runId, { state: 'paused', done, results });
  } else {
    await place.putImport({ ...kept, results });
    noteUnfinishedImport(null);
    change(runId, { state: 'done', done, results });
  }
}

let endWait = (): void => {};

/** Waits, and shows the remaining seconds. @throws Error if the import is stopped meanwhile */
async function waitAloud(seconds: number, runId: string, isStopped: () => boolean): Promise<void> {
  const until = Date.now() + seconds * 1_000;
  try {
    for (let left = seconds; left > 0; left = Math.ceil((until - Date.now()) / 1_000)) {
      if (isStopped()) throw new Error('the import is stopped');
      change(runId, { waits: left });
      await new Promise<void>((resolve) => {
        endWait = resolve;
        setTimeout(resolve, Math.min(1_000, until - Date.now()));
      });
    }
  } finally {
    change(runId, { waits: undefined });
  }
}
