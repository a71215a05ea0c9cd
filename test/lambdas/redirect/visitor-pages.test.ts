import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { chromiumPath, newPage, useChromium } from '../../support/http/chromium.ts';
import { type Service, useService } from '../../support/service/service.ts';
import { cheapHash } from '../../support/things/password.ts';
import { browser as asBrowser } from '../../support/things/visit.ts';

// The pages in a real browser, from the whole service. Every name leads to this machine: to the service, or to a server that stands for
// everybody else.

// On a machine without Chromium, one skipped test reports that, and nothing fails.
if (!chromiumPath) {
  test.skip('The tests of the pages in a real browser are skipped, because there is no Chromium here (set CHROMIUM_PATH).');
}

/** The user agent without the word that makes a headless browser a bot. */
const userAgent = asBrowser['user-agent'];

const texts = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '<!--<script>alert(1)//-->',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<svg/onload=alert(1)>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#x3C;img src=x onerror=alert(1)&#x3E;',
  'javascript:alert(1)',
  '{{alert(1)}}`',
  '\u2028alert(1)\u2029',
  '\u202egnp.exe',
];

describe.runIf(chromiumPath)('In a real browser', () => {
  let service: Service;
  let store: typeof import('../../../lambdas/store/links/links.ts') & typeof import('../../../lambdas/store/links/changes.ts');
  let workspace: Awaited<ReturnType<Service['newWorkspace']>>;
  let browser: Browser;
  let context: BrowserContext;
  /** The other servers' requests, by name. */
  let others: { requests: IncomingMessage[]; port: number; close(): void };
  let answer: (request: IncomingMessage, response: ServerResponse) => void;

  const greet = (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>There</title><h1>You are there</h1>');

  beforeAll(async () => {
    service = await useService();
    store = {
      ...(await import('../../../lambdas/store/links/links.ts')),
      ...(await import('../../../lambdas/store/links/changes.ts')),
    };
    workspace = await service.newWorkspace();
    browser = await useChromium();
    const requests: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      requests.push(request);
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const close = () => {
      server.closeAllConnections();
      server.close();
    };
    others = { requests, port: (server.address() as AddressInfo).port, close };
  });
  afterAll(async () => {
    others?.close();
  });
  beforeEach(async () => {
    context = await browser.newContext({ userAgent });
    others.requests.length = 0;
    answer = greet;
  });
  afterEach(() => context.close());

  const there = (path = '/') => `http://site.example.com:${others.port}${path}`;
  let made = 0;

  /** A link to another server, how to change it, and its address, under a name whose cookies need no TLS. */
  async function newLink({ password, ...settings }: { password?: string; [setting: string]: unknown } = {}) {
    const domain = `${workspace.domain}.localhost`;
    await service.addDomain(workspace.id, domain, 'ACTIVE');
    const { body } = await workspace.call('POST', '/links', { domain, url: there(), customSlug: `page-${++made}` });
    const id: string = body.link.id;
    const change = async (changes: object) => {
      const { status, text } = await workspace.call('PATCH', `/links/${id}`, changes);
      if (status !== 200) throw new Error(text);
    };
    await change(settings);
    const found = await store.getLink(workspace.id, id);
    if (password && found) await store.updateLink(found, { passwordHash: cheapHash(password) });
    const address = (more = '') => `http://${domain}:${new URL(service.baseUrl).port}/page-${made}${more}`;
    return { id, change, address: address(), preview: address('+') };
  }

  /** Creates links outside of the limit on imports. */
  beforeEach(async () => {
    workspace = await service.newWorkspace();
  });

  const arrived = (page: { url(): string }) => new URL(page.url()).host === `site.example.com:${others.port}`;

  test('The right password opens the link, a wrong one does not, and the visitor is not asked again for a while.', async () => {
    const { page, wrong } = await newPage(context);
    const { address } = await newLink({ password: 'open sesame' });
    expect((await page.goto(address))?.status()).toBe(401);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button').click();
    await page.getByText('Wrong password').waitFor();
    await page.getByLabel('Password').fill('open sesame');
    await page.getByRole('button').click();
    await page.getByText('You are there').waitFor();
    expect(arrived(page)).toBe(true);
    await page.goto(address);
    expect(arrived(page)).toBe(true);
    expect(wrong).toEqual([]);
  });

  test('After too many wrong passwords, even the right one is refused.', async () => {
    const { page } = await newPage(context);
    const { address } = await newLink({ password: 'open sesame' });
    await page.goto(address);
    for (let attempt = 0; attempt < 11; attempt++) {
      await page.getByLabel('Password').fill(attempt < 10 ? 'wrong' : 'open sesame');
      await Promise.all([page.waitForResponse(address), page.getByRole('button').click()]);
    }
    await page.getByText('Too many attempts').waitFor();
    expect(others.requests).toEqual([]);
  });

  test("Another website's page can neither use up a visitor's guesses nor send a password.", async () => {
    const { address } = await newLink({ password: 'open sesame' });
    const statuses: number[] = [];
    context.on('response', (response) => {
      if (response.request().resourceType() === 'fetch') statuses.push(response.status());
    });
    const guesses = `<script type="module">
      for (let guess = 0; guess < 11; guess++)
        await fetch('${address}', { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ password: 'wrong' }) });
      document.title = 'Guessed';
      </script>`;
    const sendsItself = `<form method=post action="${address}"><input name=password value="open sesame"></form><script>document.forms[0].submit()</script>`;
    answer = (request, response) => {
      // A page in a sandbox hides its origin.
      const hidden = request.url === '/hidden' && { 'Content-Security-Policy': 'sandbox allow-forms allow-scripts' };
      response.writeHead(200, { 'Content-Type': 'text/html', ...hidden });
      response.end(request.url === '/guesses' ? guesses : sendsItself);
    };
    const { page } = await newPage(context);
    await page.goto(there('/guesses'));
    await page.waitForFunction('document.title === "Guessed"');
    expect(statuses).toEqual(Array(11).fill(401));

    // Even with the right password, the visitor is asked for it.
    for (const path of ['/hidden', '/form']) {
      await page.goto(there(path));
      await page.getByText('Enter the password here').waitFor();
    }
    expect(new URL(page.url()).host).toBe(new URL(address).host);
    answer = greet;
    await page.getByLabel('Password').fill('open sesame');
    await page.getByRole('button').click();
    await page.getByText('You are there').waitFor();
  });

  test('The form is accepted if the browser sends only its origin, as on plain http.', async () => {
    const { body } = await workspace.importLinks([{ url: there(), customSlug: 'plain' }]);
    await workspace.call('PATCH', `/links/${body.links[0].id}`, { password: 'open sesame' });
    const address = `http://${workspace.domain}:${new URL(service.baseUrl).port}/plain`;
    const { page } = await newPage(context);
    await page.goto(address);
    await page.getByLabel('Password').fill('open sesame');
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button').click();
    const headers = await (await sent).allHeaders();
    expect([headers.origin, headers['sec-fetch-site']]).toEqual([new URL(address).origin, undefined]);
    expect((await answered).status()).toBe(303);
  });

  test('A cookie is hidden from scripts, and invalid if it was changed, or if the password has.', async () => {
    const { page } = await newPage(context);
    const { address, change } = await newLink({ password: 'open sesame' });
    await page.goto(address);
    await page.getByLabel('Password').fill('open sesame');
    await page.getByRole('button').click();
    await page.getByText('You are there').waitFor();
    const [cookie] = await context.cookies(address);
    if (!cookie) throw new Error('no cookie');
    expect(cookie).toMatchObject({ name: 'link-access', httpOnly: true, sameSite: 'Lax', path: new URL(address).pathname });
    await context.addCookies([{ ...cookie, value: cookie.value.replace(/^\d/, '2') }]);
    expect((await page.goto(address))?.status()).toBe(401);
    await context.addCookies([cookie]);
    await page.goto(address);
    expect(arrived(page)).toBe(true);
    await change({ password: 'another' });
    expect((await page.goto(address))?.status()).toBe(401);
  });

  test('A cloaked link shows its destination in a frame, under its own address and title.', async () => {
    const { page, wrong } = await newPage(context);
    const { address } = await newLink({ cloaked: true, title: 'My own title', description: 'My own text' });
    await page.goto(address);
    await page.frameLocator('iframe').getByText('You are there').waitFor();
    expect([page.url(), await page.title()]).toEqual([address, 'My own title']);
    expect(await page.locator('meta[name=description]').getAttribute('content')).toBe('My own text');
    expect(wrong).toEqual([]);
  });

  test('Without scripts, a cloaked link shows its destination in a frame, too.', async () => {
    await context.close();
    context = await browser.newContext({ userAgent, javaScriptEnabled: false });
    const { page, wrong } = await newPage(context);
    const { address } = await newLink({ cloaked: true });
    await page.goto(address);
    await page.frameLocator('iframe').getByText('You are there').waitFor();
    expect(await page.locator('iframe').boundingBox()).toMatchObject({ x: 0, y: 0, ...page.viewportSize() });
    expect(wrong).toEqual([]);
  });

  describe('A framed destination', () => {
    /** Opens a cloaked link, whose frame has this body. */
    async function openFrame(body: string) {
      const { page, wrong } = await newPage(context);
      answer = (request, response) => {
        if (request.url !== '/') return greet(request, response);
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(body);
      };
      const { address } = await newLink({ cloaked: true });
      await page.goto(address);
      return { page, wrong, address, frame: page.frameLocator('iframe') };
    }

    test('A framed destination runs scripts, keeps its origin and sends forms.', async () => {
      const { page, wrong, address, frame } = await openFrame(
        `<form method="post" action="/sent"><button>Send</button></form><p></p>
        <script>fetch('/data').then(({ status }) => { document.querySelector('p').textContent = status + ' for ' + origin })</script>`,
      );
      await frame.getByText(`200 for ${new URL(there()).origin}`).waitFor();
      await frame.getByRole('button').click();
      await frame.getByText('You are there').waitFor();
      expect(others.requests.at(-1)).toMatchObject({ method: 'POST', url: '/sent' });
      expect(page.url()).toBe(address);
      expect(wrong).toEqual([]);
    });

    test('A framed destination can open windows, which are not restricted.', async () => {
      const { page, frame } = await openFrame('<a href="/window" target="_blank">Open</a>');
      const [opened] = await Promise.all([page.waitForEvent('popup'), frame.getByRole('link').click()]);
      await opened.getByText('You are there').waitFor();
      // A sandboxed window could not do this.
      await opened.evaluate(`top.location = '${there('/further')}'`);
      await opened.waitForURL(there('/further'));
    });

    test('A framed destination can navigate the whole window at a click.', async () => {
      const { page, frame } = await openFrame('<a href="/whole" target="_top">Go</a>');
      await frame.getByRole('link').click();
      await page.waitForURL(there('/whole'));
    });

    test('A framed destination cannot navigate the whole window by itself, not even after somebody has clicked in it.', async () => {
      const { page, address, frame } = await openFrame(
        `<button>Click</button><p></p><script>
        const leave = () => {
          try { top.location = '/away' } catch { document.querySelector('p').textContent = 'refused' }
        };
        leave();
        // Opening the window uses the click up.
        document.querySelector('button').onclick = () => { window.open('/window'); document.querySelector('p').textContent = ''; leave() };
        </script>`,
      );
      await frame.getByText('refused').waitFor();
      await Promise.all([page.waitForEvent('popup'), frame.getByRole('button').click()]);
      await frame.getByText('refused').waitFor();
      expect(page.url()).toBe(address);
    });

    test('A framed destination sees the short domain as its referrer, and not which link it was.', async () => {
      const { address } = await openFrame('<h1>Hi</h1>');
      expect(others.requests.find(({ url }) => url === '/')?.headers.referer).toBe(`${new URL(address).origin}/`);
    });
  });

  describe('The button of confirmVisit', () => {
    /** Counts how often the browser sends the form. */
    const countSent = (page: Page) => {
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(request.postData() ?? '');
      });
      return sent;
    };

    test('A link that can be opened once is opened, even if the button is pressed again while the destination loads.', async () => {
      const { page, wrong } = await newPage(context);
      const { address } = await newLink({ confirmVisit: true, maxClicks: 1 });
      const held = Promise.withResolvers<void>();
      answer = (request, response) => void held.promise.then(() => greet(request, response));
      await page.goto(address);
      const sent = countSent(page);
      // With the mouse, because a locator waits until nothing loads.
      const { x, y } = (await page.getByRole('button').boundingBox()) ?? { x: 0, y: 0 };
      await page.mouse.click(x + 5, y + 5);
      // The visit is claimed.
      await expect.poll(() => others.requests.length).toBe(1);
      await page.mouse.dblclick(x + 5, y + 5);
      held.resolve();
      await page.getByText('You are there').waitFor();
      expect(sent).toEqual(['confirm=1']);
      expect(wrong).toEqual([]);
    });

    test('Without scripts, the button opens the link.', async () => {
      await context.close();
      context = await browser.newContext({ userAgent, javaScriptEnabled: false });
      const { page } = await newPage(context);
      const { address } = await newLink({ confirmVisit: true, maxClicks: 1 });
      await page.goto(address);
      await page.getByRole('button').click();
      await page.getByText('You are there').waitFor();
    });

    test.for([
      ['is restored from the back/forward cache', (page: Page) => page.evaluate('dispatchEvent(new Event("pageshow"))')],
      ['has stayed for a while', (page: Page) => page.clock.fastForward(30_000)],
    ] as const)('The button works again if its page %s.', async ([, again]) => {
      const { page, wrong } = await newPage(context);
      await page.clock.install();
      // As after a download, the page stays.
      answer = (_, response) => void response.writeHead(204).end();
      const { address } = await newLink({ confirmVisit: true });
      await page.goto(address);
      const sent = countSent(page);
      const arrival = () => page.waitForResponse((response) => response.status() === 204);
      await Promise.all([arrival(), page.getByRole('button').click()]);
      await page.getByRole('button').click();
      await again(page);
      await Promise.all([arrival(), page.getByRole('button').click()]);
      expect(sent).toEqual(['confirm=1', 'confirm=1']);
      expect(wrong).toEqual([]);
    });
  });

  test('The destination of a password page or a preview does not learn where the visitor was.', async () => {
    const { page } = await newPage(context);
    const { address } = await newLink({ password: 'open sesame' });
    const { preview } = await newLink();
    const referrers = () => others.requests.flatMap(({ url, headers }) => (url === '/' ? [headers.referer] : []));
    await page.goto(address);
    await page.getByLabel('Password').fill('open sesame');
    await Promise.all([page.waitForRequest((request) => request.method() === 'POST'), page.getByRole('button').click()]);
    await page.getByText('You are there').waitFor();
    expect(referrers()).toEqual([undefined]);
    await page.goto(preview);
    await page.getByRole('link', { name: 'Open link' }).click();
    await page.getByText('You are there').waitFor();
    expect(referrers()).toEqual([undefined, undefined]);
  });

  test('A plain redirect forwards the referrer of the page with the link.', async () => {
    const { page } = await newPage(context);
    const { address } = await newLink();
    answer = (request, response) => {
      if (request.url !== '/page') return greet(request, response);
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<a href="${address}">Go</a>`);
    };
    const origin = `http://blog.example:${others.port}`;
    await page.goto(`${origin}/page`);
    await page.getByRole('link').click();
    await page.getByText('You are there').waitFor();
    expect(others.requests.find(({ url }) => url === '/')?.headers.referer).toBe(`${origin}/`);
  });

  test('A cloaked link redirects to a destination that is known to refuse frames.', async () => {
    const { page, wrong } = await newPage(context);
    const { id, address } = await newLink({ cloaked: true });
    const found = await store.getLink(workspace.id, id);
    if (found) await store.updateLink(found, { unframeableUrl: found.link.url });
    await page.goto(address);
    expect(arrived(page)).toBe(true);
    expect(wrong).toEqual([]);
  });

  test('A frame cannot be navigated to another origin.', async () => {
    const { page, wrong } = await newPage(context);
    answer = (request, response) => {
      if (request.headers.host?.startsWith('site.example.com')) {
        response.writeHead(302, { Location: `http://other.example.com:${others.port}/` }).end();
      } else greet(request, response);
    };
    const { address } = await newLink({ cloaked: true });
    await page.goto(address);
    await expect.poll(() => wrong.join()).toMatch(/frame-src|Content Security Policy/);
    expect(others.requests.filter(({ headers }) => headers.host?.startsWith('other'))).toEqual([]);
  });

  describe('pixels', () => {
    /** Replaces Meta and Google, and returns the requests to them. */
    async function seePixels(respond: (route: Route) => Promise<unknown>) {
      const { page, wrong } = await newPage(context);
      const asked: URL[] = [];
      const isTheirs = ({ hostname }: URL) => /(^|\.)(facebook\.com|googletagmanager\.com|google-analytics\.com)$/.test(hostname);
      await page.route(isTheirs, async (route) => {
        asked.push(new URL(route.request().url()));
        await respond(route).catch(() => {});
      });
      return { page, wrong, asked };
    }
    /** Sends its event to Google and calls back, as Google's tag does. */
    const tag = `fetch('https://www.google-analytics.com/g/collect?tid=G-AB12', { method: 'POST', mode: 'no-cors' }).then(() => {
      for (const entry of dataLayer) if (entry[2]?.event_callback) entry[2].event_callback();
    })`;
    const respond = (route: Route) =>
      route.request().url().includes('gtag/js')
        ? route.fulfill({ contentType: 'text/javascript', body: tag })
        : route.fulfill({ contentType: 'image/gif', body: '' });

    test('Each pixel is fired with its id, and the visitor is redirected.', async () => {
      const { page, wrong, asked } = await seePixels(respond);
      const { address } = await newLink({ metaPixelId: '1234567890', googleTagId: 'G-AB12' });
      await page.goto(address);
      await page.getByText('You are there').waitFor();
      expect(
        asked
          .map(
            ({ hostname, pathname, searchParams }) =>
              `${hostname}${pathname} ${searchParams.get('id') ?? searchParams.get('tid')}`,
          )
          .sort(),
      ).toEqual([
        'www.facebook.com/tr 1234567890',
        'www.google-analytics.com/g/collect G-AB12',
        'www.googletagmanager.com/gtag/js G-AB12',
      ]);
      expect(asked.find(({ hostname }) => hostname === 'www.facebook.com')?.searchParams.get('ev')).toBe('PageView');
      expect(wrong).toEqual([]);
    });

    test.for([
      ['are blocked', (route: Route) => route.abort()],
      ['never answer', () => new Promise<void>(() => {})],
    ] as const)('Pixels that %s delay no visitor.', async ([, never]) => {
      const { page } = await seePixels(never);
      const { address } = await newLink({ metaPixelId: '1234567890', googleTagId: 'G-AB12' });
      await page.goto(address, { waitUntil: 'commit' });
      await page.getByText('You are there').waitFor();
    });

    test('Without scripts, the page of pixels has a plain link.', async () => {
      await context.close();
      context = await browser.newContext({ userAgent, javaScriptEnabled: false });
      const { page, asked } = await seePixels(respond);
      const { address } = await newLink({ metaPixelId: '1234567890' });
      await page.goto(address);
      await page.getByRole('link', { name: 'Continue' }).click();
      await page.getByText('You are there').waitFor();
      expect(asked).toEqual([]);
    });
  });

  describe('a fragment', () => {
    const secret = { password: 'open sesame' };
    const pixel = { metaPixelId: '1234567890' };
    const kinds: [kind: string, settings: Parameters<typeof newLink>[0]][] = [
      ['no option', {}],
      ['a password', secret],
      ['a confirmation', { confirmVisit: true }],
      ['a pixel', pixel],
      ['a frame', { cloaked: true }],
      ['a password, a confirmation and a pixel', { ...secret, ...pixel, confirmVisit: true }],
      ['a password, a confirmation and a frame', { ...secret, cloaked: true, confirmVisit: true }],
    ];

    /** Opens a link and presses its buttons, as a person does. Returns the final location. */
    async function follow(address: string, settings: (typeof kinds)[number][1]) {
      const { page, wrong } = await newPage(context);
      await page.route('https://www.facebook.com/**', (route) => route.abort());
      await page.goto(address, { waitUntil: 'commit' });
      if (settings?.password) {
        await page.getByLabel('Password').fill('open sesame');
        await page.getByRole('button').click();
      }
      if (settings?.confirmVisit) await page.getByRole('button', { name: 'Open link' }).click();
      const frame = settings?.cloaked ? page.frameLocator('iframe') : page;
      await frame.getByText('You are there').waitFor();
      const place = () => (settings?.cloaked ? page.frames()[1] : page)?.url();
      return { page, place, wrong };
    }

    test.for(kinds)('It reaches the destination of a link with %s, as through a redirect.', async ([, settings]) => {
      const { address } = await newLink(settings);
      const { place, wrong } = await follow(`${address}#Kapitel%202/ü=<a>`, settings);
      expect(place()).toBe(`${there()}#Kapitel%202/%C3%BC=%3Ca%3E`);
      expect(others.requests.filter(({ url }) => url === '/')).toHaveLength(1);
      expect(wrong).toEqual([]);
    });

    test.for(kinds)(
      'The destination’s own comes first for a link with %s, and without any, none is added.',
      async ([, settings]) => {
        const own = await newLink({ ...settings, url: there('/#own') });
        expect((await follow(`${own.address}#other`, settings)).place()).toBe(there('/#own'));
        const empty = await newLink({ ...settings, url: there('/#') });
        expect((await follow(`${empty.address}#other`, settings)).place()).toBe(there('/#'));
        const none = await newLink(settings);
        expect((await follow(none.address, settings)).place()).toBe(there());
      },
    );

    test('A preview passes it on to the link, and a frame follows a visitor who changes it.', async () => {
      const framed = { cloaked: true };
      const { address } = await newLink(framed);
      const { page, place } = await follow(address, framed);
      await page.evaluate('location.hash = "chapter-2"');
      await expect.poll(place).toBe(`${there()}#chapter-2`);
      const { preview } = await newLink();
      await page.goto(`${preview}#chapter-3`);
      await page.getByRole('link', { name: 'Open link' }).click();
      await page.waitForURL(`${there()}#chapter-3`);
    });
  });

  test('A preview leads on to the link itself.', async () => {
    const { page, wrong } = await newPage(context);
    const { preview } = await newLink({ title: 'A title' });
    await page.goto(preview);
    await page.getByText('This link leads to site.example.com').waitFor();
    await page.getByText('A title').waitFor();
    expect(others.requests).toEqual([]);
    await page.getByRole('link', { name: 'Open link' }).click();
    await page.getByText('You are there').waitFor();
    expect(wrong).toEqual([]);
  });

  test.for(['light', 'dark'] as const)(
    'Each small page is readable on a phone, in %s colours, and loads nothing.',
    async (colorScheme) => {
      await context.close();
      context = await browser.newContext({ userAgent, viewport: { width: 320, height: 568 }, colorScheme });
      const { page, wrong } = await newPage(context);
      const loaded: string[] = [];
      page.on('request', (request) => loaded.push(request.url()));
      const title = 'Averylongtitlewithoutanyspaces'.repeat(8);
      const pages = [
        (await newLink({ isActive: false })).address,
        (await newLink({ expiresAt: '2020-01-01T00:00:00Z' })).address,
        (await newLink({ password: 'open sesame' })).address,
      ];
      workspace = await service.newWorkspace();
      pages.push((await newLink({ title })).preview, (await newLink()).address.replace(/page-\d+/, 'no-such-link'));
      for (const address of pages) {
        loaded.length = 0;
        await page.goto(address);
        const seen = (await page.evaluate(`(() => {
        const { color, fontSize } = getComputedStyle(document.querySelector('main'));
        return { color, fontSize: parseFloat(fontSize), overflow: document.documentElement.scrollWidth - innerWidth };
      })()`)) as { color: string; fontSize: number; overflow: number };
        expect(seen.overflow, address).toBeLessThanOrEqual(0);
        expect(seen.fontSize).toBeGreaterThanOrEqual(16);
        // Light text on dark, dark text on light.
        expect(seen.color).toBe(colorScheme === 'dark' ? 'rgb(231, 234, 238)' : 'rgb(26, 32, 39)');
        expect(loaded).toEqual([address]);
      }
      expect(wrong).toEqual([]);
    },
  );

  test('Any text of a link is shown as text, and never runs.', async () => {
    const { page, wrong } = await newPage(context);
    /** A new link with these changes, which the API might refuse; functions would have cached an old one. */
    const newLinkWith = async (changes: LinkChanges) => {
      const link = await newLink();
      const found = await store.getLink(workspace.id, link.id);
      if (!found) throw new Error('no link');
      await store.updateLink(found, changes);
      return link;
    };
    // A crawler's page in a browser: the text stands in the most places.
    const crawler = await browser.newContext({ userAgent: 'Twitterbot/1.0' });
    const shown = await newPage(crawler);
    for (const text of texts) {
      const escaped = encodeURIComponent(text);
      const changes: LinkChanges = { title: text, description: text, image: `https://example.org/${escaped}` };
      const { address, preview } = await newLinkWith({ ...changes, url: `${there()}?${escaped}#${escaped}` });
      await page.goto(preview);
      expect(await page.locator('main p').first().textContent()).toBe(text);
      await shown.page.goto(address);
      expect(await shown.page.locator('meta[property="og:title"]').getAttribute('content')).toBe(text);
      expect(await shown.page.locator('meta[name=description]').getAttribute('content')).toBe(text);
      expect(await shown.page.locator('h1').textContent()).toBe(text);
      await page.goto((await newLinkWith({ ...changes, cloaked: true })).address);
      expect(await page.locator('iframe').getAttribute('title')).toBe(text);
    }
    await crawler.close();
    expect([...wrong, ...shown.wrong]).toEqual([]);
  });

  test('Any parameters of a visitor are forwarded as parameters, and never run.', async () => {
    const { page, wrong } = await newPage(context);
    const { address } = await newLink({ forwardParameters: true, cloaked: true });
    for (const text of texts) {
      await page.goto(`${address}?q=${encodeURIComponent(text)}&"'><script>alert(1)</script>`);
      await page.frameLocator('iframe').getByText('You are there').waitFor();
      const { searchParams } = new URL(others.requests.at(-1)?.url ?? '', there());
      expect(searchParams.get('q')).toBe(text);
    }
    expect(wrong).toEqual([]);
  });
});
