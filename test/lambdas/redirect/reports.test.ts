import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { alarming } from '../../../lambdas/core/alarms.ts';
import { linkReports, reportNoteLength } from '../../../lambdas/core/limits.ts';
import type { Report } from '../../../lambdas/core/report/report.ts';
import type * as Reports from '../../../lambdas/operator/reports.ts';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { underFaults } from '../../support/faults/faults.ts';
import { clicksOf, type Store, useStore } from '../../support/store/store.ts';
import { cheapHash } from '../../support/things/password.ts';
import { curl, startVisits, type VisitOptions, visit } from '../../support/things/visit.ts';

// Visitors report links at /+report.

let store: Store;
let reports: typeof Reports;
beforeAll(async () => {
  store = await useStore();
  reports = await import('../../../lambdas/operator/reports.ts');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const url = 'https://www.acme.example.com/page';
let addresses = 0;

/** A new domain with a link, and reports by visitors with different addresses. */
async function newPlace(settings: LinkChanges = {}) {
  const workspace = await store.newWorkspace();
  const { host } = workspace.domain;
  const { link } = await store.createLink(workspace.domain, { url, ...settings }, store.newLease());
  const sourceIp = `198.51.100.${++addresses}`;
  const open = (more: Partial<VisitOptions> = {}) => visit({ host, path: '/+report', sourceIp, ...more });
  const send = (fields: Readonly<Record<string, string>>, more: Partial<VisitOptions> = {}) =>
    open({ method: 'POST', body: new URLSearchParams(fields).toString(), ...more });
  const report = (more: Partial<VisitOptions> = {}, fields: Readonly<Record<string, string>> = {}) =>
    send({ address: `/${link.shortCode}`, reason: 'phishing', ...fields }, more);
  const filed = async (): Promise<Report[]> =>
    (await reports.listReports('open', Date.now())).filter(({ domain }) => domain === host);
  return { workspace, host, link, open, send, report, filed };
}

describe('the form', () => {
  test('The form works without scripts or an account, is not indexed, and may be sent only to its own domain.', async () => {
    const { open } = await newPlace();
    const { statusCode, headers, body = '' } = await open();
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': 'noindex',
      'Referrer-Policy': 'same-origin',
      'Content-Security-Policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'.*form-action 'self'$/),
    });
    expect(body).toContain('<form method="post" action="/+report">');
    expect(body).not.toContain('<script');
  });

  test.for([
    ['de', 'Link melden', 'Vielen Dank'],
    ['fr', 'Signaler un lien', 'Merci'],
    ['es', 'Denunciar un enlace', 'Gracias'],
    ['it', 'Report a link', 'Thank you'],
  ] as const)('In the language %s, the form is called "%s".', async ([language, title, thanks]) => {
    const { open, report } = await newPlace();
    const headers = { 'accept-language': language };
    expect((await open({ headers })).body).toContain(`<h1>${title}</h1>`);
    expect((await report({ headers })).body).toContain(`<h1>${thanks}</h1>`);
  });

  test('Previews and error pages link to the form, with the address of the link and without the query of the visit.', async () => {
    const { host, link, open } = await newPlace();
    const [locked, confirmed, gone] = await Promise.all([
      newPlace({ passwordHash: cheapHash('right') }),
      newPlace({ confirmVisit: true }),
      newPlace({ expiresAt: '2020-01-01T00:00:00.000Z' }),
    ]);
    const pages = [
      [await open({ path: `/${link.shortCode}+?token=1` }), `/${link.shortCode}`],
      [await open({ path: '/un%known/"><b>?token=1' }), '/un%known/"><b>'],
      ...(await Promise.all(
        [locked, confirmed, gone].map(async (place) => {
          const path = `/${place.link.shortCode}`;
          return [await place.open({ path }), path] as const;
        }),
      )),
    ] as const;
    for (const [{ body = '' }, path] of pages) {
      const [, href = ''] = /<p class="report"><a href="([^"]*)"/.exec(body) ?? [];
      expect(href).toBe(`/+report?address=${encodeURIComponent(path)}`.replaceAll("'", '&#39;'));
      const form = await open({ path: href });
      expect(form.body).toContain(
        ` value="https://${host}${path.replace(/["<>]/g, (one) => `&${{ '"': 'quot', '<': 'lt', '>': 'gt' }[one]};`)}"`,
      );
    }
  });

  test('Pages on unknown hosts, and of outages, do not link to the form.', async () => {
    const { open } = await newPlace();
    const pages = [await visit({ host: 'unknown.example.com', path: '/a' }), await open({ path: '/a', method: 'PUT' })];
    for (const { body } of pages) expect(body).not.toContain('+report');
  });

  test('The form keeps its texts, and shows each error at its field, of which the first has the focus.', async () => {
    const { send, filed } = await newPlace();
    const note = '😀'.repeat(2_000);
    const long = await send({ address: ' https://elsewhere.example/x" ', reason: 'bad', note });
    expect(long.statusCode).toBe(413);
    const { statusCode, body = '' } = await send({
      address: 'nowhere" ',
      reason: 'bad',
      note: `<b>${'😀'.repeat(reportNoteLength)}`,
    });
    expect(statusCode).toBe(422);
    expect(body).toContain('value="nowhere&quot; "');
    expect(body).toContain(`&lt;b&gt;${'😀'.repeat(reportNoteLength)}</textarea>`);
    expect(body.match(/aria-invalid="true" aria-describedby="(\w+)-wrong"( autofocus)?/g)).toEqual([
      'aria-invalid="true" aria-describedby="address-wrong" autofocus',
      'aria-invalid="true" aria-describedby="reason-wrong"',
      'aria-invalid="true" aria-describedby="note-wrong"',
    ]);
    for (const field of ['address', 'reason', 'note']) expect(body).toContain(`<p id="${field}-wrong"`);
    expect(await filed()).toEqual([]);
  });

  test('Programs can also send the form, and get lines of text or JSON.', async () => {
    const { open, report, send } = await newPlace();
    const json = { 'user-agent': 'program', accept: 'application/json' };
    expect((await open({ headers: curl })).body).toMatch(/^Report a link: .*phishing, malware/);
    expect(JSON.parse((await open({ headers: json })).body ?? '')).toHaveProperty('detail');
    expect((await report({ headers: curl })).body).toMatch(/^Thank you/);
    expect(JSON.parse((await report({ headers: json })).body ?? '')).toEqual({ reported: true });
    const refused = await send({}, { headers: json });
    expect(refused.headers['Content-Type']).toBe('application/problem+json');
    expect(JSON.parse(refused.body ?? '')).toMatchObject({ status: 422, code: 'invalid_report' });
    expect((await send({}, { headers: curl })).body).toMatch(/^address: /);
  });

  test("HEAD has no body, other methods are refused, other paths don't change, and other hosts have no form.", async () => {
    const { open } = await newPlace();
    expect(await open({ method: 'HEAD' })).toMatchObject({ statusCode: 200, body: '' });
    expect(await open({ method: 'PUT' })).toMatchObject({ statusCode: 405, headers: { Allow: 'GET, HEAD, POST' } });
    for (const path of ['/+', '/+report/', '/+Report', '/+reports', '//+report'])
      expect((await open({ path })).statusCode).toBe(404);
    expect((await visit({ host: 'unknown.example.com', path: '/+report' })).statusCode).toBe(404);
    const pending = await store.newWorkspace();
    await store.addDomain(pending.id, `pending-${pending.domain.host}`, 'PENDING_DNS');
    expect((await open({ host: `pending-${pending.domain.host}` })).statusCode).toBe(404);
  });

  test('If reports are off, the path is unknown, no page links to it, and nothing is stored.', async () => {
    vi.stubEnv('LINK_REPORTS', '');
    const { open, report, link, filed } = await newPlace();
    expect([(await open()).statusCode, (await report()).statusCode]).toEqual([404, 404]);
    expect((await open({ path: `/${link.shortCode}+` })).body).not.toContain('+report');
    expect(await filed()).toEqual([]);
  });
});

