import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { countryFromInEnvironment } from '../../../lib/stages/environment.ts';
import { localStage } from '../../../lib/stages/stages.ts';
import { underFaults } from '../../support/faults/faults.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { browser, curl, pass, startVisits, type VisitOptions, visit } from '../../support/things/visit.ts';

// The destinations of visits by rules and variants, and what their clicks record.

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
  await visit({ host: workspace.domain.host, path: '/unknown' });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const page = (name: string) => `https://www.acme.example.com/${name}`;
const variants = ['a', 'b', 'c'].map((id) => ({ id, url: page(id), weight: 1 }));

async function newLink(settings: LinkChanges) {
  const { link } = await store.createLink(workspace.domain, { url: page('url'), ...settings }, store.newLease());
  const open = (more: Partial<VisitOptions> & { readonly suffix?: string } = {}) =>
    visit({ host: workspace.domain.host, path: `/${link.shortCode}${more.suffix ?? ''}`, headers: curl, ...more });
  const leadsTo = async (more?: Parameters<typeof open>[0]) => (await open(more)).headers.Location;
  /** The variants that the clicks of the link have, sorted. */
  const recorded = async () => {
    const partitions = Array.from({ length: 16 }, (_, index) => ({ pk: `CLICK#${link.id}#${index}`, skPrefix: '2' }));
    const items = await Promise.all(partitions.map((partition) => Array.fromAsync(store.query(partition))));
    return items
      .flat()
      .map(({ variant }) => variant)
      .sort();
  };
  return { link, open, leadsTo, recorded };
}

describe('Rules', () => {
  test('The first rule that holds decides, or else the destination of the link.', async () => {
    const { leadsTo, recorded } = await newLink({
      rules: [
        { if: { query: { ref: 'mail' } }, url: page('mail') },
        { if: { language: ['de'], os: ['linux'] }, url: page('german-linux') },
        { if: { device: ['desktop'] }, url: page('desktop') },
      ],
    });
    const german = { headers: { ...browser, 'accept-language': 'de-AT' } };
    expect(await leadsTo({ ...german, suffix: '?ref=mail' })).toBe(page('mail'));
    expect(await leadsTo(german)).toBe(page('german-linux'));
    expect(await leadsTo({ headers: browser })).toBe(page('desktop'));
    expect(await leadsTo()).toBe(page('url'));
    expect(await recorded()).toEqual(['none', 'none', 'none', 'none']);
  });

  test('A rule on the country uses the source that the stage trusts, and never holds if the country is unknown.', async () => {
    const { leadsTo } = await newLink({ rules: [{ if: { country: ['AT'] }, url: page('at') }] });
    const fromAustria = { headers: { ...curl, 'x-country': 'AT', 'x-origin-secret': 'laptop' } };
    expect(await leadsTo(fromAustria)).toBe(page('url'));
    vi.stubEnv('COUNTRY_FROM', countryFromInEnvironment(localStage(3000).settings).COUNTRY_FROM ?? '');
    expect(await leadsTo(fromAustria)).toBe(page('at'));
    expect(await leadsTo({ headers: { ...curl, 'x-country': 'AT' } })).toBe(page('url'));
  });

  test('If the table of countries cannot be read, a rule on the country does not hold, and the error is logged.', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.stubEnv('COUNTRY_FROM', JSON.stringify('table'));
    vi.stubEnv('LAMBDA_TASK_ROOT', '/nowhere');
    const { leadsTo } = await newLink({ rules: [{ if: { country: ['AT'] }, url: page('at') }] });
    expect(await leadsTo()).toBe(page('url'));
    expect(error).toHaveBeenCalledWith(expect.objectContaining({ message: 'the country of a visitor could not be looked up' }));
  });

  test('A rule takes effect at its exact time, even if the link is cached.', async () => {
    const soon = new Date(Date.now() + 100_000).toISOString();
    const { leadsTo } = await newLink({
      rules: [{ if: { after: soon }, url: page('later') }],
      startsAt: '2020-01-01T00:00:00.000Z',
    });
    expect(await leadsTo()).toBe(page('url'));
    pass(100_001);
    expect(await leadsTo()).toBe(page('later'));
  });

  test('A permanent redirect with rules, with variants or with a confirmation is not cached.', async () => {
    const settings: LinkChanges[] = [
      { rules: [{ if: { os: ['ios'] }, url: page('ios') }] },
      { variants },
      { confirmVisit: true },
    ];
    for (const one of settings) {
      const { open } = await newLink({ redirectType: 'PERMANENT_301', ...one });
      const { statusCode, headers } = await open({ headers: { ...curl, 'link-confirm': '1' } });
      expect([statusCode, headers['Cache-Control']]).toEqual([301, 'private, no-store']);
    }
  });

  test('A preview names the hosts of all URLs, each once.', async () => {
    const { open } = await newLink({
      url: 'https://one.example/',
      expiredUrl: 'https://over.example/',
      rules: [
        { if: { os: ['ios'] }, url: 'https://two.example/a' },
        { if: { os: ['android'] }, url: 'https://two.example/b' },
      ],
      variants: [
        { id: 'a', url: 'https://three.example/', weight: 1 },
        { id: 'b', url: 'https://one.example/b', weight: 0 },
      ],
    });
    const hosts = ['one.example', 'over.example', 'two.example', 'three.example'];
    expect((await open({ suffix: '+', headers: browser })).body).toContain(`<h1>This link leads to ${hosts.join(', ')}</h1>`);
    expect((await open({ suffix: '+' })).body).toContain(`This link leads to ${hosts.join(', ')}. Created on `);
    const { body = '' } = await open({ suffix: '+', headers: { accept: 'application/json' } });
    expect(JSON.parse(body)).toMatchObject({ host: 'one.example', hosts });
  });
});

