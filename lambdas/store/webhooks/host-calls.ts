import { canonicalHost } from '../../core/host/host.ts';
import { newVisitId } from '../../core/ids.ts';
import { type Grant, type HostCalls, leaveHost, type Request, type RunAtHost, takeCalls } from '../../core/webhook/host-calls.ts';
import type { Item } from '../table/client.ts';
import { tableTime } from '../table/clock.ts';
import { failedCondition, is, isAbsent } from '../table/expressions.ts';
import { maps, number, text } from '../table/fields.ts';
import { hostCallsKey, type Key } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { putItem } from '../table/writes.ts';
import type { Receiver } from './receivers.ts';

/** A host is forgotten after this time without a call, in seconds. */
const keptSeconds = 24 * 60 * 60;

/** A host without an item has no calls. */
const toHostCalls = (item: Item = { runs: [], nextCallAt: 0 }): HostCalls => ({
  nextCallAt: number(item, 'nextCallAt'),
  runs: Object.fromEntries(maps(item, 'runs').map((run) => [text(run, 'receiver'), toRun(run)])),
});
const toRun = (run: Item): RunAtHost => ({ concurrency: number(run, 'concurrency'), until: number(run, 'until') });

const hostItem = (key: Key, { nextCallAt, runs }: HostCalls): Key & Item => ({
  ...key,
  nextCallAt,
  runs: Object.entries(runs).map(([receiver, run]) => ({ receiver, ...run })),
  // Distinguishes each write from all others.
  token: newVisitId(),
  ttl: Math.ceil(tableTime() / 1_000) + keptSeconds,
});

/** What a run of a sender does at the host of its URL. */
export type HostRun = {
  /** Takes times for some of the calls; undefined if the host has none soon enough. */
  readonly take: (request: Pick<Request, 'wanted' | 'patienceMs'>) => Promise<Grant | undefined>;
  /** Ends the run there. Call it before the receiver's lease ends. */
  readonly leave: () => Promise<void>;
};

/** The host of a URL, for a run that has the lease of the URL's receiver. */
export type Hosts = (lease: Receiver, url: string) => HostRun;

/**
 * The hosts that a sender calls for its receivers. A run reads its host once and writes it once for each grant. Runs
 * that change a host at the same time share a write.
 *
 * @param pauseMs the time between two calls to a host, in milliseconds.
 */
export function hostsAt(pauseMs: number): Hosts {
  const hosts = new Map<string, ChangeHost>();
  return ({ pk, leaseUntil: until }, url) => {
    const [, workspaceId = '', receiver = ''] = pk.split('#');
    const key = hostCallsKey(workspaceId, canonicalHost(URL.parse(url)?.hostname ?? ''));
    const changeHost = hosts.get(key.pk) ?? hostChanger(key);
    hosts.set(key.pk, changeHost);
    return {
      take: async (request) => {
        let grant: Grant | undefined;
        await changeHost((host) => {
          grant = takeCalls(host, { ...request, receiver, until }, pauseMs, tableTime());
          return grant?.host;
        });
        return grant;
      },
      leave: () => changeHost((host) => leaveHost(host, receiver)),
    };
  };
}

/**
 * Returns the changed host; undefined if it stays as it is. Called again if another sender has changed the host
 * meanwhile.
 */
type Change = (host: HostCalls) => HostCalls | undefined;
type ChangeHost = (change: Change) => Promise<void>;

/** Makes changes of one host: those that come during a write share the next one. */
function hostChanger(key: Key): ChangeHost {
  /** The item as it was last seen; undefined if it must be read. */
  let known: Item | undefined;
  let last = Promise.resolve();
  let next: { readonly changes: Change[]; readonly done: Promise<void> } | undefined;

  async function write(changes: readonly Change[]): Promise<void> {
    await retrying(async () => {
      known ??= await getItem(key);
      const before = toHostCalls(known);
      const after = changes.reduce((host, change) => change(host) ?? host, before);
      if (after === before) {
        // The next request must see what others have done since.
        known = undefined;
        return undefined;
      }
      const item = hostItem(key, after);
      const failed = await failedCondition(putItem(item, known ? is('token', text(known, 'token')) : isAbsent));
      known = failed ? failed.items[0] : item;
      // With this token, an earlier attempt succeeded, and its response was lost.
      return known?.token === item.token ? undefined : overtaken;
    });
  }

  return (change) => {
    if (!next) {
      const changes: Change[] = [];
      const done = last.then(() => {
        next = undefined;
        return write(changes);
      });
      next = { changes, done };
      last = done.catch(() => {});
    }
    next.changes.push(change);
    return next.done;
  };
}
