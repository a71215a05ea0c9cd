import { expect, test, vi } from 'vitest';
import { rawRequest } from '../../../support/http/raw-request.ts';
import { patience } from '../../../support/run/patience.ts';
import { useService } from '../../../support/service/service.ts';

// Clients choose the names of parameters in rules, and of fields in files for apps. Names with a meaning in JavaScript
// have none here.

const names = [
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'then',
  'toJSON',
  'length',
  '__defineGetter__',
];

const url = 'https://example.org/';
const chosen = (name: string) => `${url}${name}`;
const rules = names.map((name) => ({ if: { query: { [name]: 'x', other: 'y' } }, url: chosen(name) }));

async function start() {
  const service = await useService();
  const get = (host: string, path: string) =>
    rawRequest(Number(new URL(service.baseUrl).port), [`GET ${path} HTTP/1.1`, `Host: ${host}`]);
  const leadsTo = async (host: string, path: string) => /^location: (.*)$/im.exec(await get(host, path))?.[1]?.trim();
  return { ...(await service.newWorkspace()), get, leadsTo };
}

test('Rules on parameters of any name are stored, compared, shown, recorded, reverted and applied to visits.', async () => {
  const { domain, call, importLinks, newTag, leadsTo } = await start();
  const tagIds = [await newTag('Tag')];

  const { link } = (await call('POST', '/links', { domain, url, rules })).body;
  expect(link.rules).toEqual(rules);
  for (const name of names) {
    expect(await leadsTo(domain, `/${link.shortCode}?${name}=x&other=y`)).toBe(chosen(name));
    expect(await leadsTo(domain, `/${link.shortCode}?${name}=z&other=y`)).toBe(url);
  }
  expect(await leadsTo(domain, `/${link.shortCode}?other=y`)).toBe(url);

  const put = () => call('PUT', '/links/by-external-id/page:1', { domain, url, rules, tagIds });
  const [made, repeated] = [await put(), await put()];
  expect([made.status, made.body.link.rules, repeated.status]).toEqual([201, rules, 200]);
  expect(repeated.body.link.updatedAt).toBe(made.body.link.updatedAt);

  const imported = await importLinks([{ url }, { url, rules }, { url, rules, tagIds }]);
  expect([imported.status, imported.body.created]).toEqual([200, 3]);
  const listed: (typeof link)[] = (await call('GET', '/links')).body.links;
  expect(listed.filter((one) => one.rules.length > 0).map((one) => one.rules)).toEqual([rules, rules, rules, rules]);

  expect((await call('PATCH', `/links/${link.id}`, { rules: [] })).body.link.rules).toEqual([]);
  const updated = await call('PATCH', '/links/bulk', { ids: [link.id], fields: { rules } });
  expect([updated.status, updated.body.updated]).toEqual([200, 1]);
  const [set, removed] = await vi.waitFor(
    async () => {
      const { entries } = (await call('GET', `/links/${link.id}/history`)).body;
      expect(entries).toHaveLength(3);
      return entries;
    },
    { timeout: patience, interval: 50 },
  );
  expect([set.changes.rules, removed.changes.rules]).toEqual([
    { from: [], to: rules },
    { from: rules, to: [] },
  ]);
  const reverted = await call('POST', `/links/${link.id}/history/${set.id}/revert`);
  expect([reverted.status, reverted.body.link.rules]).toEqual([200, []]);
});

test('Fields of any name in a file for apps are served as they were sent, and __proto__ is refused.', async () => {
  const { domain, call, get } = await start();
  const more = Object.fromEntries(names.map((name) => [name, { [name]: 'x' }]));
  const file = { ...more, applinks: { ...more, details: [{ appIDs: ['ABCDE12345.com.example.app'], ...more }] } };
  const update = (association: string) => call('PATCH', `/domains/${domain}`, `{"appleAppSiteAssociation":${association}}`);
  expect((await update(JSON.stringify(file))).status).toBe(200);
  const refused = await update(JSON.stringify(file).replace('"details"', '"__proto__":{},"details"'));
  expect([refused.status, refused.body.errors[0].code]).toEqual([422, 'unknown_field']);
  const served = await get(domain, '/.well-known/apple-app-site-association');
  expect(JSON.parse(served.slice(served.indexOf('{'), served.lastIndexOf('}') + 1))).toEqual(file);
});