describe('a report', () => {
  test("A report has the link, its destination and the visitor's texts, but neither the workspace nor the visitor.", async () => {
    const { host, link, report, workspace, filed } = await newPlace();
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect((await report({}, { note: 'It asked\r\nfor my password. \0\u202e' })).statusCode).toBe(200);
    const [one, ...others] = await filed();
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      kind: 'visitor',
      domain: host,
      slug: link.shortCode,
      linkId: link.id,
      url,
      reason: 'phishing',
      statements: [{ reason: 'phishing', note: 'It asked\nfor my password. \ufffd\u202e' }],
    });
    expect(warn.mock.calls).toEqual([[{ message: alarming.linkReported, requestId: expect.any(String), reportId: one?.id }]]);
    const { reportKey } = await import('../../../lambdas/store/table/keys.ts');
    const stored = JSON.stringify([await store.getItem(reportKey(one?.id ?? '')), one]);
    for (const secret of [workspace.id, workspace.domain.domainId, '198.51.100.']) expect(stored).not.toContain(secret);
    expect(await clicksOf(link.id)).toBe(0);
  });

  test.for<[string, (host: string, slug: string) => string]>([
    ['the whole address', (host, slug) => `https://${host}/${slug}?utm=1#top`],
    ['an address without its scheme', (host, slug) => `${host.toUpperCase()}/${slug}`],
    ['its preview', (host, slug) => `https://${host}/${slug}+`],
    ['what its QR code contains', (host, slug) => `https://${host}/${slug.toUpperCase()}.q`],
    ['a path behind its slug', (host, slug) => `https://${host}/${slug}/some/path`],
  ])('A link can be reported by %s, even from the page of another domain.', async ([, addressOf]) => {
    const { host, link, filed } = await newPlace({ forwardPath: true });
    const other = await newPlace();
    const { statusCode } = await other.send({ address: addressOf(host, link.shortCode), reason: 'spam' });
    expect([statusCode, (await filed()).map(({ linkId }) => linkId), await other.filed()]).toEqual([200, [link.id], []]);
  });

  test('A report about an alias is about its link.', async () => {
    const { link, report, send, filed } = await newPlace();
    await store.updateLink({ link, clickCount: 0 } as never, { customSlug: `moved-${link.shortCode}` });
    await report();
    await send({ address: `/moved-${link.shortCode}`, reason: 'spam' });
    const [one, ...others] = await filed();
    expect([one?.statements.length, others]).toEqual([2, []]);
  });

  test('The response is the same for links in all states and for no link, and only reports about existing links are filed.', async () => {
    const responses = [];
    const counts = [];
    for (const settings of [
      {},
      { isActive: false },
      { passwordHash: cheapHash('x') },
      { startsAt: '2100-01-01T00:00:00.000Z' },
    ]) {
      const { report, filed } = await newPlace(settings);
      responses.push(await report());
      counts.push((await filed()).length);
    }
    const disabled = await newPlace();
    await store.setDisabled(disabled.link, true);
    responses.push(await disabled.report());
    const { send, filed } = await newPlace();
    responses.push(await send({ address: '/unknown', reason: 'phishing' }));
    expect(counts).toEqual([1, 1, 1, 1]);
    expect([(await disabled.filed()).length, (await filed()).length]).toEqual([1, 0]);
    const seen = responses.map(({ headers, ...rest }) =>
      JSON.stringify([rest, headers]).replace(/nonce-[\w-]+|nonce=\\"[\w-]+/g, ''),
    );
    expect(new Set(seen.map((one) => one.replace(/[\w-]{22}/g, ''))).size).toBe(1);
  });

  test('An address of another service is refused at its field, without revealing who serves it.', async () => {
    const { send } = await newPlace();
    const { statusCode, body } = await send({ address: 'https://elsewhere.example/x', reason: 'phishing' });
    expect(statusCode).toBe(422);
    expect(body).toContain('id="address-wrong"');
  });

  test('The same form sent twice, at once or after a lost response, is one report and takes one slot.', async () => {
    const { open, report, filed } = await newPlace();
    const [, form = ''] = /name="form" value="(\w+)"/.exec((await open()).body ?? '') ?? [];
    const sent = await Promise.all(Array.from({ length: 2 * linkReports.quota }, () => report({}, { form })));
    expect(sent.every(({ statusCode }) => statusCode === 200)).toBe(true);
    expect((await filed())[0]?.statements).toHaveLength(1);
    expect((await report()).statusCode).toBe(200);
  });

  test('A form that is edited after it was sent, and sent again, is another report, and takes another slot.', async () => {
    const { open, report, filed } = await newPlace();
    const [, form = ''] = /name="form" value="(\w+)"/.exec((await open()).body ?? '') ?? [];
    await report({}, { form, note: 'first' });
    await report({}, { form, note: 'second' });
    await report({}, { form, note: 'second', reason: 'malware' });
    await report({}, { form, note: 'second' });
    expect((await filed())[0]?.statements.map(({ reason, note }) => [reason, note])).toEqual([
      ['phishing', 'first'],
      ['phishing', 'second'],
      ['malware', 'second'],
    ]);
    const sent = [];
    for (let index = 3; index <= linkReports.quota; index++) sent.push(await report({}, { form, note: `${index}` }));
    expect(sent.map(({ statusCode }) => statusCode)).toEqual([...Array(linkReports.quota - 3).fill(200), 429]);
  });

  test("A form's token is valid for one link: it allows an address no further reports.", async () => {
    const { workspace, send } = await newPlace();
    const links = await store.newLinks(workspace, linkReports.quota + 5);
    const form = 'A'.repeat(16);
    const sent = await Promise.all(links.map(({ link }) => send({ address: `/${link.shortCode}`, reason: 'spam', form })));
    expect(sent.filter(({ statusCode }) => statusCode === 200)).toHaveLength(linkReports.quota);
  });
});

