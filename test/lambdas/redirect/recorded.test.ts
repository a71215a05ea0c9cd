import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { nothingKnown } from '../../../lambdas/core/click/click.ts';
import type { Link } from '../../../lambdas/core/link/link.ts';
import type { LinkChanges, LinkEdits } from '../../../lambdas/store/links/changes.ts';
import { linkKeyOf } from '../../../lambdas/store/table/keys.ts';
import { countryFromInEnvironment } from '../../../lib/stages/environment.ts';
import { localStage } from '../../../lib/stages/stages.ts';
import { underFaults } from '../../support/faults/faults.ts';
import { overtaken } from '../../support/faults/overtaken.ts';
import { anyCharacter } from '../../support/run/any-character.ts';
import { runs } from '../../support/run/proof.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { cheapHash } from '../../support/things/password.ts';
import { pass, type VisitOptions, visit } from '../../support/things/visit.ts';

// The clicks that the redirect records in the table.

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

async function newLink(changes: LinkChanges = {}) {
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = await store.updateLink(found, { url: 'https://example.org/page', ...changes });
  const change = async (settings: LinkEdits) => {
    const current = await store.getLink(workspace.workspaceId, link.id);
    if (current) await store.updateLink(current, settings);
  };
  const open = ({ suffix = '', ...options }: Partial<VisitOptions> & { suffix?: string } = {}) =>
    visit({ host: workspace.domain.host, path: `/${link.shortCode}${suffix}`, ...options });
  return { link, open, clicks: () => clicksOf(link.id), change };
}

/** The items of a link's clicks, without the fields that all clicks have. */
async function clicksOf(linkId: string) {
  const partitions = Array.from({ length: 16 }, (_, partition) => ({ pk: `CLICK#${linkId}#${partition}`, skPrefix: '2' }));
  const items = await Promise.all(partitions.map((partition) => Array.fromAsync(store.query(partition))));
  return items.flat().map(({ pk: _pk, sk: _sk, ttl: _ttl, workspaceId: _workspaceId, host: _host, ...recorded }) => recorded);
}

const phone = {
  'user-agent':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.6.1 Mobile/15E148 Safari/604.1',
  'accept-language': 'de-AT,en;q=0.5',
  referer: 'https://www.example.net/secret',
};
const ofPhone = { referrer: 'example.net', device: 'mobile', browser: 'safari', os: 'ios', language: 'de' };

/** A click's fields of the link's own address. */
const asItIs = ({ shortCode }: Pick<Link, 'shortCode'>) => ({
  source: 'link',
  variant: 'none',
  slug: shortCode,
  path: 'none',
  utmSource: 'none',
  utmMedium: 'none',
  utmCampaign: 'none',
});

test("A click records the visitor's dimensions, but no address, user agent or page.", async () => {
  const { link, open, clicks } = await newLink();
  await open({ headers: phone });
  expect(await clicks()).toEqual([{ ...ofPhone, country: 'unknown', ...asItIs(link) }]);
});

test('A click records the country that the stage trusts, here that of the laptop.', async () => {
  const environment = countryFromInEnvironment(localStage(3000).settings);
  vi.stubEnv('COUNTRY_FROM', environment.COUNTRY_FROM ?? '');
  const { link, open, clicks } = await newLink();
  await open({ headers: { ...phone, 'x-country': 'AT', 'x-origin-secret': 'laptop' } });
  expect(await clicks()).toEqual([{ ...ofPhone, country: 'AT', ...asItIs(link) }]);
});

test.for<Record<string, string>>([{ 'sec-gpc': '1' }, { dnt: '1' }])(
  'A visitor who sends %j is counted without dimensions.',
  async (headers) => {
    const environment = countryFromInEnvironment(localStage(3000).settings);
    vi.stubEnv('COUNTRY_FROM', environment.COUNTRY_FROM ?? '');
    const { open, clicks } = await newLink();
    const response = await open({
      suffix: '.q?utm_source=newsletter',
      headers: { ...phone, 'x-country': 'AT', 'x-origin-secret': 'laptop', ...headers },
    });
    expect(response.statusCode).toBe(302);
    expect(await clicks()).toEqual([nothingKnown]);
  },
);

