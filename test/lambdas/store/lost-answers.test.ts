import { beforeAll, describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../../lambdas/core/key/api-key.ts';
import { type Fate, lostAnswer } from '../../support/faults/lost-answer.ts';
import { type Store, useStore } from '../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

async function newLink() {
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = found;
  const state = async () => ((await store.getLink(workspace.workspaceId, link.id))?.link.disabledAt ? 'disabled' : 'enabled');
  return { link, state };
}

let hosts = 0;
function newHost() {
  const host = `host${++hosts}.evil.example`;
  return { host, state: async () => ((await store.getBlockedHosts()).has(host) ? 'blocked' : 'unblocked') };
}

async function newKey() {
  const workspace = await store.newWorkspace();
  const { key, id } = await store.createApiKey(workspace, { name: 'Before', permissions: ['links:read', 'links:write'] });
  const found = () => store.findApiKey(fingerprintOf(key));
  return { id, found };
}

/** Actions of two operators, of which the first loses its response, and the expected result. */
type History = () => Promise<{ work: () => Promise<unknown>; other: () => Promise<unknown>; check: () => Promise<void> }>;

const histories: Record<string, History> = {
  'disabling a link that was enabled since': async () => {
    const { link, state } = await newLink();
    return {
      work: () => store.setDisabled(link, true),
      other: () => store.setDisabled(link, false),
      check: async () => expect(await state()).toBe('enabled'),
    };
  },
  'enabling a link that was disabled since': async () => {
    const { link, state } = await newLink();
    await store.setDisabled(link, true);
    return {
      work: () => store.setDisabled(link, false),
      other: () => store.setDisabled(link, true),
      check: async () => expect(await state()).toBe('disabled'),
    };
  },
  'blocking a host that was unblocked since': async () => {
    const { host, state } = newHost();
    return {
      work: () => store.blockHost(host),
      other: () => store.unblockHost(host),
      check: async () => expect(await state()).toBe('unblocked'),
    };
  },
  'unblocking a host that was blocked since': async () => {
    const { host, state } = newHost();
    await store.blockHost(host);
    return {
      work: () => store.unblockHost(host),
      other: () => store.blockHost(host),
      check: async () => expect(await state()).toBe('blocked'),
    };
  },
  'widening a key that was narrowed since': async () => {
    const { id, found } = await newKey();
    return {
      work: () => store.updateApiKey(id, { permissions: ['links:read', 'tags:write'] }),
      other: () => store.updateApiKey(id, { permissions: ['links:read'] }),
      check: async () => expect(await found()).toMatchObject({ permissions: ['links:read'] }),
    };
  },
  'activating a domain that the operator has set back since': async () => {
    const workspace = await store.newWorkspace();
    const { host } = workspace.domain;
    await store.addDomain(workspace.workspaceId, host, 'PENDING_DNS');
    const domain = await store.getDomain(host);
    if (!domain) throw new Error('no domain');
    return {
      work: () => store.activate(domain),
      other: () => store.addDomain(workspace.workspaceId, host, 'PENDING_DNS'),
      check: async () => expect(await store.getDomain(host)).toMatchObject({ status: 'PENDING_DNS' }),
    };
  },
  'creating a key that was revoked since': async () => {
    const workspace = await store.newWorkspace();
    const listed = async () => (await store.listApiKeys(workspace.id))[0];
    return {
      work: () => store.createApiKey(workspace, { name: 'New', permissions: ['links:read'] }),
      other: async () => store.revokeApiKey((await listed())?.id ?? ''),
      check: async () => expect(await listed()).toMatchObject({ revokedAt: expect.any(String) }),
    };
  },
};

describe.for(Object.entries(histories))('A lost response to %s', ([, arrange]) => {
  test.for<Fate>(['done', 'done late'])('The retry does not undo the later change (%s).', async (fate) => {
    const { work, other, check } = await arrange();
    await lostAnswer(fate, { work, other });
    await check();
  });
});

test('Disabling a link that another operator has enabled since returns the present link.', async () => {
  const { link } = await newLink();
  const result = await lostAnswer('done', {
    work: () => store.setDisabled(link, true),
    other: () => store.setDisabled(link, false),
  });
  expect(result).toMatchObject({ id: link.id, disabledAt: null });
});

test('A retry makes the change if the first attempt never arrived.', async () => {
  const { link, state } = await newLink();
  await lostAnswer('never done', { work: () => store.setDisabled(link, true), other: async () => {} });
  expect(await state()).toBe('disabled');
  const { host, state: ofHost } = newHost();
  await lostAnswer('never done', { work: () => store.blockHost(host), other: async () => {} });
  expect(await ofHost()).toBe('blocked');
});

test('A workspace that is used before the response to its creation arrives keeps its count of tags.', async () => {
  let id = '';
  await lostAnswer('done', {
    work: () =>
      store.createWorkspace('New', async (made) => {
        id = made;
        return 'gateway';
      }),
    other: () => store.createTag(id, { name: 'Tag', color: '#123456' }),
  });
  expect(await store.getItem({ pk: `WORKSPACE#${id}`, sk: 'WORKSPACE' })).toMatchObject({ name: 'New', tagCount: 1 });
});