describe('a flood', () => {
  test('An address that has reported too often gets 429 with Retry-After and its texts; others do not.', async () => {
    const { report, filed } = await newPlace();
    const sent = await Promise.all(Array.from({ length: 3 * linkReports.quota }, () => report({}, { note: 'typed' })));
    const refused = sent.filter(({ statusCode }) => statusCode === 429);
    expect(refused).toHaveLength(2 * linkReports.quota);
    for (const { headers, body } of refused) {
      expect(Number(headers['Retry-After'])).toBeGreaterThan(3_500);
      expect(body).toMatch(/try again in (59|60) minutes/);
      expect(body).toContain('typed</textarea>');
    }
    expect((await filed())[0]?.statements).toHaveLength(linkReports.quota);
    expect((await report({ sourceIp: '203.0.113.9' })).statusCode).toBe(200);
  });

  test.for([
    'x-forwarded-for',
    'forwarded',
    'x-real-ip',
    'cf-connecting-ip',
    'true-client-ip',
    'x-address',
    'cloudfront-viewer-address',
  ])('The header %s gives nobody another address.', async (name) => {
    const { report } = await newPlace();
    const sent = [];
    for (let index = 0; index <= linkReports.quota; index++)
      sent.push(await report({ headers: { [name]: `203.0.113.${index}`, 'x-origin-secret': 'guessed' } }));
    expect(sent.map(({ statusCode }) => statusCode)).toEqual([...Array(linkReports.quota).fill(200), 429]);
  });

  test('IPv6 addresses count by their network.', async () => {
    const { report } = await newPlace();
    const sent = [];
    for (let index = 0; index <= linkReports.quota; index++) sent.push(await report({ sourceIp: `2001:db8:0:7::${index + 1}` }));
    expect(sent.at(-1)?.statusCode).toBe(429);
  });

  test("Another website's form is not filed or counted, and the visitor can send it here instead.", async () => {
    const { report, filed } = await newPlace();
    const foreign: readonly Readonly<Record<string, string>>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ];
    for (const headers of foreign) {
      const { result, commands } = await underFaults(
        () => undefined,
        () => report({ headers }),
      );
      expect([result.statusCode, commands.filter((command) => command !== 'GetItem')]).toEqual([403, []]);
      expect(result.body).toContain('role="alert"');
    }
    expect(await filed()).toEqual([]);
    expect((await report({ headers: { 'sec-fetch-site': 'same-origin' } })).statusCode).toBe(200);
  });

  test("A body that isn't a form, or is too long, is refused before anything is written.", async () => {
    const { open, filed } = await newPlace();
    const { commands, result } = await underFaults(
      () => undefined,
      async () => [
        await open({ method: 'POST', body: '{"address":"/a"}', headers: { 'content-type': 'application/json' } }),
        await open({ method: 'POST', body: 'a'.repeat(20_000) }),
        await open({ method: 'POST', body: 'a'.repeat(5_000_000) }),
        await open({ method: 'POST' }),
        await open({ method: 'POST', body: '%ff%fe=%00&address=%ff&reason=phishing' }),
      ],
    );
    expect(result.map(({ statusCode }) => statusCode)).toEqual([415, 413, 413, 415, 422]);
    expect(commands.filter((command) => command !== 'GetItem')).toEqual([]);
    expect(await filed()).toEqual([]);
  });

  test('However many reports a link has, a visit makes the same calls.', async () => {
    const { link, report, host } = await newPlace();
    await report();
    const visitAnew = await startVisits();
    const { commands } = await underFaults(
      () => undefined,
      () => visitAnew({ host, path: `/${link.shortCode}` }),
    );
    expect(commands.sort()).toEqual(['GetItem', 'GetItem', 'GetItem', 'PutItem']);
  });
});