test("A click records the visited slug, the path behind it, and the short link's own UTM parameters.", async () => {
  const { link, open, clicks, change } = await newLink({ forwardPath: true });
  const alias = `Later-${link.shortCode}`;
  await change({ customSlug: alias });
  pass(1_000);
  const query = 'utm_source=News&utm_medium=E-Mail&utm_campaign=May&utm_term=x';
  await visit({ host: workspace.domain.host, path: `/${alias.toUpperCase()}/docs/a/b/c/?${query}` });
  expect((await open({ suffix: '?utm_source=' })).statusCode).toBe(302);
  const found = (await clicks()).map(({ slug, path, utmSource, utmMedium, utmCampaign }) => [
    slug,
    path,
    utmSource,
    utmMedium,
    utmCampaign,
  ]);
  expect(found.sort()).toEqual(
    [
      [alias, 'docs/a/b', 'news', 'e-mail', 'may'],
      [link.shortCode, 'none', 'none', 'none', 'none'],
    ].sort(),
  );
});

test('A click has the epoch of its link.', async () => {
  const { link, open, clicks } = await newLink();
  await store.updateItem(linkKeyOf(link.id), { text: 'SET #clickEpoch = :epoch', values: { ':epoch': 3 } });
  await open();
  expect(await clicks()).toEqual([expect.objectContaining({ epoch: 3 })]);
});

describe('A click for webhooks', () => {
  const webhookUrls = 'https://hooks.example.com/';
  const reachedBy = (clicks: readonly Record<string, unknown>[]) => clicks.flatMap(({ capReached }) => capReached ?? []).sort();

  test('A click is reported to webhooks while its link has webhook URLs, and is otherwise like any other.', async () => {
    const { link, open, clicks, change } = await newLink({ webhookUrls });
    await open({ headers: phone });
    expect(await clicks()).toEqual([{ ...ofPhone, country: 'unknown', ...asItIs(link), hooked: true }]);
    await change({ webhookUrls: null });
    pass(1_001);
    await open();
    expect((await clicks()).filter(({ hooked }) => hooked)).toHaveLength(1);
  });

  test('A click is reported to webhooks while webhooks of its workspace need clicks; changes take effect within 60 seconds.', async () => {
    const { workspaceId, domain } = await store.newWorkspace();
    const [found] = await store.newLinks({ ...workspace, workspaceId, domain }, 1);
    const { id = '', shortCode } = found?.link ?? {};
    let minutes = 0;
    /** The number of reported clicks after another visit, by a function that reads the domain again. */
    const reported = async () => {
      minutes++;
      pass(minutes * 60_001);
      const { commands } = await underFaults(
        () => undefined,
        () => visit({ host: domain.host, path: `/${shortCode}` }),
      );
      // The domain, the blocked destinations, the link and the click: no more calls than without webhooks.
      expect(commands).toEqual(['GetItem', 'GetItem', 'GetItem', 'PutItem']);
      return (await clicksOf(id)).filter(({ hooked }) => hooked).length;
    };
    const events = ['link.cap_reached'] as const;
    const { webhook } = await store.changeWebhooks(workspaceId, () =>
      store.createWebhook(workspaceId, { url: webhookUrls, events, active: true }),
    );
    expect([await reported(), await reported()]).toEqual([1, 2]);
    await store.changeWebhooks(workspaceId, () => store.updateWebhook(workspaceId, webhook.id, { active: false }));
    expect(await reported()).toBe(2);
  });

  test("Of a capped link's clicks, exactly the one that uses up the cap says so, once for each reached cap.", async () => {
    const { open, clicks, change } = await newLink({ webhookUrls, maxClicks: 3 });
    const openMany = () => Promise.all(Array.from({ length: 6 }, () => open()));
    await openMany();
    expect(reachedBy(await clicks())).toEqual(['1#3']);
    await change({ maxClicks: 5 });
    expect((await openMany()).filter(({ statusCode }) => statusCode === 302)).toHaveLength(2);
    expect(reachedBy(await clicks())).toEqual(['1#3', '1#5']);
    // A cap that is removed and set again is a new one, even with the same number.
    await change({ maxClicks: 4 });
    await change({ maxClicks: null });
    await change({ maxClicks: 6 });
    await openMany();
    expect(reachedBy(await clicks())).toEqual(['1#3', '1#5', '2#6']);
    expect(await clicks()).toHaveLength(6);
    expect((await clicks()).every(({ hooked }) => hooked === true)).toBe(true);
  });

  test('If the cap is raised between the last claim and the second read, the click does not say that it is reached.', async () => {
    const { open, clicks, change } = await newLink({ webhookUrls, maxClicks: 2 });
    await open();
    await overtaken(
      () => change({ maxClicks: 3 }),
      () => open(),
      { command: 'GetItem', number: 1, partition: 'LINK#' },
    );
    expect(reachedBy(await clicks())).toEqual([]);
    await open();
    expect(reachedBy(await clicks())).toEqual(['1#3']);
  });

  test('A capped link without webhooks records clicks as any other link does.', async () => {
    const { link, open, clicks } = await newLink({ maxClicks: 1 });
    await open({ headers: phone });
    expect(await clicks()).toEqual([{ ...ofPhone, country: 'unknown', ...asItIs(link) }]);
  });
});

