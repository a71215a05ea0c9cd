import { beforeAll, expect, test } from 'vitest';
import { apiHost, callEndpoint } from '../../support/invoke.ts';
import { type Store, useStore } from '../../support/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
  process.env.DOMAIN_TARGET = 'links.links.example';
});

test.for([apiHost, `${apiHost.toUpperCase()}.`])(
  'the name under which the API is asked is claimed by nobody: %s',
  async (domain) => {
    const { workspaceId } = await store.newWorkspace();
    const answer = await callEndpoint('create-domain', { workspaceId, body: { domain } });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: '/domain', code: 'domain_own' }] } });
  },
);
