import { afterEach, expect, test, vi } from 'vitest';
import { inParallel } from '../../../../lambdas/runtime/in-parallel.ts';
import type { Instant } from '../../../../lambdas/runtime/instant.ts';
import type { Memory } from '../../../../lambdas/runtime/memory.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { useStore } from '../../../support/store/store.ts';
import { startVisits } from '../../../support/things/visit.ts';

type Watched = {
  readonly most: number;
  /** The keys that a memory has now, and those with real values. */
  readonly kept: (now: Instant) => string[];
  readonly known: (now: Instant) => string[];
};

/** All caches of the function. */
const memories = vi.hoisted((): Watched[] => []);

vi.mock('../../../../lambdas/runtime/memory.ts', async (original) => {
  const { memory } = await original<typeof import('../../../../lambdas/runtime/memory.ts')>();
  const watched = <T>(options: Parameters<typeof memory>[0]): Memory<T> => {
    const { get, set } = memory<T>(options);
    const keys = new Set<string>();
    const kept = (now: Instant) => [...keys].filter((key) => get(key, now));
    memories.push({
      most: options.most,
      kept,
      known: (now) => kept(now).filter((key) => ![undefined, true].includes(get(key, now)?.value as never)),
    });
    return {
      get,
      set: (key, value, readAt) => {
        keys.add(key);
        set(key, value, readAt);
      },
    };
  };
  return { memory: watched };
});

afterEach(() => {
  vi.restoreAllMocks();
});

const assetLinks = [
  { relation: ['delegate_permission/common.handle_all_urls'], target: { namespace: 'web', site: 'https://www.example.com' } },
];

/** More hosts than the memory of domains has room for, and more slugs than that of links: one path of six has none. */
const floodOf = { hosts: 1_001, paths: 300 };

test('A flood of unknown hosts and deep paths evicts nothing known from any cache, and no cache exceeds its limit.', async () => {
  process.env.UNIQUE_CLICKS = 'daily';
  process.env.DOMAIN_TARGET = 'links.localhost';
  process.env.SERVED_NAMES = '*';
  const store = await useStore();
  const { rotateDaySecrets } = await import('../../../../lambdas/store/visitors/day-secrets.ts');
  await rotateDaySecrets();
  const { workspaceId, domain } = await store.newWorkspace();
  const { host } = domain;
  await callEndpoint('update-domain', { workspaceId, domain: host, body: { assetLinks } });
  const link = { domain: host, url: 'https://example.org/' };
  await callEndpoint('create-link', { workspaceId, body: { ...link, customSlug: 'plain' } });
  await callEndpoint('create-link', { workspaceId, body: { ...link, customSlug: 'capped', maxClicks: 100 } });

  // No entry expires meanwhile.
  const now = { wall: Date.now(), steady: Number(process.hrtime.bigint()) / 1e6 };
  vi.spyOn(Date, 'now').mockReturnValue(now.wall);
  vi.spyOn(process.hrtime, 'bigint').mockReturnValue(BigInt(Math.round(now.steady * 1e6)));
  const visit = await startVisits();
  const callsOf = async (path: string) => {
    const { result, commands } = await underFaults(
      () => undefined,
      () => visit({ host, path }),
    );
    return [path, result.statusCode, ...commands];
  };
  const paths = ['/plain', '/capped', '/.well-known/assetlinks.json'];
  const visitKnown = async () => {
    const visited: unknown[] = [];
    for (const path of paths) visited.push(await callsOf(path));
    return visited;
  };
  await visitKnown();
  const before = await visitKnown();
  expect(before).toEqual([
    ['/plain', 302, 'PutItem'],
    ['/capped', 302, 'GetItem', 'UpdateItem', 'GetItem', 'PutItem'],
    ['/.well-known/assetlinks.json', 200],
  ]);
  const known = memories.map((memory) => memory.known(now));
  // The domain, the link, the cap, the file and the day's secret.
  expect(known.filter((keys) => keys.length > 0).length).toBeGreaterThanOrEqual(5);

  const endings = ['', '/', '+', '.q', '.svg', '/ü'];
  const flood = [
    ...Array.from({ length: floodOf.paths }, (_, index) => ({
      host,
      path: `/unknown/deep/path/${index}${endings[index % endings.length]}`,
    })),
    ...Array.from({ length: floodOf.hosts }, (_, index) => ({
      host: `made-up-${index}.${host}`,
      path: paths[index % paths.length] ?? '',
    })),
  ];
  await inParallel(flood, 20, async (one) => expect((await visit(one)).statusCode).toBe(404));
  for (const [index, memory] of memories.entries()) {
    expect(memory.known(now)).toEqual(expect.arrayContaining(known[index] ?? []));
    expect(memory.kept(now).length).toBeLessThanOrEqual(memory.most);
  }
  expect(await visitKnown()).toEqual(before);
});
