import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { callEndpoint } from '../../support/http/invoke.ts';
import { withoutLookUpTime } from '../../support/http/look-ups.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { pass, visit } from '../../support/things/visit.ts';

// Only the answers of destinations are mocked.
const { asked, answers } = vi.hoisted(() => ({ asked: [] as string[], answers: new Map<string, boolean>() }));
vi.mock('../../../lambdas/outbound/framing.ts', () => ({
  framingAllowed: async (url: URL, page: URL) => {
    asked.push(`${url.href} by ${page.origin}`);
    return answers.get(url.href);
  },
}));

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  withoutLookUpTime();
  store = await useStore();
  workspace = await store.newWorkspace();
});
beforeEach(() => {
  asked.length = 0;
  answers.clear();
});

async function newLink() {
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { id, shortCode, url } = found.link;
  const change = (body: object) => callEndpoint('update-link', { workspaceId: workspace.workspaceId, id, body });
  const open = () => visit({ host: workspace.domain.host, path: `/${shortCode}` });
  return { url, change, open };
}

test('A cloaked link is framed if its destination allows it, or if this is unknown.', async () => {
  for (const allowed of [true, undefined]) {
    const { url, change, open } = await newLink();
    if (allowed) answers.set(url, allowed);
    expect((await change({ cloaked: true })).status).toBe(200);
    const { statusCode, headers, body } = await open();
    expect([statusCode, headers.Location]).toEqual([200, undefined]);
    expect(headers['Content-Security-Policy']).toMatch(/; frame-src https:\/\/example\.org$/);
    expect(body).toContain(`<iframe src="${url}"`);
  }
});

test('A framed page may do everything except navigate the whole window by itself, and sees the short domain as its referrer.', async () => {
  const { change, open } = await newLink();
  await change({ cloaked: true });
  const { headers, body = '' } = await open();
  expect(headers['Referrer-Policy']).toBe('strict-origin-when-cross-origin');
  expect(/ sandbox="([^"]*)"/.exec(body)?.[1]?.split(' ')).toEqual([
    'allow-downloads',
    'allow-forms',
    'allow-modals',
    'allow-orientation-lock',
    'allow-pointer-lock',
    'allow-popups',
    'allow-popups-to-escape-sandbox',
    'allow-presentation',
    'allow-same-origin',
    'allow-scripts',
    'allow-storage-access-by-user-activation',
    'allow-top-navigation-by-user-activation',
  ]);
});

test('A visitor is redirected if the destination refuses frames, and the API still shows the link as cloaked.', async () => {
  const { url, change, open } = await newLink();
  answers.set(url, false);
  const { status, body } = await change({ cloaked: true });
  expect([status, body.link.cloaked, body.link.unframeableUrl]).toEqual([200, true, undefined]);
  expect(await open()).toMatchObject({ statusCode: 302, headers: { Location: url } });
});

test('The result of one destination is not applied to the next one.', async () => {
  const { url, change, open } = await newLink();
  answers.set(url, false);
  await change({ cloaked: true });
  await change({ url: 'https://example.org/other' });
  expect((await open()).statusCode).toBe(200);
  await change({ url });
  pass(1_000);
  expect((await open()).statusCode).toBe(302);
});

test('The result of a destination is kept if another check fails.', async () => {
  const { url, change, open } = await newLink();
  answers.set(url, false);
  await change({ cloaked: true });
  answers.clear();
  await change({ cloaked: true });
  expect((await open()).statusCode).toBe(302);
});

test('A destination is checked only when a link becomes cloaked, or when a cloaked link gets another destination.', async () => {
  const { url, change } = await newLink();
  await change({ title: 'Title' });
  await change({ url: 'https://example.org/other' });
  expect(asked).toEqual([]);
  await change({ url, cloaked: true });
  expect(asked).toEqual([`${url} by https://${workspace.domain.host}`]);
  await change({ title: 'Another' });
  await change({ cloaked: false });
  await change({ cloaked: 'yes' });
  expect(asked).toHaveLength(1);
  await callEndpoint('update-link', { workspaceId: 'ws_other', id: 'lnk_x', body: { cloaked: true } });
  expect(asked).toHaveLength(1);
});
