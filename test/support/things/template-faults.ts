import { expect } from 'vitest';
import {
  type Answer,
  batchGet,
  deletionsOf,
  get,
  ifMatch,
  linkWithTags,
  one,
  put,
  query,
  refusalOf,
  type Scenarios,
  store,
  transact,
  update,
} from '../faults/scenario.ts';
import { callEndpoint, startEndpoint } from '../http/invoke.ts';

/** The names of a workspace's templates, each with the template that holds it. Expects that the workspace's counter agrees. */
async function namesOf(workspaceId: string): Promise<Record<string, string>> {
  const templates = await store.listTemplates(workspaceId);
  const held = await Array.fromAsync(store.query({ pk: `TEMPLATES#${workspaceId}`, skPrefix: 'NAME#' }));
  expect(held.map(({ sk, templateId }) => [sk, templateId]).sort()).toEqual(
    templates.map(({ id, name }) => [`NAME#${name.toLowerCase()}`, id]).sort(),
  );
  expect((await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' }))?.templateCount).toBe(templates.length);
  return Object.fromEntries(templates.map(({ id, name }) => [name, id]));
}

/** A workspace with a template, and a tag of it. */
async function withTemplate() {
  const { workspace, workspaceId, a, b } = await linkWithTags();
  const { id } = await store.createTemplate(workspaceId, { name: 'A', tagIds: [a] });
  const { host } = workspace.domain;
  return { workspaceId, id, a, b, host };
}

/** Deletes a template. Somebody else renames it; or if it is gone already, creates another of its name. */
async function deletion(isConditional: boolean) {
  const { workspaceId, id } = await withTemplate();
  const headers = isConditional ? await ifMatch('get-template', workspaceId, id) : {};
  let their: string | undefined;
  return {
    act: (budget: number) => callEndpoint('delete-template', { workspaceId, id, headers, budget }),
    check: async () => {
      expect(await namesOf(workspaceId)).toEqual({});
      expect(await deletionsOf(id)).toBe(1);
    },
    meanwhile: async () => {
      if ((await refusalOf(store.updateTemplate(workspaceId, id, { name: 'Theirs' }))) === undefined) return;
      ({ id: their } = await store.createTemplate(workspaceId, { name: 'A' }));
    },
    checkBoth: async ({ status }: Answer) => {
      const isRefused = isConditional && !their;
      expect(status).toBe(isRefused ? 412 : 204);
      expect(await namesOf(workspaceId)).toEqual({ ...(isRefused && { Theirs: id }), ...(their && { A: their }) });
      expect(await deletionsOf(id)).toBe(isRefused ? 0 : 1);
    },
  };
}

/** A template that was deleted, and the entry of that. */
async function deletedTemplate() {
  const found = await withTemplate();
  const { workspaceId, id } = found;
  await store.deleteTemplate(workspaceId, id);
  const [{ id: entryId }] = (await callEndpoint('list-history', { workspaceId })).body.entries;
  const restore = (budget?: number) =>
    callEndpoint('restore-template', { workspaceId, id, entryId, ...(budget !== undefined && { budget }) });
  const check = async (name = 'A') => {
    expect(await store.getTemplate(workspaceId, id)).toMatchObject({ name, tagIds: [found.a] });
    expect(await namesOf(workspaceId)).toEqual({ [name]: id });
    const [deletion, ...more] = (await callEndpoint('list-history', { workspaceId })).body.entries;
    expect([deletion.restoredAs, more]).toEqual([id, []]);
  };
  return { ...found, restore, check };
}

/** Undoes the deletion of a template. Somebody else does the same, and renames it. */
async function restoration() {
  const { workspaceId, id, restore, check } = await deletedTemplate();
  return {
    act: restore,
    check: () => check(),
    meanwhile: async () => {
      await restore();
      await store.updateTemplate(workspaceId, id, { name: 'Theirs' });
    },
    checkBoth: async ({ status }: Answer) => {
      expect(status).toBe(201);
      await check('Theirs');
    },
  };
}

/** The same, and somebody else wants the name. */
async function restorationOfTakenName() {
  const { workspaceId, restore, check } = await deletedTemplate();
  let isFirst = true;
  return {
    act: restore,
    check: () => check(),
    meanwhile: async () => {
      isFirst = (await refusalOf(store.createTemplate(workspaceId, { name: 'A' }))) === 'template_name_taken';
    },
    checkBoth: async ({ status }: Answer) => {
      expect(status).toBe(isFirst ? 201 : 409);
      if (isFirst) await check();
      else expect(Object.keys(await namesOf(workspaceId))).toEqual(['A']);
    },
  };
}

/** The same, after the template was restored and then lost with a restored table. Somebody else does the same. */
async function lostRestoration() {
  const { workspaceId, id, restore, check } = await deletedTemplate();
  await restore();
  for (const sk of [`TEMPLATE#${id}`, 'NAME#a']) await store.deleteItem({ pk: `TEMPLATES#${workspaceId}`, sk });
  const count = { text: 'SET #templateCount = :none', values: { ':none': 0 } };
  await store.updateItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' }, count);
  return {
    act: restore,
    check: () => check(),
    meanwhile: () => restore(),
    checkBoth: async ({ status }: Answer) => {
      expect(status).toBe(201);
      await check();
    },
  };
}

/** Undoes a deletion once more, after the template was deleted again: nothing comes back. */
async function restorationOfEarlierDeletion() {
  const { workspaceId, id, restore } = await deletedTemplate();
  await restore();
  await store.deleteTemplate(workspaceId, id);
  return { act: restore, check: async () => expect(await namesOf(workspaceId)).toEqual({}) };
}

/** Changes the name, the tags and the domain of a template. Somebody else changes them too. */
async function changing(isConditional: boolean) {
  const { workspaceId, id, a, b, host } = await withTemplate();
  const headers = isConditional ? await ifMatch('get-template', workspaceId, id) : {};
  const ours = { name: 'New', tagIds: [b], domain: host };
  const theirs = { name: 'Theirs', tagIds: [a, b], domain: null };
  let isLater = false;
  const expectTemplate = async (expected: typeof ours | typeof theirs) => {
    expect(await store.getTemplate(workspaceId, id)).toMatchObject(expected);
    expect(await namesOf(workspaceId)).toEqual({ [expected.name]: id });
  };
  return {
    act: (budget: number) => callEndpoint('update-template', { workspaceId, id, headers, body: ours, budget }),
    check: () => expectTemplate(ours),
    meanwhile: async () => {
      isLater = (await store.getTemplate(workspaceId, id))?.name === 'New';
      await store.updateTemplate(workspaceId, id, theirs);
    },
    checkBoth: async ({ status }: Answer) => {
      expect(status).toBe(isConditional && !isLater ? 412 : 200);
      await expectTemplate(isConditional || isLater ? theirs : ours);
    },
  };
}

/** Creates a link at the slug `new` with a template. Somebody else wants the slug too. */
async function creation(headers: Record<string, string>) {
  const workspace = await store.newWorkspace();
  const { workspaceId, domain } = workspace;
  const { id: tagId } = await store.createTag(workspaceId, { name: 'A', color: '#123456' });
  const settings = { domain: domain.host, tagIds: [tagId], utmSource: 'mail', isActive: false };
  const { id: templateId } = await store.createTemplate(workspaceId, { name: 'Mail', ...settings });
  const body = { templateId, url: 'https://example.org/', customSlug: 'new' };
  const call = startEndpoint('create-link');
  const linkThere = () => store.getLinkAt(domain.domainId, 'new');
  let isFirst = true;
  const expectOurs = async () => {
    const link = await linkThere();
    expect(link).toMatchObject({ url: 'https://example.org/?utm_source=mail', tagIds: [tagId], isActive: false });
    expect(await store.countsOf(workspaceId, [tagId], [link?.id ?? ''])).toEqual([one]);
  };
  return {
    act: (budget: number) => call({ workspaceId, headers, body, budget }),
    check: expectOurs,
    meanwhile: async () => {
      const theirs = { url: 'https://example.org/theirs', customSlug: 'new' };
      isFirst = (await refusalOf(store.createLink(domain, theirs, store.newLease()))) === 'slug_taken';
    },
    checkBoth: async ({ status }: Answer) => {
      expect(status).toBe(isFirst ? 201 : 409);
      if (isFirst) await expectOurs();
    },
  };
}

/** Requests for templates. */
export const templateScenarios: Scenarios = {
  'create-link: with a template': {
    calls: [get, get, get, batchGet, batchGet, transact],
    succeeds: 201,
    repeated: [409],
    arrange: () => creation({}),
  },
  'create-link: with a template and a key': {
    calls: [get, get, get, get, batchGet, put, batchGet, transact, update],
    succeeds: 201,
    arrange: () => creation({ 'Idempotency-Key': 'key' }),
  },
  'create-template': {
    calls: [get, batchGet, transact],
    repeated: [409],
    succeeds: 201,
    arrange: async () => {
      const { workspace, workspaceId, a } = await linkWithTags();
      const body = { name: 'New', tagIds: [a], domain: workspace.domain.host };
      let isFirst = true;
      return {
        act: (budget) => callEndpoint('create-template', { workspaceId, body, budget }),
        check: async () => expect(Object.keys(await namesOf(workspaceId))).toEqual(['New']),
        // Takes the name; or if it is taken already, renames the template and then takes it.
        meanwhile: async () => {
          const take = () => refusalOf(store.createTemplate(workspaceId, { name: 'New' }));
          isFirst = (await take()) === 'template_name_taken';
          if (!isFirst) return;
          const [template] = await store.listTemplates(workspaceId);
          await store.updateTemplate(workspaceId, template?.id ?? '', { name: 'Renamed' });
          await take();
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(isFirst ? 201 : 409);
          expect(Object.keys(await namesOf(workspaceId)).sort()).toEqual(isFirst ? ['New', 'Renamed'] : ['New']);
        },
      };
    },
  },
  'list-templates': {
    calls: [query, batchGet],
    arrange: async () => {
      const { workspaceId } = await withTemplate();
      return { act: (budget) => callEndpoint('list-templates', { workspaceId, budget }), check: async () => {} };
    },
  },
  'get-template': {
    calls: [get, batchGet],
    arrange: async () => {
      const { workspaceId, id } = await withTemplate();
      return { act: (budget) => callEndpoint('get-template', { workspaceId, id, budget }), check: async () => {} };
    },
  },
  'delete-template': {
    calls: [get, transact],
    repeated: [404],
    succeeds: 204,
    arrange: () => deletion(false),
  },
  'delete-template: as it was known': {
    calls: [get, batchGet, get, transact],
    repeated: [404],
    succeeds: 204,
    arrange: () => deletion(true),
  },
  'restore-template': {
    calls: [get, get, transact, batchGet],
    succeeds: 201,
    arrange: restoration,
  },
  'restore-template: whose name somebody else wants': {
    calls: [get, get, transact, batchGet],
    succeeds: 201,
    arrange: restorationOfTakenName,
  },
  'restore-template: that was lost': {
    calls: [get, get, query, transact, batchGet],
    succeeds: 201,
    arrange: lostRestoration,
  },
  'restore-template: that was deleted again': {
    calls: [get, get, query],
    succeeds: 409,
    arrange: restorationOfEarlierDeletion,
  },
  'update-template': {
    calls: [get, batchGet, get, transact, batchGet],
    decisive: 3,
    arrange: () => changing(false),
  },
  'update-template: as it was known': {
    calls: [get, batchGet, get, batchGet, get, transact, batchGet],
    decisive: 5,
    repeated: [412],
    arrange: () => changing(true),
  },
};
