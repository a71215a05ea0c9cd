import { type Command, Option } from 'commander';
import { dayMs } from '../../lambdas/core/click/day.ts';
import type { LinkState } from '../../lambdas/operator/recount.ts';
import type { StageSettings } from '../../lib/stages/settings.ts';
import { existingWorkspace, type Store } from '../shared/store.ts';
import type { Target } from '../shared/target.ts';

/** What the commands of the operator share: how an action runs. */
type Shared = {
  readonly run: <O>(work: (options: O, store: Store, target: Target) => Promise<object>) => (options: O) => Promise<void>;
  readonly exitWith: (code: number) => void;
  /** The settings of the named stage. */
  readonly settings: () => StageSettings;
};

/** Two numbers that should be equal. */
type Difference = {
  readonly workspaceId: string;
  readonly linkId?: string;
  /** The link's epoch, its cap's generation, its count, or how often files contain a click. */
  readonly what: 'epoch' | 'cap' | 'clickCount' | 'duplicate';
  /** Only for a duplicate. */
  readonly clickId?: string;
  readonly found: number;
  readonly expected: number;
};

/** A difference, and the function that corrects it, if one can. It returns whether it was in time. */
type Found = Difference & { readonly mend: (() => Promise<boolean>) | undefined };

type Options = { readonly workspace?: string; readonly settled?: boolean };

/**
 * How long after a visit its click may be on its way to the counter, in milliseconds: it waits in the queue for 20
 * hours at most, and in the stream for 24.
 */
const onItsWayMs = 2 * dayMs;

/** Adds the commands that compare the counts of links with the rows of their clicks, and set them. */
export function addStatsCommands(program: Command, { run, exitWith, settings }: Shared): void {
  const stats = program.command('stats').description('statistics');
  const workspace = () => new Option('--workspace <id>', 'only this workspace');
  const settled = () =>
    new Option('--settled', 'confirm that nobody visits links at the moment, so that every click has been counted');
  stats
    .command('verify')
    .description('compare the counts of links with the rows of their clicks, and change nothing')
    .addOption(workspace())
    .addOption(settled())
    .action(
      run(async (options: Options, store, target) => {
        const compared = await compareAll(options, store, target, settings());
        if (compared.differences.length > 0) exitWith(1);
        return { links: compared.links, differences: compared.differences.map(shown) };
      }),
    );
  stats
    .command('recount')
    .description('set counts, epochs and caps of links from the rows of their clicks')
    .addOption(workspace())
    .addOption(settled())
    .option('--lower', 'also lower counts that are higher than the rows')
    .action(
      run(async ({ lower = false, ...options }: Options & { lower?: boolean }, store, target) => {
        const { links, differences } = await compareAll(options, store, target, settings());
        const mended = [];
        for (const difference of differences) {
          const lowers = difference.what === 'clickCount' && difference.found > difference.expected;
          const repaired = (!lowers || lower) && ((await difference.mend?.()) ?? false);
          mended.push({ ...shown(difference), repaired, ...(lowers && { lowers }) });
        }
        if (mended.some(({ repaired }) => !repaired)) exitWith(1);
        return { links, differences: mended };
      }),
    );
}

const shown = ({ mend: _, ...difference }: Found): Difference => difference;

/** Compares a workspace, or all of them. */
async function compareAll({ workspace, settled = false }: Options, store: Store, target: Target, { clickDays }: StageSettings) {
  const workspaces = workspace === undefined ? await store.listWorkspaces() : [await existingWorkspace(store, workspace)];
  await target.openClickFiles();
  process.env.CLICK_DAYS = String(clickDays);
  let links = 0;
  const differences: Found[] = [];
  for (const { id, deletingSince } of workspaces) {
    if (deletingSince !== undefined) continue;
    const now = Date.now();
    const options = { freshSince: settled ? now + 2 * onItsWayMs : now - onItsWayMs, keptFrom: now - clickDays * dayMs };
    const compared = await compare(id, store, options);
    links += compared.links;
    if (compared.differences.length === 0) continue;
    // An erasure, a deletion or a click may have changed the first result meanwhile.
    const first = new Set(compared.differences.map((one) => JSON.stringify(shown(one))));
    const again = await compare(id, store, options);
    differences.push(...again.differences.filter((one) => first.has(JSON.stringify(shown(one)))));
  }
  return { links, differences };
}

