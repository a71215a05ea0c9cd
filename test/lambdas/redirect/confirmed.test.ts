import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { clicksOf, type Store, useStore } from '../../support/store/store.ts';
import { cheapHash } from '../../support/things/password.ts';
import { browser, curl, pass, type VisitOptions, visit } from '../../support/things/visit.ts';

// Links whose visitors must press a button.

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const url = 'https://www.acme.example.com/once';

async function newLink(settings: LinkChanges = {}) {
  const { link } = await store.createLink(workspace.domain, { url, confirmVisit: true, ...settings }, store.newLease());
  const open = (more: Partial<VisitOptions> = {}) => visit({ host: workspace.domain.host, path: `/${link.shortCode}`, ...more });
  const press = (more: Partial<VisitOptions> = {}) =>
    open({
      method: 'POST',
      body: 'confirm=1',
      ...more,
      headers: { ...browser, 'sec-fetch-site': 'same-origin', ...more.headers },
    });
  const clicks = () => clicksOf(link.id);
  return { link, open, press, clicks };
}

/**
 * The known requests of scanners of mails and chats to a link:
 *
 * - Safe Links: HEAD first, then GET (https://forum.ghost.org/t/18033), with the user agent of a browser, or none
 *   (https://check.live-direct-marketing.online/blog/bot-clicks-security-scanners-detect).
 * - Slack: https://api.slack.com/robots. Teams: https://opengraphplus.com/consumers/teams/crawling.
 * - WhatsApp sends its own name from the sender's phone (https://github.com/allinurl/goaccess/issues/808).
 * - Gmail fetches images through a proxy: https://darkvisitors.com/agents/googleimageproxy.
 * - Proofpoint's and Mimecast's scanners open links in a browser, from the cloud, again and again, at delivery and at the
 *   click; they also send HEAD, and load nothing else
 *   (https://helpmynewsletter.beehiiv.com/p/why-targeting-all-clickers-is-a-trap). One of them is known to use up links
 *   (https://www.electricalcertificates.co.uk/elementor-4741).
 */
