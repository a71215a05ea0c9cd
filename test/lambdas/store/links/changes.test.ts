import { beforeAll, describe, expect, test } from 'vitest';
import { type Fate, lostAnswer } from '../../../support/faults/lost-answer.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { callEndpoint, type EndpointCall } from '../../../support/http/invoke.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

type Body = Readonly<Record<string, unknown>>;

/** A link in a new workspace, with a tag to add, and ways to change it: without a condition, or with If-Match. */
async function newLink(initial: Body = {}) {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const { id: tagId } = await store.createTag(workspaceId, { name: 'Tag', color: '#123456' });
  const [found] = await store.newLinks(workspace, 1);
  const id = found?.link.id ?? '';
  const call = (name: string, more: Omit<EndpointCall, 'workspaceId'>) => callEndpoint(name, { workspaceId, ...more });
  const read = () => call('get-link', { id });
  const asRead = async () => ({ 'If-Match': String((await read()).headers.ETag) });
  const patch = (body: Body, headers: Record<string, string> = {}) => call('update-link', { id, body, headers });
  const patchMany = (fields: Body) => call('bulk-update-links', { body: { ids: [id], fields } });
  if (Object.keys(initial).length > 0) await patch(initial);
  const change = async (body: Body) => expect((await patch(body, await asRead())).status).toBe(200);
  const item = async () => (await store.getLink(workspaceId, id))?.link;
  return { id, tagId, call, read, asRead, patch, patchMany, change, item };
}
type Links = Awaited<ReturnType<typeof newLink>>;

/** The requests of the first client, and the number of their first write of the link: a bulk request takes a slot first. */
const ways: Record<string, { change: (link: Links, body: Body) => Promise<Body>; number?: number }> = {
  'a PATCH': { change: async ({ patch }, body) => patch(body) },
  'a PATCH with If-Match': { change: async ({ patch, asRead }, body) => patch(body, await asRead()) },
  'a PATCH that keeps the tags': { change: async ({ patch }, body) => patch({ ...body, tagIds: [] }) },
  'a PATCH that changes the tags': { change: async ({ patch, tagId }, body) => patch({ ...body, tagIds: [tagId] }) },
  'a bulk PATCH': { change: async ({ patchMany }, body) => patchMany(body), number: 1 },
  'a bulk PATCH that changes the tags': {
    change: async ({ patchMany, tagId }, body) => patchMany({ ...body, tagIds: [tagId] }),
    number: 1,
  },
};

const changes: [string, { initial?: Body; mine: Body; theirs: Body }][] = [
  ['a title', { mine: { title: 'Mine' }, theirs: { title: 'Theirs' } }],
  ['a cap that somebody has set', { initial: { maxClicks: 7 }, mine: { maxClicks: null }, theirs: { maxClicks: 5 } }],
  ['a cap that somebody has removed', { mine: { maxClicks: 5 }, theirs: { maxClicks: null } }],
];

const cases = Object.entries(ways).flatMap(([way, { change, number }]) =>
  changes.map(([what, links]) => ({ way, change, number, what, ...links })),
);

describe.for(cases)('A lost response ($way, $what)', ({ change, number = 0, initial, mine, theirs }) => {
  test.for<Fate>(['done', 'done late'])('The retry does not undo later changes, and reports success (%s).', async (fate) => {
    const link = await newLink(initial);
    const response = await lostAnswer(fate, {
      other: () => link.change(theirs),
      work: () => change(link, mine),
      number,
    });
    expect(response).toMatchObject({ status: 200 });
    expect(await link.item()).toMatchObject(theirs);
  });

  test('A change that never arrived is made on top of later changes, or refused with 412 if it had If-Match.', async () => {
    const link = await newLink(initial);
    const response = await lostAnswer('never done', {
      other: () => link.change({ description: 'Theirs' }),
      work: () => change(link, mine),
      number,
    });
    const isMade = response.status === 200;
    expect([200, 412]).toContain(response.status);
    expect(await link.item()).toMatchObject({ description: 'Theirs', ...(isMade && mine) });
    if (!isMade) expect(await link.item()).not.toMatchObject(mine);
  });
});

test('A change whose response was lost returns the present link.', async () => {
  const link = await newLink();
  const response = await lostAnswer('done', {
    other: () => link.change({ title: 'Theirs' }),
    work: () => link.patch({ title: 'Mine', description: 'Mine' }),
  });
  expect(response).toMatchObject({ status: 200, body: { link: { title: 'Theirs', description: 'Mine' } } });
  expect(response.body).toEqual((await link.read()).body);
});

test.for([
  ['done', true],
  ['never done', false],
] as const)(
  'A change that was %s and is overtaken too often to determine its result fails with 503, and keeps later changes.',
  async ([fate, isDone]) => {
    const link = await newLink();
    const response = await lostAnswer(fate, {
      other: async () => {
        for (let title = 1; title <= 11; title++) await link.change({ title: String(title) });
      },
      work: () => link.patch({ title: 'Mine', description: 'Mine' }),
    });
    expect(response).toMatchObject({
      status: 503,
      headers: { 'Retry-After': expect.any(String) },
      body: { code: 'temporarily_unavailable', detail: expect.stringContaining('may have been made') },
    });
    expect(await link.item()).toMatchObject({ title: '11', description: isDone ? 'Mine' : null });
  },
);

test('A change that is overtaken often, but loses no response, is made.', async () => {
  const link = await newLink();
  const response = await overtaken(
    async () => {
      for (let title = 1; title <= 11; title++) await link.change({ title: String(title) });
    },
    () => link.patch({ description: 'Mine' }),
    { command: 'UpdateItem' },
  );
  expect(response).toMatchObject({ status: 200, body: { link: { title: '11', description: 'Mine' } } });
});

test('A change of a link that was deleted meanwhile fails with 404.', async () => {
  for (const fate of ['done', 'never done'] as const) {
    const link = await newLink();
    const response = await lostAnswer(fate, {
      other: () => link.call('delete-link', { id: link.id }),
      work: () => link.patch({ title: 'Mine' }),
    });
    expect(response).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
});

test('Many changes of different fields of one link at once are all made.', async () => {
  const link = await newLink();
  const fields = ['title', 'description', 'metaPixelId', 'googleTagId', 'webhookUrls', 'image'] as const;
  const values: Record<(typeof fields)[number], string> = {
    title: 'T',
    description: 'D',
    metaPixelId: '1',
    googleTagId: 'G-1',
    webhookUrls: 'https://example.org/hook',
    image: 'https://example.org/i.png',
  };
  const bodies = Array.from({ length: 60 }, (_, index) => fields[index % fields.length] ?? 'title').map((field) => ({
    [field]: values[field],
  }));
  const responses = await Promise.all(bodies.map((body) => link.patch(body)));
  expect(responses.map(({ status }) => status)).toEqual(Array(60).fill(200));
  expect(await link.item()).toMatchObject(values);
});
