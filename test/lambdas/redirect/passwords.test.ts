import { beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../../../lambdas/domain/password.ts';
import { type Store, useStore } from '../../support/store.ts';
import { curl, visit } from '../../support/visit.ts';

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
});

/** A link with the password `right`, of a domain. */
async function newLink(domain = workspace.domain) {
  const [found] = await store.newLinks({ ...workspace, domain }, 1);
  if (!found) throw new Error('no link');
  const { link } = await store.updateLink(found, { passwordHash: await hashPassword('right') });
  return { host: domain.host, path: `/${link.shortCode}` };
}
const program = (password: string) => ({ headers: { ...curl, 'link-password': password } });
const form = { method: 'POST', body: 'password=right' };

test('one who knows the password may give it as often as needed', async () => {
  const link = await newLink();
  for (let index = 0; index < 25; index++) expect((await visit({ ...link, ...program('right') })).statusCode).toBe(302);
});

test('right ones between wrong ones do not make room for more than 10 wrong', async () => {
  const link = await newLink();
  for (let index = 0; index < 10; index++) {
    expect((await visit({ ...link, ...program('wrong') })).statusCode).toBe(401);
    if (index < 9) expect((await visit({ ...link, ...program('right') })).statusCode).toBe(302);
  }
  expect((await visit({ ...link, ...program('right') })).statusCode).toBe(429);
});

test('whole networks of IPv6 have 10 attempts together', async () => {
  const link = await newLink();
  const from = (sourceIp: string) => visit({ ...link, ...program('wrong'), sourceIp });
  for (let index = 0; index < 10; index++) expect((await from(`2001:db8:1:2::${index}`)).statusCode).toBe(401);
  expect((await from('2001:0DB8:0001:0002:ffff:ffff:ffff:ffff')).statusCode).toBe(429);
  expect((await from('2001:db8:1:3::1')).statusCode).toBe(401);
});

test("the cookie is for TLS alone, but on a laptop's own names", async () => {
  await store.addDomain(workspace.id, 'go.localhost', 'ACTIVE');
  const local = await store.getDomain('go.localhost');
  if (!local) throw new Error('no domain');
  const [cookie = ''] = (await visit({ ...(await newLink(local)), ...form })).cookies ?? [];
  expect(cookie).toMatch(/; HttpOnly; SameSite=Lax$/);
  const [secure = ''] = (await visit({ ...(await newLink()), ...form })).cookies ?? [];
  expect(secure).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
});