describe('The address in a code', () => {
  test.for(['.q', '.Q'])(
    'The address with %s leads to the same link, and its clicks have the source of a code.',
    async (suffix) => {
      const { open, clicks } = await newLink({ redirectType: 'PERMANENT_301', forwardParameters: true });
      const [plain, scanned] = [await open(), await open({ suffix })];
      expect({ ...scanned, headers: { ...scanned.headers, 'Cache-Control': '' } }).toEqual({
        ...plain,
        headers: { ...plain.headers, 'Cache-Control': '' },
      });
      expect((await clicks()).map(({ source }) => source).sort()).toEqual(['link', 'qr']);
    },
  );

  test('The address in a code has no preview.', async () => {
    const { open } = await newLink();
    const { result, commands } = await underFaults(
      () => undefined,
      () => open({ suffix: '.q+' }),
    );
    expect([result.statusCode, commands]).toEqual([404, []]);
  });

  test('A password opens the visited address, with a cookie for it, and the click has the source of a code.', async () => {
    const { link, open, clicks } = await newLink({ passwordHash: cheapHash('open sesame'), maxClicks: 2 });
    expect((await open({ suffix: '.q' })).statusCode).toBe(401);
    const response = await open({ suffix: '.q', method: 'POST', body: 'password=open+sesame' });
    expect([response.statusCode, response.headers.Location]).toEqual([303, `/${link.shortCode}.q`]);
    const [cookie = ''] = response.cookies ?? [];
    expect(cookie).toContain(`; Path=/${link.shortCode}.q;`);
    const referer = `https://${workspace.domain.host}/${link.shortCode}.q`;
    const opened = await open({ suffix: '.q', cookies: [cookie.split(';')[0] ?? ''], headers: { referer } });
    expect(opened.statusCode).toBe(302);
    expect(await clicks()).toEqual([expect.objectContaining({ source: 'qr', referrer: 'unknown' })]);
  });
});

test('If the dimensions cannot be determined, because a table of countries is missing, the visitor is redirected, and the error is logged.', async () => {
  vi.stubEnv('COUNTRY_FROM', JSON.stringify('table'));
  vi.stubEnv('LAMBDA_TASK_ROOT', '/nonexistent');
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { link, open, clicks } = await newLink();
  expect((await open()).statusCode).toBe(302);
  const { id: linkId, workspaceId } = link;
  const requestId = expect.stringMatching(/^visit-/);
  expect(log.mock.calls).toEqual([[{ message: 'click not recorded', requestId, workspaceId, linkId, name: 'Error' }]]);
  expect(await clicks()).toEqual([]);
});

test('Whatever headers a visitor sends, a click costs one write unit, and the visitor is redirected.', async () => {
  const environment = countryFromInEnvironment(localStage(3000).settings);
  vi.stubEnv('COUNTRY_FROM', environment.COUNTRY_FROM ?? '');
  const { open } = await newLink();
  await open();
  pass(1_000);
  const long = fc.constantFrom(
    `https://${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(53)}.example/`,
    `https://${'ü.'.repeat(60)}example/`,
    'x'.repeat(9_000),
    `${'de-AT;q=0.9,'.repeat(700)}`,
  );
  const text = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 200 }), fc.webUrl(), fc.ipV6(), long);
  const names = ['referer', 'accept-language', 'sec-ch-ua', 'sec-ch-ua-platform', 'sec-ch-ua-mobile', 'x-country', 'x-address'];
  const headers = fc.dictionary(fc.constantFrom(...names), text);
  await fc.assert(
    fc.asyncProperty(headers, fc.constantFrom('', '.q'), async (sent, suffix) => {
      const { result, units } = await underFaults(
        () => undefined,
        () => open({ suffix, headers: { ...sent, 'x-origin-secret': 'laptop' } }),
      );
      expect([result.statusCode, units.write]).toEqual([302, 1]);
    }),
    { numRuns: runs(20) },
  );
});
