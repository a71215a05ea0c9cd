import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { alarming } from '../../../lambdas/core/alarms.ts';
import { hashPassword } from '../../../lambdas/core/link/password.ts';
import { timeLeft } from '../../../lambdas/runtime/deadline.ts';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { underFaults } from '../../support/faults/faults.ts';
import { sized } from '../../support/run/proof.ts';
import { inOwnTime } from '../../support/store/own-time.ts';
import { clicksOf, type Store, useStore } from '../../support/store/store.ts';
import { cheapHash } from '../../support/things/password.ts';
import { curl, pass, startVisits, type VisitOptions, visit } from '../../support/things/visit.ts';

vi.mock('../../../lambdas/runtime/instant.ts', async (original) =>
  (await import('../../support/store/own-time.ts')).withOwnTime(await original()),
);

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** A link with these settings, and a function for its visits. */
async function newLink(changes: LinkChanges = {}) {
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = await store.updateLink(found, { url: 'https://example.org/page', ...changes });
  const open = (options: Partial<VisitOptions> = {}) =>
    visit({ host: workspace.domain.host, path: `/${link.shortCode}`, ...options });
  const used = () => store.usedOf(link);
  return { link, open, used };
}

describe('An open link', () => {
  test('A link redirects with its type, and browsers keep an open 301 for at most 58 seconds.', async () => {
    const temporary = await (await newLink()).open();
    expect(temporary).toMatchObject({
      statusCode: 302,
      headers: { Location: 'https://example.org/page', 'Cache-Control': 'private, no-store' },
    });
    const permanent = await (await newLink({ redirectType: 'PERMANENT_301' })).open();
    expect(permanent).toMatchObject({
      statusCode: 301,
      headers: { 'Cache-Control': expect.stringMatching(/^private, max-age=[1-5]?\d$/) },
    });
  });

  test('A 301 is cached no longer than 60 seconds after the function has read the domain.', async () => {
    const { link } = await newLink({ redirectType: 'PERMANENT_301' });
    const visit = await startVisits();
    const open = () => visit({ host: workspace.domain.host, path: `/${link.shortCode}` });
    await open();
    pass(55_000);
    const { result, accesses } = await underFaults(() => undefined, open);
    // By then, the list of blocked hosts is read again, and the domain is not.
    const read = accesses.filter(({ action }) => action.startsWith('dynamodb:GetItem')).map(({ leadingKey }) => leadingKey);
    expect(read).toEqual(['BLOCKLIST#*', 'LINK#*']);
    expect(result.headers['Cache-Control']).toMatch(/^private, max-age=[0-5]$/);
  });

  test('Once the domain is cached, a visit costs one consistent read of one item and one write.', async () => {
    const { open } = await newLink();
    await open();
    // Otherwise, the link could be cached.
    pass(1_000);
    const { result, commands, units } = await underFaults(
      () => undefined,
      () => open(),
    );
    expect(result.statusCode).toBe(302);
    expect([commands, units]).toEqual([['GetItem', 'PutItem'], { read: 1, write: 1 }]);
  });
});

const visitCount = sized(300, 1_000);

test.for([1, 10, 100])(
  `A link with a cap of %i redirects exactly as many of ${visitCount} visits, 50 at once, and all others get 410.`,
  async (cap) => {
    const { open, used } = await newLink({ maxClicks: cap });
    const answers: Awaited<ReturnType<typeof open>>[] = [];
    while (answers.length < visitCount) {
      // In its own time, so that no visit fails because the machine is busy.
      const visits = Array.from({ length: 50 }, () => inOwnTime(() => open({ headers: curl })));
      answers.push(...(await Promise.all(visits)));
    }
    const count = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length;
    expect([count(302), count(410), await used()]).toEqual([cap, visitCount - cap, cap]);
  },
);