describe('Variants', () => {
  test('A visitor keeps a variant, different visitors get different ones, and each click records its own.', async () => {
    const { leadsTo, recorded } = await newLink({ variants });
    // The link has a random id. All of 60 visitors miss a variant once in 10 billion links.
    const visitors = Array.from({ length: 60 }, (_, index) => ({ sourceIp: `192.0.2.${index}` }));
    const first = [];
    for (const visitor of visitors) first.push(await leadsTo(visitor));
    const second = [];
    for (const visitor of visitors) second.push(await leadsTo(visitor));
    expect(second).toEqual(first);
    expect(new Set(first)).toEqual(new Set(variants.map(({ url }) => url)));
    expect(await recorded()).toEqual([...first, ...second].map((url) => url?.at(-1)).sort());
  });

  test('A visitor who opts out of recording gets a variant, which the click does not record.', async () => {
    const { leadsTo, recorded } = await newLink({ variants });
    expect(variants.map(({ url }) => url)).toContain(await leadsTo({ headers: { ...curl, 'sec-gpc': '1' } }));
    expect(await recorded()).toEqual(['unknown']);
  });

  test('A visit of a link with rules and variants makes the calls of a plain one.', async () => {
    const start = await startVisits();
    await start({ host: workspace.domain.host, path: '/unknown' });
    const commandsOf = async (settings: LinkChanges) => {
      const { link } = await newLink(settings);
      const { commands } = await underFaults(
        () => undefined,
        () => start({ host: workspace.domain.host, path: `/${link.shortCode}`, headers: curl }),
      );
      return commands;
    };
    const plain = await commandsOf({});
    expect(plain).toEqual(['GetItem', 'PutItem']);
    const rules = [{ if: { country: ['AT'], os: ['ios' as const] }, url: page('at') }];
    expect(await commandsOf({ rules, variants, startsAt: '2020-01-01T00:00:00.000Z', expiredUrl: page('over') })).toEqual(plain);
  });
});

describe('A start and an end', () => {
  test('Before its start, a visit of a link gets 404 with the reason not_yet, and is not counted; from then on, the link works.', async () => {
    const { link, open, leadsTo, recorded } = await newLink({ startsAt: new Date(Date.now() + 50_000).toISOString() });
    const { statusCode, body = '', headers } = await open({ headers: { accept: 'application/json' } });
    expect([statusCode, headers['Cache-Control']]).toEqual([404, 'private, no-store']);
    expect(JSON.parse(body)).toMatchObject({ code: 'not_found', reason: 'not_yet' });
    expect((await open({ headers: browser })).body).toContain('<h1>Not available yet</h1>');
    expect(await recorded()).toEqual([]);
    pass(50_001);
    expect(await leadsTo()).toBe(link.url);
  });

  test('After its end, a link redirects visitors to its own expiredUrl with 302, uncounted.', async () => {
    const over: LinkChanges[] = [{ expiresAt: '2020-01-01T00:00:00.000Z' }, { maxClicks: 1 }];
    for (const settings of over) {
      const { link, open, recorded } = await newLink({ ...settings, expiredUrl: page('over'), redirectType: 'PERMANENT_301' });
      if (settings.maxClicks) expect((await open()).headers.Location).toBe(link.url);
      for (const more of [{}, { method: 'HEAD' }, { headers: { ...curl, 'user-agent': 'Googlebot/2.1' } }]) {
        const { statusCode, headers } = await open(more);
        expect([statusCode, headers.Location, headers['Cache-Control']]).toEqual([302, page('over'), 'private, no-store']);
      }
      expect(await recorded()).toHaveLength(settings.maxClicks ?? 0);
    }
  });
});
