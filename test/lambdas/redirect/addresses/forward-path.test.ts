import { beforeAll, describe, expect, test } from 'vitest';
import { underFaults } from '../../../support/faults/faults.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { clicksOf, type Store, useStore } from '../../../support/store/store.ts';
import { curl, startVisits } from '../../../support/things/visit.ts';

const url = 'https://example.org/base/?own=1#part';
let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
});

const call = (name: string, more: object) => callEndpoint(name, { workspaceId: workspace.workspaceId, ...more });

/** A link that forwards paths, and a new function for visits of its domain. */
async function newLink(customSlug: string, settings: object = {}) {
  const { status, body } = await call('create-link', {
    body: { domain: workspace.domain.host, url, customSlug, forwardPath: true, ...settings },
  });
  expect([status, body.code]).toEqual([201, undefined]);
  const visit = await startVisits();
  const open = (path: string, more: object = {}) => visit({ host: workspace.domain.host, path, ...more });
  const led = async (path: string, more: object = {}) => {
    const { statusCode, headers } = await open(path, more);
    return statusCode === 302 ? headers.Location : statusCode;
  };
  return { id: body.link.id as string, open, led };
}

const to = (path: string) => `https://example.org/base/${path}?own=1#part`;

test('A path behind a slug leads to the same path behind the destination, escaped part by part.', async () => {
  const { id, led } = await newLink('docs');
  const places: readonly (readonly [path: string, place: string | number])[] = [
    ['/docs', url],
    ['/docs/', url],
    ['/docs/a', to('a')],
    ['/DOCS/a/B/', to('a/B/')],
    ['/docs/a/b/c/d/e/f', to('a/b/c/d/e/f')],
    ['/docs/ü b', to('%C3%BC%20b')],
    ['/docs/a%2eb', to('a%252eb')],
    ['/docs/@me:1', to('@me:1')],
    ['/docs/file.svg', to('file.svg')],
    ['/docs/a+', to('a+')],
    ['/docs/a.q', to('a.q')],
    ['/docs.q', url],
    ['/docs/..', 404],
    ['/docs/a/../b', 404],
    ['/docs/./a', 404],
    ['/docs//a', 404],
    ['/docs//', 404],
    ['/docs//evil.example', 404],
    ['/docs/\\evil.example', 404],
    ['//docs/a', 404],
    ['/docs.q/a', 404],
    ['/docs+/a', 404],
  ];
  const led_ = await Promise.all(places.map(async ([path]) => [path, await led(path)]));
  expect(led_).toEqual(places);
  expect(await clicksOf(id)).toBe(places.filter(([, place]) => place !== 404).length);
});

test('A link at the whole path takes priority, then the link with the longest slug before it among those that forward paths.', async () => {
  await newLink('tree', { url: 'https://example.org/1' });
  await newLink('tree/a/b', { url: 'https://example.org/3' });
  await newLink('tree/a', { url: 'https://example.org/2', forwardPath: false });
  const { led } = await newLink('tree/a/b/c/d', { url: 'https://example.org/5', forwardPath: false });
  expect(await led('/tree/a/b/c/d')).toBe('https://example.org/5');
  expect(await led('/tree/a/b/c')).toBe('https://example.org/3/c');
  expect(await led('/tree/a/x')).toBe('https://example.org/1/a/x');
  expect(await led('/tree/a')).toBe('https://example.org/2');
  expect(await led('/tree/a/b/c/d/e')).toBe('https://example.org/3/c/d/e');
});

test('A path is forwarded to each URL of a link, with the parameters, and also from a former slug.', async () => {
  const { id, led } = await newLink('chosen', {
    forwardParameters: true,
    rules: [{ if: { query: { to: 'rule' } }, url: 'https://rule.example.org/r' }],
    variants: [
      { id: 'a', url: 'https://example.net/v/', weight: 1 },
      { id: 'b', url: 'https://example.net/v/', weight: 1 },
    ],
  });
  expect(await led('/chosen/x?to=rule')).toBe('https://rule.example.org/r/x?to=rule');
  expect(await led('/chosen/x/?a=1')).toBe('https://example.net/v/x/?a=1');
  expect((await call('update-link', { id, body: { customSlug: 'chosen/later' } })).status).toBe(200);
  expect(await led('/chosen/later/x')).toBe('https://example.net/v/x');
  expect(await led('/chosen/x')).toBe('https://example.net/v/x');
});

test('A cloaked link frames the path behind its destination, and a capped one counts each path.', async () => {
  const framed = await newLink('framed', { cloaked: true });
  expect((await framed.open('/framed/in%side')).body).toContain('<iframe src="https://example.org/base/in%25side?own=1#part"');
  const capped = await newLink('capped', { maxClicks: 2 });
  expect([
    await capped.led('/capped/a'),
    await capped.led('/capped/b', { method: 'HEAD' }),
    await capped.led('/capped/b'),
  ]).toEqual([to('a'), 200, to('b')]);
  expect(await capped.led('/capped/c')).toBe(410);
});