const chrome = (version: number, system = 'Windows NT 10.0; Win64; x64') =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`;
const scanners: Readonly<Record<string, readonly Partial<VisitOptions>[]>> = {
  'Outlook Safe Links': [
    { method: 'HEAD', headers: { 'user-agent': chrome(120), accept: '*/*' } },
    { headers: { 'user-agent': chrome(120), accept: browser.accept } },
    { headers: { 'user-agent': '', accept: '*/*' } },
    { method: 'HEAD', headers: { 'user-agent': '', accept: '*/*' } },
  ],
  Slack: [
    {
      headers: {
        'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
        accept: '*/*',
        range: 'bytes=0-32768',
      },
    },
    { headers: { 'user-agent': 'Slack-ImgProxy (+https://api.slack.com/robots)', accept: 'image/*' } },
  ],
  Teams: [
    {
      headers: {
        'user-agent': 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
        accept: '*/*',
      },
    },
  ],
  WhatsApp: [
    { headers: { 'user-agent': 'WhatsApp/2.24.10.82 A', accept: '*/*' } },
    { headers: { 'user-agent': 'WhatsApp/2.23.20.0', accept: 'text/html' } },
  ],
  "Gmail's proxy": [
    {
      headers: {
        'user-agent': 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
        accept: 'image/avif,image/webp,*/*',
      },
    },
  ],
  Proofpoint: [
    { method: 'HEAD', headers: { 'user-agent': chrome(109), accept: '*/*' } },
    { headers: { 'user-agent': chrome(109), accept: browser.accept } },
    { headers: { 'user-agent': chrome(109, 'X11; Linux x86_64'), accept: browser.accept } },
  ],
  Mimecast: [
    { headers: { 'user-agent': chrome(122), accept: browser.accept } },
    {
      headers: {
        'user-agent': chrome(122, 'Macintosh; Intel Mac OS X 10_15_7'),
        accept: browser.accept,
        'sec-fetch-site': 'none',
      },
    },
  ],
};

describe.for(Object.entries(scanners))('A link that can be opened once, in a message that %s scans', ([name, requests]) => {
  test('The scanner learns nothing of the destination, and the person can still open the link, once.', async () => {
    const { open, press, clicks } = await newLink({ maxClicks: 1, description: 'Your invitation' });
    for (const [index, request] of [...requests, ...requests].entries()) {
      const { headers, body = '', statusCode } = await open({ ...request, sourceIp: `198.51.100.${index}` });
      expect([name, statusCode === 302, headers.Location, body.includes(url)]).toEqual([name, false, undefined, false]);
    }
    expect(await clicks()).toBe(0);
    expect((await open({ headers: browser })).body).toContain('<button name="confirm" value="1"');
    const { statusCode, headers } = await press();
    expect([statusCode, headers.Location, await clicks()]).toEqual([303, url, 1]);
    expect((await press()).statusCode).toBe(410);
  });
});

describe('The page with a button', () => {
  test('The page is a form without external resources, which is sent to its own address and hides the referrer.', async () => {
    const { open, clicks } = await newLink();
    const { statusCode, headers, body = '' } = await open();
    expect([statusCode, headers['Referrer-Policy'], headers['Cache-Control']]).toEqual([200, 'same-origin', 'private, no-store']);
    expect(body).toContain('<form method="post">');
    expect(body).not.toMatch(/action=|src=|https?:/);
    expect(headers['Content-Security-Policy']).toMatch(/; script-src 'nonce-[\w-]+'$/);
    expect(headers['Content-Security-Policy']).not.toContain('form-action');
    expect(await clicks()).toBe(0);
  });

  test('Programs can confirm with a header, which the response names.', async () => {
    const { open, clicks } = await newLink();
    const text = await open({ headers: curl });
    expect([text.statusCode, text.body]).toEqual([200, expect.stringContaining('Link-Confirm: 1')]);
    const json = await open({ headers: { ...curl, accept: 'application/json' } });
    expect([json.statusCode, JSON.parse(json.body ?? '')]).toEqual([200, { confirm: true, detail: expect.any(String) }]);
    for (const value of ['0', 'true', ''])
      expect((await open({ headers: { ...curl, 'link-confirm': value } })).statusCode).toBe(200);
    expect(await clicks()).toBe(0);
    const { statusCode, headers } = await open({ headers: { ...curl, 'link-confirm': '1' } });
    expect([statusCode, headers.Location, await clicks()]).toEqual([302, url, 1]);
  });

  test('A HEAD and a bot never count, even if they confirm; a person who is taken for a bot gets through with the button.', async () => {
    const { open, press, clicks } = await newLink();
    await open({ method: 'HEAD', headers: { ...curl, 'link-confirm': '1' } });
    const bot = { 'user-agent': 'Googlebot/2.1' };
    const { statusCode, headers } = await press({ headers: bot });
    expect([statusCode, headers.Location]).toEqual([303, url]);
    expect(await clicks()).toBe(0);
    const capped = await newLink({ maxClicks: 1 });
    const refused = await capped.press({ headers: bot });
    expect([refused.statusCode, refused.headers.Location, await capped.clicks()]).toEqual([403, undefined, 0]);
  });

  test.for<[string, Record<string, string>]>([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['a page of another site, in an older browser', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
  ])('A confirmation from %s is refused with the button, and does not count.', async ([, sent]) => {
    const { press, clicks } = await newLink({ maxClicks: 1 });
    const { statusCode, body, headers } = await press({ headers: sent });
    expect([statusCode, headers.Location]).toEqual([403, undefined]);
    expect(body).toContain('<button name="confirm" value="1"');
    const json = await press({ headers: { ...sent, accept: 'application/json' } });
    expect(JSON.parse(json.body ?? '')).toMatchObject({ code: 'confirmation_required', reason: 'cross_site_confirmation' });
    expect(await clicks()).toBe(0);
    expect((await press()).statusCode).toBe(303);
  });

  test('Another form, or a confirmation that is no longer required, leads back to the page.', async () => {
    const { link, open, press, clicks } = await newLink();
    for (const body of ['', 'confirm=0', 'password=x', `confirm=1&${'x'.repeat(5_000)}`]) {
      const { statusCode, headers } = await open({ method: 'POST', body });
      expect([statusCode, headers.Location]).toEqual([303, `/${link.shortCode}`]);
    }
    const found = await store.getLink(workspace.workspaceId, link.id);
    if (found) await store.updateLink(found, { confirmVisit: false, maxClicks: 5 });
    pass(1_001);
    const { statusCode, headers } = await press();
    expect([statusCode, headers.Location]).toEqual([303, `/${link.shortCode}`]);
    expect(await clicks()).toBe(0);
  });

  test('A cloaked link is framed, and a pixel fires, after the button.', async () => {
    const framed = await newLink({ cloaked: true });
    expect(await framed.press()).toMatchObject({ statusCode: 200, body: expect.stringContaining(`<iframe src="${url}"`) });
    const fired = await newLink({ metaPixelId: '1' });
    expect(await fired.press()).toMatchObject({ statusCode: 200, body: expect.stringContaining('data-meta="1"') });
    expect([await framed.clicks(), await fired.clicks()]).toEqual([1, 1]);
  });

  test('A link with a password asks for the password, then for the button; a program sends both at once.', async () => {
    const { link, open, press, clicks } = await newLink({ passwordHash: await cheapHash('open sesame') });
    expect((await open()).statusCode).toBe(401);
    expect((await press()).statusCode).toBe(401);
    const unlocked = await open({ method: 'POST', body: 'password=open+sesame', headers: { 'sec-fetch-site': 'same-origin' } });
    expect([unlocked.statusCode, unlocked.headers.Location]).toEqual([303, `/${link.shortCode}`]);
    const cookies = [unlocked.cookies?.[0]?.split(';')[0] ?? ''];
    expect((await open({ cookies })).body).toContain('<button name="confirm" value="1"');
    expect(await clicks()).toBe(0);
    expect(await press({ cookies })).toMatchObject({ statusCode: 303, headers: { Location: url } });
    const headers = { ...curl, 'link-password': 'open sesame' };
    expect((await open({ headers })).statusCode).toBe(200);
    expect((await open({ headers: { ...headers, 'link-confirm': '1' } })).headers.Location).toBe(url);
    expect(await clicks()).toBe(2);
  });

  test('However many visitors press the button at once, a link that can be opened once lets one through.', async () => {
    const { press, clicks } = await newLink({ maxClicks: 1 });
    const responses = await Promise.all(Array.from({ length: 12 }, () => press()));
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([303, ...Array(11).fill(410)]);
    expect(await clicks()).toBe(1);
  });
});
