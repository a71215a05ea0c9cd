import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { browser, curl, visit } from '../../../support/things/visit.ts';

/** The Argon2 of the runtime: the real one, none, or one whose OpenSSL is too old for it. */
const runtime = vi.hoisted(() => ({ argon2: undefined as unknown }));
vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>();
  runtime.argon2 = real.argon2;
  return {
    ...real,
    get argon2() {
      return runtime.argon2;
    },
  };
});

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
let real: unknown;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
  real = runtime.argon2;
});
beforeEach(() => {
  runtime.argon2 = real;
});

const tooOld = () => {
  throw Object.assign(new Error('Argon2 algorithm not supported'), { code: 'ERR_CRYPTO_ARGON2_NOT_SUPPORTED' });
};

async function newLink() {
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { id, shortCode } = found.link;
  const open = (headers = {}) =>
    visit({ host: workspace.domain.host, path: `/${shortCode}`, headers: { ...browser, ...headers } });
  const update = (body: object) => callEndpoint('update-link', { workspaceId: workspace.workspaceId, id, body });
  return { open, update };
}

describe.for([
  ['without Argon2', undefined],
  ['whose OpenSSL is too old for Argon2', tooOld],
] as const)('A runtime %s', ([, argon2]) => {
  test('Links without a password redirect, and links with one ask for it.', async () => {
    const [open, locked] = [await newLink(), await newLink()];
    await locked.update({ password: 'open sesame' });
    runtime.argon2 = argon2;
    expect((await open.open()).statusCode).toBe(302);
    expect((await locked.open()).statusCode).toBe(401);
  });

  test('An entered password gets 503, uses up no attempt, and the log has the reason but not the password.', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const { open, update } = await newLink();
    await update({ password: 'open sesame' });
    runtime.argon2 = argon2;
    for (let attempt = 0; attempt < 12; attempt++) {
      const response = await open({ ...curl, 'link-password': 'open sesame' });
      expect(response).toMatchObject({ statusCode: 503, headers: { 'Retry-After': expect.any(String) } });
    }
    expect(JSON.stringify(log.mock.calls)).toContain('Argon2');
    expect(JSON.stringify(log.mock.calls)).not.toContain('sesame');
    log.mockRestore();
    runtime.argon2 = real;
    expect((await open({ ...curl, 'link-password': 'open sesame' })).statusCode).toBe(302);
  });

  test('Setting a password fails with 503, and all other fields can be changed.', async () => {
    const { update } = await newLink();
    runtime.argon2 = argon2;
    expect(await update({ password: 'open sesame', title: 'New' })).toMatchObject({
      status: 503,
      body: { code: 'temporarily_unavailable' },
    });
    expect(await update({ title: 'New', password: null })).toMatchObject({ status: 200, body: { link: { title: 'New' } } });
  });
});