test('A password that was entered on one path opens all paths of the link, and returns to that path.', async () => {
  const { open, led } = await newLink('locked', { password: 'open sesame' });
  const body = new URLSearchParams({ password: 'open sesame' }).toString();
  expect(await led('/locked/ü/a')).toBe(401);
  const entered = await open('/locked/ü/a?b=1', { method: 'POST', body });
  expect([entered.statusCode, entered.headers.Location]).toEqual([303, '/locked/%C3%BC/a?b=1']);
  expect(entered.cookies?.[0]).toContain('; Path=/locked;');
  const cookies = [entered.cookies?.[0]?.split(';')[0] ?? ''];
  expect([await led('/locked/x', { cookies }), await led('/locked', { cookies })]).toEqual([to('x'), url]);
});

test('An unknown nested path costs one more call than a plain one, which costs one.', async () => {
  await newLink('cost');
  const { open } = await newLink('plain', { forwardPath: false });
  await open('/robots.txt');
  await open('/nothing');
  const callsOf = async (path: string) =>
    (
      await underFaults(
        () => undefined,
        () => open(path, { method: 'HEAD' }),
      )
    ).commands;
  expect(await callsOf('/plain')).toEqual(['GetItem']);
  expect(await callsOf('/unknown')).toEqual(['GetItem']);
  expect(await callsOf('/unknown/deep/path/of/many/parts')).toEqual(['GetItem', 'BatchGetItem']);
  expect(await callsOf('/unknown/ü')).toEqual(['BatchGetItem']);
  expect(await callsOf('/cost/a')).toEqual(['GetItem', 'BatchGetItem']);
  expect(await callsOf('/unknown/../path')).toEqual([]);
});

describe('A link that forwards paths', () => {
  const deep = 'a/b/c/d/e';

  test('It has a slug of at most four parts, whichever of the two is set first.', async () => {
    const domain = workspace.domain.host;
    const refused = (answer: Awaited<ReturnType<typeof call>>, path: string) => {
      expectProblem(answer, 422, 'validation_failed');
      expect(answer.body.errors).toMatchObject([{ path, code: 'slug_too_deep' }]);
    };
    refused(await call('create-link', { body: { domain, url, customSlug: deep, forwardPath: true } }), '/customSlug');
    refused(
      await call('put-link', { externalId: 'x', body: { domain, url, customSlug: deep, forwardPath: true } }),
      '/customSlug',
    );
    const { body } = await call('bulk-create-links', { body: { domain, links: [{ url, customSlug: deep, forwardPath: true }] } });
    expect(body.failed).toMatchObject([{ code: 'slug_too_deep' }]);
    const { id } = await newLink('a/b/c/d');
    refused(await call('update-link', { id, body: { customSlug: deep } }), '/customSlug');
    const other = (await newLink('a/b/c/d/e/f', { forwardPath: false })).id;
    refused(await call('update-link', { id: other, body: { forwardPath: true } }), '/forwardPath');
    const many = await call('bulk-update-links', { body: { ids: [other, id], fields: { forwardPath: true } } });
    expect(many.body).toMatchObject({ updated: 1, failed: [{ index: 0, code: 'validation_failed' }] });
    expect((await call('update-link', { id, body: { customSlug: deep, forwardPath: false } })).status).toBe(200);
  });

  test('If a deep slug and the setting are set at the same time, only one succeeds.', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await newLink(`race-${round}`, { forwardPath: false });
      await Promise.all([
        call('update-link', { id, body: { customSlug: `race/${round}/c/d/e` } }),
        call('update-link', { id, body: { forwardPath: true } }),
      ]);
      const { link } = (await call('get-link', { id })).body;
      expect(link.forwardPath && link.shortCode.includes('/')).toBe(false);
    }
  });
});

test('A link that hides the referrer does so on redirects, in frames, before pixels and after its end; others do not.', async () => {
  const policyOf = async (slug: string, settings: object) => {
    const { open } = await newLink(slug, { forwardPath: false, ...settings });
    return (await open(`/${slug}`, slug.startsWith('pixels') ? {} : { headers: curl })).headers['Referrer-Policy'];
  };
  const ended = { expiresAt: '2020-01-01T00:00:00Z', expiredUrl: 'https://example.org/over' };
  const cases: readonly (readonly [name: string, settings: object, otherwise: string | undefined])[] = [
    ['plain-referrer', {}, undefined],
    ['ended-referrer', ended, undefined],
    ['frame-referrer', { cloaked: true }, 'strict-origin-when-cross-origin'],
    ['pixels-referrer', { metaPixelId: '1' }, 'strict-origin-when-cross-origin'],
  ];
  for (const [name, settings, otherwise] of cases) {
    expect([name, await policyOf(name, { ...settings, hideReferrer: true })]).toEqual([name, 'no-referrer']);
    expect([name, await policyOf(`${name}-shown`, settings)]).toEqual([name, otherwise]);
  }
});
