import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { underFaults } from '../../../support/faults/faults.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { anyCharacter } from '../../../support/run/any-character.ts';
import { runs } from '../../../support/run/proof.ts';
import { clicksOf, type Store, useStore } from '../../../support/store/store.ts';
import { curl, startVisits, type VisitOptions } from '../../../support/things/visit.ts';

// Addresses as texts, chats, mails and apps alter them.

const url = 'https://example.org/page?own=1#part';
let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
let visit: Awaited<ReturnType<typeof startVisits>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
  visit = await startVisits();
});

async function newLink(customSlug: string, settings: object = {}): Promise<string> {
  const { status, body } = await callEndpoint('create-link', {
    workspaceId: workspace.workspaceId,
    body: { domain: workspace.domain.host, url, customSlug, ...settings },
  });
  expect([status, body.code]).toEqual([201, undefined]);
  return body.link.id;
}

type More = Omit<VisitOptions, 'host' | 'path'>;
const open = (path: string, more: More = {}) => visit({ host: workspace.domain.host, path, ...more });
/** The location of a path; the status if there is none. */
async function led(path: string, more?: More) {
  const { statusCode, headers } = await open(path, more);
  return headers.Location ?? statusCode;
}

describe('Parameters behind a path without a question mark', () => {
  test('They are read as the query, for every visitor and every use of a query.', async () => {
    const id = await newLink('menu', {
      forwardParameters: true,
      rules: [{ if: { query: { lang: 'de' } }, url: 'https://example.org/de' }],
    });
    await newLink('menu/two', { forwardParameters: true });
    const to = (query: string) => `https://example.org/page?own=1${query}#part`;
    const places: readonly (readonly [path: string, place: string | number])[] = [
      ['/menu&e=ATORFm-k_r&s=1', to('&e=ATORFm-k_r&s=1')],
      ['/MENU/&e=1', to('&e=1')],
      ['/menu&', to('')],
      ['/menu&&brid=1', to('&brid=1')],
      ['/menu&e=1?utm_source=mail&own=2', to('&e=1&utm_source=mail')],
      ['/menu?&brid=1', to('&brid=1')],
      ['/menu&lang=de', 'https://example.org/de?lang=de'],
      ['/menu&a=ü b%#"', to('&a=%C3%BC%20b%25%23%22')],
      ['/menu/two&a=1', to('&a=1')],
      ['/menu.q&a=1', to('&a=1')],
      ['/menu/&a/../../b', to('&a/../../b')],
      ['/&a=1', 404],
      ['/menu/three&a=1', 404],
      ['//menu&a=1', 404],
    ];
    for (const [path, place] of places) expect([path, await led(path)]).toEqual([path, place]);
    expect(await led('/menu&e=1', { headers: curl })).toBe(to('&e=1'));
    expect(await led('/menu&e=1', { method: 'HEAD', headers: curl })).toBe(to('&e=1'));
    expect((await open('/menu+&e=1')).body).toContain('example.org');
    expect(await clicksOf(id)).toBe(places.filter(([path, place]) => place !== 404 && !path.includes('two')).length + 1);
  });

  test('Whatever they are, they lead to the location of the same parameters behind a question mark.', async () => {
    await newLink('passing', { forwardParameters: true });
    const safe = fc.string({ unit: fc.constantFrom(..."abz019-_.~!$'()*+,;=:@/%&"), maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(safe, async (text) => {
        const sent = text.replaceAll('%', '');
        expect(await led(`/passing&${sent}`)).toBe(await led(`/passing?${sent}`));
      }),
      { numRuns: runs(100) },
    );
  });

  test('Behind a slash of a link that forwards paths, they belong to the path.', async () => {
    await newLink('docs', { forwardPath: true, forwardParameters: true });
    await newLink('plain/docs');
    expect(await led('/docs/a&b=1')).toBe('https://example.org/page/a&b=1?own=1#part');
    expect(await led('/docs/&b=1')).toBe('https://example.org/page/&b=1?own=1#part');
    expect(await led('/docs&b=1/c')).toBe('https://example.org/page?own=1&b=1/c#part');
    expect(await led('/plain/docs&b=1')).toBe(url);
  });
});

/** Texts behind an address: ends of sentences, brackets, quotes, marks and invisible characters. */
const ends = [
  ...['.', ',', ';', ':', '!', ')', ']', '}', '>', "'", '"', '”', '’', '»', '…', '*', '`', '~', '|', '\\', '#', '@', '='],
  ...['“', '‘', '«', '›', '。', '，', '、', '）', '」', '』', '！', '？', '؟', '।', '—', '\u200b', '\u200e', '\u2060', '\ufeff'],
  ...['\u00a0', ' ', '\u00ad', '\u3164', '\ufe0f', '\n', '\u0000', '👍🏽'],
];

describe('Punctuation behind a path', () => {
  test('A person who follows an address with punctuation from a text reaches the link.', async () => {
    await newLink('sentence');
    await newLink('sentence/part');
    for (const end of ends) expect([end, await led(`/sentence${end}`)]).toEqual([end, url]);
    const many = fc.array(fc.constantFrom(...ends), { minLength: 1, maxLength: 20 }).map((all) => all.join(''));
    await fc.assert(
      fc.asyncProperty(
        many,
        fc.constantFrom('/sentence', '/SENTENCE', '/sentence/', '/sentence/part', '/sentence.q'),
        async (end, path) => {
          // `/sentence/.` and `/sentence/..` name other places.
          fc.pre(!/\/\.{1,2}$/.test(path + end));
          expect(await led(path + end)).toBe(url);
          expect(await led(`${path.replace(/\/$/, '')}${end}/`)).toBe(url);
        },
      ),
      { numRuns: runs(100) },
    );
    expect((await open('/sentence+).')).body).toContain('example.org');
    expect(await led('/sentence).?fbclid=1')).toBe(url);
  });

  test('Only a person who opens a page reaches the link: programs, HEAD requests and forms get 404.', async () => {
    const id = await newLink('strict');
    for (const accept of ['*/*', 'application/json', 'image/png'])
      expect(await led('/strict.', { headers: { accept } })).toBe(404);
    expect(await led('/strict.', { headers: curl })).toBe(404);
    expect(await led('/strict.', { method: 'HEAD' })).toBe(404);
    expect(await led('/strict.', { method: 'POST', body: 'confirm=1' })).toBe(404);
    expect(await clicksOf(id)).toBe(0);
  });

  test("Only characters at the end that aren't letters, digits, hyphens or underscores are left out.", async () => {
    await newLink('end');
    for (const path of [
      '/end-',
      '/end_',
      '/end.x',
      '/end)x',
      '/endλ',
      '/end//',
      '/end/λ',
      '/.end',
      '/(end',
      '//end.',
      '/end/.',
      '/end/..',
      '/end/../',
      '/...',
      '/',
    ])
      expect([path, await led(path)]).toEqual([path, 404]);
  });
});

test('The exact address takes priority, then a link that forwards the path, then `&`, then the trimmed address, then the page for unknown links.', async () => {
  const own = await store.newWorkspace();
  const at = (customSlug: string, settings: object = {}) =>
    callEndpoint('create-link', {
      workspaceId: own.workspaceId,
      body: { domain: own.domain.host, url: `https://example.org/${customSlug}`, customSlug, ...settings },
    });
  await store.updateDomain(own.domain, { notFoundUrl: 'https://example.org/unknown' }, { isExact: false });
  // The location of each path at first, and after each link was made.
  const paths = { '/a/b.': ['unknown', 'a/b', 'a/b.', 'a/b.'], '/a/b.&c': ['unknown', 'a/b', 'a/b.', 'a/b.&c'] };
  const makers = [() => at('a/b'), () => at('a/b.'), () => at('a', { forwardPath: true })];
  const led = async () => {
    const freshly = await startVisits();
    return Promise.all(Object.keys(paths).map(async (path) => (await freshly({ host: own.domain.host, path })).headers.Location));
  };
  for (const [index, make] of [async () => undefined, ...makers].entries()) {
    await make();
    expect(await led()).toEqual(Object.values(paths).map((places) => `https://example.org/${places[index]}`));
  }
});

test('Trimming costs at most one more call for an unknown address of a person, and none for known ones and programs.', async () => {
  await newLink('cost');
  const fresh = await startVisits();
  const callsOf = async (path: string, more: More = {}) =>
    (
      await underFaults(
        () => undefined,
        () => fresh({ host: workspace.domain.host, path, method: 'GET', ...more }),
      )
    ).commands;
  const head: More = { method: 'HEAD' };
  await callsOf('/robots.txt');
  await callsOf('/nothing');
  expect(await callsOf('/cost', head)).toEqual(['GetItem']);
  expect(await callsOf('/unknown')).toEqual(['GetItem']);
  expect(await callsOf('/unknown.')).toEqual(['GetItem', 'GetItem']);
  expect(await callsOf('/unknown)')).toEqual(['GetItem']);
  expect(await callsOf('/unknown&a=1')).toEqual(['GetItem']);
  expect(await callsOf('/unknown.&a=1')).toEqual(['BatchGetItem']);
  expect(await callsOf('/un/known.')).toEqual(['GetItem', 'BatchGetItem']);
  expect(await callsOf('/un/known&a=1')).toEqual(['BatchGetItem']);
  for (const more of [head, { headers: curl }]) {
    expect(await callsOf('/unknown.', more)).toEqual(['GetItem']);
    expect(await callsOf('/unknown)', more)).toEqual([]);
  }
  // The function caches the link, as if it had been visited at its own address.
  expect(await callsOf('/cost&a=1', head)).toEqual([]);
});

test('A form is shown at the link’s own address, so that the entered values arrive.', async () => {
  await newLink('locked', { password: 'open sesame', forwardParameters: true });
  await newLink('asking', { confirmVisit: true, forwardParameters: true });
  for (const slug of ['locked', 'asking']) {
    expect(await led(`/${slug}.?b=1`)).toBe(`/${slug}?b=1`);
    expect(await led(`/${slug}&a=1?b=1`)).toBe(`/${slug}?a=1&b=1`);
    expect((await open(`/${slug}.`)).statusCode).toBe(303);
  }
  // Programs send the password, or the confirmation, with the request.
  expect(await led('/locked&a=1', { headers: curl })).toBe(401);
  expect(await led('/locked&a=1', { headers: { ...curl, 'link-password': 'open sesame' } })).toBe(
    'https://example.org/page?own=1&a=1#part',
  );
  expect(await led('/asking&a=1', { headers: { ...curl, 'link-confirm': '1' } })).toBe('https://example.org/page?own=1&a=1#part');
  const entered = await open('/locked&a=1', { method: 'POST', body: 'password=open+sesame' });
  expect([entered.headers.Location, entered.cookies?.[0]]).toEqual(['/locked?a=1', expect.stringContaining('; Path=/locked;')]);
});

test('A capped link counts such visits, a former slug leads on, and a disabled link stays unknown.', async () => {
  const capped = await newLink('scarce', { maxClicks: 2 });
  expect([await led('/scarce.'), await led('/scarce&a'), await led('/scarce)')]).toEqual([url, url, 410]);
  expect(await clicksOf(capped)).toBe(2);
  const moved = await newLink('former');
  await callEndpoint('update-link', { workspaceId: workspace.workspaceId, id: moved, body: { customSlug: 'latter' } });
  expect([await led('/former!'), await led('/former&a=1'), await led('/latter!')]).toEqual([url, url, url]);
  await newLink('off', { isActive: false });
  expect([await led('/off.'), await led('/off&a=1')]).toEqual([404, 404]);
});

test('Whatever an address contains, a visit gets a response, leads only to the link, and has clean headers.', async () => {
  await newLink('any', { password: 'open sesame', forwardParameters: true });
  const cookies = (await open('/any', { method: 'POST', body: 'password=open+sesame' })).cookies?.map(
    (one) => one.split(';')[0] ?? '',
  );
  const text = fc.string({
    unit: fc.oneof(anyCharacter, fc.constantFrom(...ends, '&', '?', '/', '+', '%', '\r\n')),
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(text, fc.boolean(), async (end, isOpen) => {
      const { statusCode, headers } = await open(`/any${end}`, isOpen && cookies ? { cookies } : {});
      expect([200, 302, 303, 401, 404]).toContain(statusCode);
      expect(headers.Location ?? '/any').toMatch(
        /^(https:\/\/example\.org\/page\?own=1[!-~]*#part|\/any(\.q|\+)?\/?(\?[!-~]*)?)$/,
      );
    }),
    { numRuns: runs(200) },
  );
});
