import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { callEndpoint } from '../../support/invoke.ts';
import { withoutLookUpTime } from '../../support/look-ups.ts';
import { type Store, useStore } from '../../support/store.ts';
import { visit } from '../../support/visit.ts';

// What the world outside says of a destination; everything else is real.
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

test('a cloaked link is framed where its destination allows it, or where that is not known', async () => {
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

test('a framed page may do all but lead the window away, and sees the short domain as its referrer', async () => {
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

test('a visitor is sent on where the destination refuses frames, which its owner never hears of', async () => {
  const { url, change, open } = await newLink();
  answers.set(url, false);
  const { status, body } = await change({ cloaked: true });
  expect([status, body.link.cloaked, body.link.unframeableUrl]).toEqual([200, true, undefined]);
  expect(await open()).toMatchObject({ statusCode: 302, headers: { Location: url } });
});

test('what was found out of one destination says nothing of the next', async () => {
  const { url, change, open } = await newLink();
  answers.set(url, false);
  await change({ cloaked: true });
  await change({ url: 'https://example.org/other' });
  expect((await open()).statusCode).toBe(200);
  await change({ url });
  expect((await open()).statusCode).toBe(302);
});

test('what was found out stays where asking again comes to nothing', async () => {
  const { url, change, open } = await newLink();
  answers.set(url, false);
  await change({ cloaked: true });
  answers.clear();
  await change({ cloaked: true });
  expect((await open()).statusCode).toBe(302);
});

test('a destination is asked when a link is cloaked or a cloaked one changes it, and at no other time', async () => {
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