/** Since when clicks may still be on their way, and since when all rows are kept, in milliseconds since 1970. */
type Times = { readonly freshSince: number; readonly keptFrom: number };

/** Compares a workspace. The counters are read before the rows, so that each counted click has a row. */
async function compare(workspaceId: string, store: Store, times: Times) {
  const { askLinkCounts } = await import('../../lambdas/click-log/link-counts.ts');
  const states = await Array.fromAsync(store.linkStates(workspaceId));
  const { settled, fresh, duplicates } = await askLinkCounts(workspaceId, times.freshSince);
  const rows = {
    settled: Map.groupBy(settled, ({ linkId }) => linkId),
    fresh: Map.groupBy(fresh, ({ linkId }) => linkId),
    notes: await store.erasedLinks(workspaceId),
    isCovered: store.coverage(),
  };
  const differences: Found[] = duplicates.map(({ id, times }) => ({
    workspaceId,
    what: 'duplicate',
    clickId: id,
    found: times,
    expected: 1,
    mend: undefined,
  }));
  for (const state of states) differences.push(...(await compareLink(state, rows, store, times)));
  return { links: states.length, differences };
}

type Rows = {
  readonly settled: ReadonlyMap<string, readonly { epoch: number; clicks: number; newest: number }[]>;
  readonly fresh: ReadonlyMap<string, readonly { epoch: number; at: number; shard: string; sequenceNumber: string }[]>;
  readonly notes: ReadonlyMap<string, number>;
  readonly isCovered: ReturnType<Store['coverage']>;
};

/** Compares a link with its rows. */
async function compareLink(state: LinkState, { settled, fresh, notes, isCovered }: Rows, store: Store, times: Times) {
  const { link, counter, cap } = state;
  const { id: linkId, workspaceId } = link;
  const differences: Found[] = [];
  const of = (what: Difference['what'], found: number, expected: number, mend: Found['mend']) => {
    if (found !== expected) differences.push({ workspaceId, linkId, what, found, expected, mend });
  };
  const [sure, young] = [settled.get(linkId) ?? [], fresh.get(linkId) ?? []];
  const epochs = [...sure, ...young].map(({ epoch }) => epoch);
  const epoch = Math.max(link.clickEpoch, notes.get(linkId) ?? 0, store.epochOf(counter ?? {}), ...epochs);

  let [count, newest, onTheirWay] = [0, 0, 0];
  const add = (clicks: number, at: number) => {
    count += clicks;
    newest = Math.max(newest, at);
  };
  for (const one of sure) if (one.epoch === epoch) add(one.clicks, one.newest);
  for (const one of young) {
    if (one.epoch !== epoch) continue;
    if (await isCovered(counter, one.shard, one.sequenceNumber)) add(1, one.at);
    else onTheirWay++;
  }
  const found = store.toClickCount(counter, { clickEpoch: epoch });
  // The count of an old link includes clicks whose rows have expired. And `--settled` counted rows that no stream
  // delivers.
  const most = Date.parse(link.createdAt) > times.keptFrom ? count + onTheirWay : Number.POSITIVE_INFINITY;
  if (found < count || found > most) of('clickCount', found, count, () => store.setCount(state, { count, epoch, newest }));
  of('epoch', link.clickEpoch, epoch, () => store.raiseEpoch(link, epoch));
  of('cap', cap?.generation ?? 0, link.capGeneration, () => store.alignCap(state, count));
  return differences;
}