test('Only 10 of 100 guesses that a visitor makes at once are checked.', async () => {
  const { open } = await newLink({ passwordHash: cheapHash('right') });
  const answers = await Promise.all(Array.from({ length: 100 }, () => open({ method: 'POST', body: 'password=wrong' })));
  const count = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length;
  expect([count(401), count(429)]).toEqual([10, 90]);
  expect((await open({ method: 'POST', body: 'password=right' })).statusCode).toBe(429);
  const other = await open({ method: 'POST', body: 'password=right', sourceIp: '192.0.2.2' });
  expect(other.statusCode).toBe(303);
  const opened = await open({ cookies: [(other.cookies?.[0] ?? '').split(';')[0] ?? ''] });
  expect(opened.headers.Location).toBe('https://example.org/page');
});

describe('Strict-Transport-Security', () => {
  const security = 'strict-transport-security';
  const valueIn = ({ headers }: { headers: Record<string, string> }) =>
    Object.entries(headers).find(([name]) => name.toLowerCase() === security)?.[1];

  test('The header is on each response of a stage with https links, for this host only.', async () => {
    const { open } = await newLink();
    const answers = [
      await open(),
      await open({ method: 'HEAD' }),
      await open({ method: 'DELETE' }),
      await open({ path: '/robots.txt' }),
      await open({ path: '/no-such-link' }),
      await open({ host: 'unknown.example.com' }),
      await (await newLink()).open({ budget: 0 }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([302, 302, 405, 200, 404, 404, 503]);
    expect(new Set(answers.map(valueIn))).toEqual(new Set(['max-age=2592000']));
  });

  test('The header is on no response of a stage with http links.', async () => {
    vi.stubEnv('SHORT_URL_ORIGIN', 'http://{domain}:3000');
    const answer = await (await newLink()).open();
    vi.unstubAllEnvs();
    expect([answer.statusCode, valueIn(answer)]).toEqual([302, undefined]);
  });
});

describe('The response to a visitor', () => {
  const person = {};
  const bot = { 'user-agent': 'Googlebot/2.1' };
  const crawler = { 'user-agent': 'Twitterbot/1.0' };
  const json = { accept: 'application/json' };
  const card = { title: 'A title', description: 'A text', image: 'https://example.org/i.png' };

  test.for<[string, LinkChanges, Partial<VisitOptions>, number, string | undefined]>([
    ['a disabled link', { isActive: false }, {}, 404, 'not_found'],
    ['an expired link', { expiresAt: '2020-01-01T00:00:00.000Z' }, {}, 410, 'gone'],
    ['a link that is used up', { maxClicks: 1, isActive: true }, {}, 410, 'gone'],
    ['a blocked bot', { blockBots: true }, { headers: bot }, 403, 'bots_refused'],
    ['a crawler of a capped link without a card', { maxClicks: 9 }, { headers: crawler }, 403, 'bots_refused'],
    [
      'a prefetch of a capped link',
      { maxClicks: 9 },
      { headers: { 'sec-purpose': 'prefetch;prerender' } },
      503,
      'prefetch_refused',
    ],
    ['a link with a password', { passwordHash: 'set below' }, {}, 401, 'password_required'],
    ['a wrong password', { passwordHash: 'set below' }, { headers: { 'link-password': 'wrong' } }, 401, 'password_required'],
    ['an unsupported method', {}, { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['a path that is too long to forward', { forwardPath: true }, { path: `/${'x'.repeat(8_200)}` }, 414, 'address_too_long'],
    ['a preview of a link that hides its destination', { cloaked: true }, { path: '+' }, 404, 'not_found'],
  ])(
    'A refusal is a page, a problem document or a line, and never shows the destination: %s.',
    async ([name, changes, asked, status, code]) => {
      const passwordHash = changes.passwordHash ? cheapHash('right') : undefined;
      const { link, open } = await newLink({ ...changes, ...(passwordHash && { passwordHash }) });
      if (name === 'a link that is used up') await open();
      const path = `/${link.shortCode}${asked.path ?? ''}`;
      const page = await open({ ...asked, path });
      const problem = await open({ ...asked, path, headers: { ...asked.headers, ...json } });
      const text = await open({ ...asked, path, headers: { ...asked.headers, accept: '*/*' } });
      for (const answer of [page, problem, text]) {
        expect(answer.statusCode).toBe(status);
        expect(answer.headers).toMatchObject({ 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' });
        expect(JSON.stringify(answer)).not.toContain('example.org');
      }
      expect(page.headers['Content-Type']).toBe('text/html; charset=utf-8');
      expect(page.headers['Referrer-Policy']).toBe('same-origin');
      expect(JSON.parse(problem.body ?? '')).toMatchObject({ type: `urn:problem:links:${code}`, status, code });
      expect(problem.headers['Content-Type']).toBe('application/problem+json');
      expect(text.body).toMatch(/^[^\n]+: [^\n]+\n$/);
      if (status === 401) expect(page.headers['WWW-Authenticate']).toBe('Link-Password');
      if (status === 503) expect(page.headers['Retry-After']).toBe('1');
      if (status === 405) expect(page.headers.Allow).toBe('GET, HEAD, POST');
    },
  );

  test('The problem document has a reason if its code does not imply it.', async () => {
    const reasonOf = async (changes: LinkChanges, path = '') => {
      const { link, open } = await newLink(changes);
      return JSON.parse((await open({ path: `/${link.shortCode}${path}`, headers: json })).body ?? '').reason;
    };
    expect(await reasonOf({ isActive: false })).toBeUndefined();
    expect(await reasonOf({ expiresAt: '2020-01-01T00:00:00.000Z' })).toBe('expired');
    expect(await reasonOf({ cloaked: true }, '+')).toBe('no_preview');
  });

  test('A link on a pending domain is pending, and an unknown domain is not found.', async () => {
    const { link } = await newLink();
    await store.addDomain(workspace.id, 'later.example.com', 'PENDING_DNS');
    const at = async (host: string) => JSON.parse((await visit({ host, path: `/${link.shortCode}`, headers: json })).body ?? '');
    expect(await at('later.example.com')).toMatchObject({ status: 404, reason: 'pending' });
    expect(await at('unknown.example.com')).toMatchObject({ status: 404, code: 'not_found' });
    expect((await at('unknown.example.com')).reason).toBeUndefined();
  });

  test('HEAD gets the response of GET without a body, and for a capped link without its destination.', async () => {
    const plain = await (await newLink()).open({ method: 'HEAD' });
    expect([plain.statusCode, plain.headers.Location, plain.body]).toEqual([302, 'https://example.org/page', '']);
    const capped = await (await newLink({ maxClicks: 3 })).open({ method: 'HEAD' });
    expect([capped.statusCode, capped.headers.Location, capped.body]).toEqual([200, undefined, '']);
    const gone = await (await newLink({ isActive: false })).open({ method: 'HEAD' });
    expect([gone.statusCode, gone.headers['Content-Type'], gone.body]).toEqual([404, 'text/html; charset=utf-8', '']);
  });

  test('A crawler gets a card of the link, without its destination.', async () => {
    const { open } = await newLink({ ...card, image: 'https://images.example/i.png' });
    const { statusCode, body = '', headers } = await open({ headers: crawler });
    expect(statusCode).toBe(200);
    for (const [name, content] of [
      ['og:title', 'A title'],
      ['og:description', 'A text'],
      ['og:image', 'https://images.example/i.png'],
      ['twitter:card', 'summary_large_image'],
    ]) {
      expect(body).toContain(`="${name}" content="${content}">`);
    }
    expect(body + JSON.stringify(headers)).not.toContain('example.org');
  });

  test('A crawler of a link with only a title gets the destination, whose card the chat then shows.', async () => {
    const to = async (changes: LinkChanges) => {
      const { statusCode, headers } = await (await newLink(changes)).open({ headers: crawler });
      return headers.Location ?? statusCode;
    };
    const { title } = card;
    expect(await to({ title })).toBe('https://example.org/page');
    expect(await to({ title, metaPixelId: '1' })).toBe('https://example.org/page');
    expect(await to({ title, maxClicks: 3 })).toBe(403);
    expect(await to({ title, blockBots: true })).toBe(403);
    expect(await to({ title, description: 'A text' })).toBe(200);
    expect(await to({ image: 'https://images.example/i.png' })).toBe(200);
  });

  test('A preview shows host, title and day, and the visit does not count.', async () => {
    const { link, open } = await newLink({ title: 'A title' });
    const shown = (headers: Record<string, string>) => open({ path: `/${link.shortCode}+`, headers });
    expect((await shown({ accept: '*/*' })).body).toBe(
      `This link leads to example.org. A title. Created on ${link.createdAt.slice(0, 10)}\n`,
    );
    expect(JSON.parse((await shown(json)).body ?? '')).toEqual({
      host: 'example.org',
      hosts: ['example.org'],
      title: 'A title',
      createdOn: link.createdAt.slice(0, 10),
    });
    expect((await shown(person)).body).toContain('This link leads to example.org');
    expect(await clicksOf(link.id)).toBe(0);
  });

  test.for([
    ['Sec-GPC', { 'sec-gpc': '1' }],
    ['DNT', { dnt: '1' }],
    ['DNT twice', { dnt: '1,1' }],
    ['a client that accepts no pages', { accept: '*/*' }],
    ['bots', bot],
  ] as const)('No pixel is fired for %s.', async ([, headers]) => {
    const { open } = await newLink({ metaPixelId: '1', googleTagId: 'G-1' });
    expect((await open({ headers })).statusCode).toBe(302);
    expect((await open()).statusCode).toBe(200);
  });

  test.for([
    ['/robots.txt', 200, 'User-agent: *\nDisallow:\n'],
    ['/favicon.ico', 204, ''],
  ] as const)('The path %s gets %i on any host.', async ([path, status, body]) => {
    expect(await visit({ host: 'any.example', path })).toMatchObject({ statusCode: status, body });
  });

  test('A title is one line of a preview in text, without terminal commands.', async () => {
    const { link, open } = await newLink({ title: 'x\n\u001b]0;pwned\u0007\u001b[2J\nThis link leads to bank.example\u202e' });
    const { body = '' } = await open({ path: `/${link.shortCode}+`, headers: { accept: '*/*' } });
    expect(body).toMatch(/^This link leads to example\.org\. [^\p{Cc}\u202e]+\n$/u);
  });

  test('A host that is too long for a domain is unknown.', async () => {
    expect((await visit({ host: 'a'.repeat(3_000), path: '/known' })).statusCode).toBe(404);
  });

  test('A slug is found in any case.', async () => {
    const { link, open } = await newLink();
    expect((await open({ path: `/${link.shortCode.toUpperCase()}` })).statusCode).toBe(302);
  });
});

test.for([
  '/',
  '/a//b',
  '/ü',
  '/a b',
  '/a%20b',
  `/${'a'.repeat(191)}`,
  `/${'a'.repeat(8_000)}`,
  '/..',
  '/.well-known',
  '/a++',
  '/+',
  '/a\0b',
  '/a\r\nb',
  '',
])("The path %j can't be a link, and costs no call once the domain is cached.", async (path) => {
  await visit({ host: workspace.domain.host, path: '/' });
  const { result, commands } = await underFaults(
    () => undefined,
    () => visit({ host: workspace.domain.host, path }),
  );
  expect([result.statusCode, commands]).toEqual([404, []]);
});

describe('a password', () => {
  const protectedLink = async (more: LinkChanges = {}) => newLink({ passwordHash: cheapHash('open sesame'), ...more });
  const form = (password: string) => ({ method: 'POST', body: new URLSearchParams({ password }).toString() });
  const cookieOf = ({ cookies = [] }: { cookies?: string[] }) => cookies.map((cookie) => cookie.split(';')[0] ?? '');

  test('The right password redirects to the same address, with a cookie that opens it for 15 minutes.', async () => {
    const { link, open } = await protectedLink({ forwardParameters: true });
    const answer = await open({ ...form('open sesame'), path: `/${link.shortCode}?a=1&b=%0d%0aX` });
    expect([answer.statusCode, answer.headers.Location]).toEqual([303, `/${link.shortCode}?a=1&b=%0d%0aX`]);
    expect(answer.cookies).toEqual([
      expect.stringMatching(
        new RegExp(`^link-access=[\\w.-]+; Max-Age=900; Path=/${link.shortCode}; HttpOnly; SameSite=Lax; Secure$`),
      ),
    ]);
    expect((await open({ cookies: cookieOf(answer) })).statusCode).toBe(302);
    expect((await open({ cookies: ['other=1', ...cookieOf(answer)] })).statusCode).toBe(302);
  });

  test('A cookie is valid only for its link and its password.', async () => {
    const [one, other] = [await protectedLink(), await protectedLink()];
    const cookies = cookieOf(await one.open(form('open sesame')));
    expect((await other.open({ cookies })).statusCode).toBe(401);
    const found = await store.getLink(workspace.workspaceId, one.link.id);
    if (found) await store.updateLink(found, { passwordHash: cheapHash('another') });
    expect((await one.open({ cookies })).statusCode).toBe(401);
  });

  test('A password of 128 characters may be sent in another Unicode form than the stored one.', async () => {
    const { open } = await newLink({ passwordHash: await hashPassword('\u1ebf'.repeat(128)) });
    expect((await open(form('e\u0302\u0301'.repeat(128)))).statusCode).toBe(303);
    const emoji = await newLink({ passwordHash: await hashPassword('😀'.repeat(128)) });
    expect((await emoji.open(form('😀'.repeat(128)))).statusCode).toBe(303);
  });

  test('A changed password ends the lock after too many wrong ones.', async () => {
    const { link, open } = await protectedLink();
    const from = (index: number) => `198.51.100.${index}`;
    await Promise.all(Array.from({ length: 110 }, (_, index) => open({ ...form('wrong'), sourceIp: from(index) })));
    expect((await open({ ...form('open sesame'), sourceIp: from(200) })).statusCode).toBe(429);
    const found = await store.getLink(workspace.workspaceId, link.id);
    if (found) await store.updateLink(found, { passwordHash: cheapHash('another') });
    expect((await open({ ...form('another'), sourceIp: from(200) })).statusCode).toBe(303);
  });

  test('A password does not redirect to an address that is too long.', async () => {
    const { link, open } = await protectedLink();
    const answer = await open({ ...form('open sesame'), path: `/${link.shortCode}?${"'".repeat(4_000)}` });
    expect([answer.statusCode, answer.headers.Location]).toEqual([414, undefined]);
  });

  test('A password may be sent in a header, and is compared in NFC.', async () => {
    const { open } = await newLink({ passwordHash: await hashPassword('pa\u0301ss') });
    expect((await open({ headers: { 'link-password': 'p\u00e1ss' } })).statusCode).toBe(302);
  });

  test('A password in the address is ignored.', async () => {
    const { link, open } = await protectedLink();
    expect((await open({ path: `/${link.shortCode}?password=open+sesame` })).statusCode).toBe(401);
  });

  test.for(['', 'password=', 'other=1', `password=${'x'.repeat(5_000)}`, `password=${'x'.repeat(600)}`, '\0%'])(
    "A body that can't have a password costs no attempt: %j.",
    async (body) => {
      const { open } = await protectedLink();
      for (let index = 0; index < 12; index++) expect((await open({ method: 'POST', body })).statusCode).toBe(401);
      expect((await open(form('open sesame'))).statusCode).toBe(303);
    },
  );

  test('A password for a link without one redirects to the link.', async () => {
    const { link, open, used } = await newLink({ maxClicks: 5 });
    const answer = await open(form('anything'));
    expect([answer.statusCode, answer.headers.Location, answer.cookies]).toEqual([303, `/${link.shortCode}`, undefined]);
    expect(await used()).toBe(0);
  });

  test('A wrong password does not count against a cap.', async () => {
    const { open, used } = await protectedLink({ maxClicks: 1 });
    for (let index = 0; index < 12; index++) await open(form('wrong'));
    expect(await used()).toBe(0);
  });
});

describe('An outage of the store', () => {
  test('A visitor is asked to retry.', async () => {
    const { open } = await newLink();
    const { result } = await underFaults(
      () => 'throttle',
      () => open({ budget: 300 }),
    );
    expect([result.statusCode, result.headers['Retry-After']]).toEqual([503, '1']);
  });

  test('A visitor waits at most a second for all attempts to record the click, and is redirected.', async () => {
    const { open } = await newLink();
    const left: number[] = [];
    const { result } = await underFaults(
      ({ command }) => {
        if (command !== 'PutItem') return undefined;
        left.push(timeLeft());
        return 'lost-before';
      },
      () => open(),
    );
    expect(result.statusCode).toBe(302);
    expect(left.length).toBeGreaterThan(1);
    expect(Math.max(...left)).toBeLessThanOrEqual(1_000);
  });

  test("A click that could not be recorded is logged with the alarm's text.", async () => {
    const { link, open } = await newLink();
    const log = vi.spyOn(console, 'error');
    await underFaults(
      ({ command }) => (command === 'PutItem' ? 'lost-before' : undefined),
      () => open({ budget: 500 }),
    );
    expect(log.mock.calls).toEqual([
      [
        {
          message: alarming.clickNotRecorded,
          requestId: expect.any(String),
          workspaceId: link.workspaceId,
          linkId: link.id,
          name: 'RequestError',
        },
      ],
    ]);
  });

  test('If only clicks fail, visitors are still redirected, but never beyond a cap.', async () => {
    const down = (failing: string, link: { open: (options: Partial<VisitOptions>) => ReturnType<typeof visit> }) =>
      underFaults(
        ({ command }) => (command === failing ? 'throttle' : undefined),
        () => link.open({ budget: 500 }),
      );
    const capped = await newLink({ maxClicks: 2 });
    expect((await down('PutItem', await newLink())).result.statusCode).toBe(302);
    expect((await down('PutItem', capped)).result.statusCode).toBe(302);
    expect([await capped.used(), await clicksOf(capped.link.id)]).toEqual([1, 0]);
    expect((await down('UpdateItem', capped)).result.statusCode).toBe(503);
  });
});

describe('The log of visits', () => {
  afterEach(() => vi.unstubAllEnvs());

  test('By default, a successful visit logs nothing.', async () => {
    const { open } = await newLink();
    const [out, log] = [vi.spyOn(process.stdout, 'write'), vi.spyOn(console, 'info')];
    expect((await open()).statusCode).toBe(302);
    expect([out.mock.calls, log.mock.calls]).toEqual([[], []]);
  });

  test('With a dashboard, each visit is counted by its outcome.', async () => {
    const { open } = await newLink();
    vi.stubEnv('METRICS', 'Links/dev');
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await open();
    await open({ path: '/no-such-link' });
    await open({ method: 'DELETE' });
    const lines = out.mock.calls.map(([line]) => JSON.parse(String(line)));
    out.mockRestore();
    expect(lines.map(({ Visits, Outcome }) => [Visits, Outcome])).toEqual([
      [1, 'redirect'],
      [1, 'not found'],
      [1, 'refused'],
    ]);
  });

  test('With access logs, each visit is a line with the network of its address, and without query and address.', async () => {
    const { link, open } = await newLink();
    vi.stubEnv('ACCESS_LOGS', 'on');
    const log = vi.spyOn(console, 'info').mockReturnValue();
    await open({ sourceIp: '198.51.100.77', path: `/${link.shortCode}?token=secret` });
    expect(log.mock.calls).toEqual([
      [
        {
          message: 'access',
          requestId: expect.any(String),
          method: 'GET',
          host: link.domain,
          path: `/${link.shortCode}`,
          status: 302,
          ms: expect.any(Number),
          network: '198.51.100.0/24',
        },
      ],
    ]);
  });
});
