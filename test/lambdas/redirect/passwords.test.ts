import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type Store, useStore } from '../../support/store/store.ts';
import { cheapHash } from '../../support/things/password.ts';
import { curl, untilAvailable, visit } from '../../support/things/visit.ts';

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
  const { link } = await store.updateLink(found, { passwordHash: cheapHash('right') });
  return { host: domain.host, path: `/${link.shortCode}` };
}
const program = (password: string) => ({ headers: { ...curl, 'link-password': password } });
const form = { method: 'POST', body: 'password=right' };

test('A visitor who knows the password may send it as often as needed.', async () => {
  const link = await newLink();
  for (let index = 0; index < 25; index++) expect((await visit({ ...link, ...program('right') })).statusCode).toBe(302);
});

test('Right passwords between wrong ones do not allow more than 10 wrong ones.', async () => {
  const link = await newLink();
  for (let index = 0; index < 10; index++) {
    expect((await visit({ ...link, ...program('wrong') })).statusCode).toBe(401);
    if (index < 9) expect((await visit({ ...link, ...program('right') })).statusCode).toBe(302);
  }
  expect((await visit({ ...link, ...program('right') })).statusCode).toBe(429);
});

test.for([-3, -1, 1, 25])(
  'A function whose clock is wrong by %i hours forgets no wrong password, and refuses the next one.',
  async (hours) => {
    const link = await newLink();
    const receivedAt = Date.now();
    const guess = async () => (await visit({ ...link, ...program('wrong'), receivedAt })).statusCode;
    for (let index = 0; index < 10; index++) expect(await guess()).toBe(401);
    const wrong = vi.spyOn(Date, 'now').mockReturnValue(receivedAt + hours * 60 * 60_000);
    const guessed = await guess();
    wrong.mockRestore();
    expect([guessed, await guess()]).toEqual([429, 429]);
  },
);

test('An IPv6 network has 10 attempts together.', async () => {
  const link = await newLink();
  const from = (sourceIp: string) => visit({ ...link, ...program('wrong'), sourceIp });
  for (let index = 0; index < 10; index++) expect((await from(`2001:db8:1:2::${index}`)).statusCode).toBe(401);
  expect((await from('2001:0DB8:0001:0002:ffff:ffff:ffff:ffff')).statusCode).toBe(429);
  expect((await from('2001:db8:1:3::1')).statusCode).toBe(401);
});

test("The cookie is Secure, except on a laptop's own names.", async () => {
  await store.addDomain(workspace.id, 'go.localhost', 'ACTIVE');
  const local = await store.getDomain('go.localhost');
  if (!local) throw new Error('no domain');
  const [cookie = ''] = (await visit({ ...(await newLink(local)), ...form })).cookies ?? [];
  expect(cookie).toMatch(/; HttpOnly; SameSite=Lax$/);
  const [secure = ''] = (await visit({ ...(await newLink()), ...form })).cookies ?? [];
  expect(secure).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
});

describe("A password from another site's page", () => {
  const crossSite = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  const older = { origin: 'https://evil.example' };

  test.for([crossSite, older, { origin: 'null' }])(
    "A password of another site's page is neither checked nor counted, right or wrong: %j.",
    async (headers) => {
      const link = await newLink();
      for (let index = 0; index < 30; index++) {
        const body = `password=${index % 2 === 0 ? 'wrong' : 'right'}`;
        const response = await visit({ ...link, method: 'POST', body, headers, sourceIp: `198.51.100.${index % 3}` });
        expect(response).toMatchObject({ statusCode: 401, headers: { 'WWW-Authenticate': 'Link-Password' } });
        expect(response.cookies).toBeUndefined();
        expect(response.body).toContain('sent from another website');
      }
      for (let index = 0; index < 3; index++) {
        const own = { ...form, headers: { 'sec-fetch-site': 'same-origin', origin: 'null' }, sourceIp: `198.51.100.${index}` };
        expect((await visit({ ...link, ...own })).statusCode).toBe(303);
      }
    },
  );

  test("A password of another site's page is refused with a working form, and for programs with a reason.", async () => {
    const link = await newLink();
    const page = await visit({ ...link, ...form, headers: crossSite });
    expect(page.body).toContain('<form method="post">');
    // A stricter Referrer-Policy would turn the form's own origin into `null`.
    expect(page.headers['Referrer-Policy']).not.toBe('no-referrer');
    const problem = await visit({ ...link, ...form, headers: { ...crossSite, accept: 'application/json' } });
    expect(JSON.parse(problem.body ?? '')).toMatchObject({ code: 'password_required', reason: 'cross_site_password' });
  });
});

test('Ten visitors who use up their guesses do not affect other visitors.', async () => {
  const link = await newLink();
  // All visitors guess repeatedly and at once.
  const visitors = Array.from({ length: 10 }, (_, index) => `198.51.100.${index}`);
  const guess = (sourceIp: string) => untilAvailable(() => visit({ ...link, ...program('wrong'), sourceIp }));
  const statuses = await Promise.all(
    visitors.map((visitor) => Array.fromAsync({ length: 12 }, async () => (await guess(visitor)).statusCode)),
  ).then((all) => all.flat());
  expect(statuses.filter((status) => status === 401)).toHaveLength(100);
  for (let index = 1; index <= 5; index++) {
    expect((await visit({ ...link, ...program('right'), sourceIp: `203.0.113.${index}` })).statusCode).toBe(302);
  }
});
