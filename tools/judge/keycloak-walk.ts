import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { newPage } from '../browser/chromium.ts';
import { type Keycloak, realm } from './keycloak-server.ts';
import type { Trials } from './steps.ts';

type Person = { readonly id: string; readonly username: string; readonly email: string };
/**
 * The users at Keycloak: `olga` and `ida` are invited; `eva`'s address is not verified; `gia` and `hal` are in the
 * group.
 */
export type People = Readonly<Record<'olga' | 'eva' | 'gia' | 'hal' | 'ida', Person>>;

/** The laptop's service. */
export type Place = {
  readonly url: string;
  readonly workspaceId: string;
  /** The log of its functions. */
  readonly log: () => string;
  /** Runs a command of the operator for the workspace. @returns what it prints. @throws Error with what it prints */
  readonly operate: (...args: readonly string[]) => Promise<Record<string, unknown>>;
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

type Walk = {
  readonly trials: Trials;
  readonly browser: Browser;
  readonly keycloak: Keycloak;
  /** The id of the client at Keycloak. */
  readonly client: string;
  readonly people: People;
  readonly password: string;
  readonly group: string;
  readonly place: Place;
};

/** The service's response about the person of a page; null if nobody is signed in. */
type SignedIn = {
  readonly person: { readonly email: string };
  readonly workspaces: readonly { readonly id: string; readonly role: string; readonly state: string }[];
} | null;

/** Walks through everything that people do with their provider. Each person has their own browser. */
export async function walk({ trials, browser, keycloak, client, people, password, group, place }: Walk): Promise<void> {
  /** A step of the walk. If it fails, the message includes what its page shows. */
  const step = (name: string, page: Page, work: () => Promise<unknown>): Promise<void> =>
    trials.step(name, async () => {
      try {
        const said = await work();
        return typeof said === 'string' ? said : undefined;
      } catch (error) {
        const shown = await page
          .locator('body')
          .innerText({ timeout: 1_000 })
          .catch(() => '');
        const { message, stack } = error as Error;
        const [reason = ''] = message.split('\n');
        const [, line] = /keycloak-walk\.ts:(\d+)/.exec(stack ?? '') ?? [];
        throw new Error(
          `line ${line}: ${reason}: ${page.url().split('?')[0]} shows ${shown.replaceAll(/\s+/g, ' ').slice(0, 300)}`,
        );
      }
    });
  const { olga, eva, gia, hal, ida } = people;
  const { url, workspaceId, operate } = place;
  const wrong: string[][] = [];

  const open = async (): Promise<Page> => {
    const opened = await newPage(await browser.newContext());
    opened.page.setDefaultTimeout(20_000);
    wrong.push(opened.wrong);
    return opened.page;
  };
  const atKeycloak = (page: Page) => page.waitForURL((now) => now.href.startsWith(`${keycloak.issuer}/`));
  const enter = async (page: Page, { username }: Person) => {
    await atKeycloak(page);
    // Keycloak asks only unknown people for their name, so this also shows that it has forgotten the former person.
    await page.locator('#username').fill(username);
    await page.locator('#password').fill(password);
    await page.locator('#kc-login').click();
  };
  const signIn = async (page: Page, person: Person) => {
    await page.goto(`${url}/console`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await enter(page, person);
  };
  const isHome = async (page: Page) => {
    await page.waitForURL(`${url}/console/${workspaceId}/links`);
    await page.getByText('Hello').first().waitFor();
  };
  const who = (page: Page) =>
    page.evaluate("fetch('/sign-ins/current').then((got) => (got.ok ? got.json() : null))") as Promise<SignedIn>;
  const roleOf = async (page: Page) => (await who(page))?.workspaces.find(({ id }) => id === workspaceId)?.role;
  const invite = async ({ email }: Person, role: string) =>
    String((await operate('members', 'add', '--email', email, '--role', role)).invitationUrl);

  /** Without an ID token, Keycloak asks for confirmation, and then leads back. */
  const leaveKeycloak = async (page: Page) => {
    await page.locator('#kc-logout').click();
    await page.waitForURL(`${url}/console`);
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
  };
  const signOut = async (page: Page) => {
    await page.getByRole('button', { name: /^Signed in as / }).click();
    await page.getByRole('menuitem', { name: /^Sign out/ }).click();
    await leaveKeycloak(page);
  };

  const [ofOlga, ofEva, ofGia, ofHal] = [await open(), await open(), await open(), await open()];

  await step('invitation', ofOlga, async () => {
    await ofOlga.goto(await invite(olga, 'owner'));
    await ofOlga.getByRole('link', { name: 'Sign in' }).click();
    await enter(ofOlga, olga);
    await ofOlga.getByText(`Join the workspace as ${olga.email}?`).waitFor();
    await ofOlga.getByRole('button', { name: 'Join' }).click();
    await isHome(ofOlga);
    assert.equal(await roleOf(ofOlga), 'owner');
  });

  await step('an address that is not verified', ofEva, async () => {
    const invitation = await invite(eva, 'viewer');
    await ofEva.goto(invitation);
    await ofEva.getByRole('link', { name: 'Sign in' }).click();
    await enter(ofEva, eva);
    await ofEva.getByRole('button', { name: 'Join' }).click();
    await ofEva.getByText('has not verified your email address').waitFor();
    assert.equal(await roleOf(ofEva), undefined);
    await keycloak.admin('update', `users/${eva.id}`, '-r', realm, '-s', 'emailVerified=true');
    await ofEva.getByRole('button', { name: 'Use another account' }).click();
    await leaveKeycloak(ofEva);
    await ofEva.getByRole('link', { name: 'Sign in' }).click();
    await enter(ofEva, eva);
    await ofEva.getByRole('button', { name: 'Join' }).click();
    await isHome(ofEva);
    assert.equal(await roleOf(ofEva), 'viewer');
  });

  await step('a rule about a group', ofGia, async () => {
    const back = ofGia.waitForRequest((request) => request.url().startsWith(`${url}/sign-in/callback?`));
    await signIn(ofGia, gia);
    await isHome(ofGia);
    assert.equal(await roleOf(ofGia), 'editor');
    // Opening the address of Keycloak's redirect again leads to the console again.
    await ofGia.goto((await back).url());
    await isHome(ofGia);
  });

  await step('two tabs sign in', ofHal, async () => {
    const first = ofHal;
    const second = await first.context().newPage();
    for (const tab of [first, second]) {
      await tab.goto(`${url}/console`);
      await tab.getByRole('link', { name: 'Sign in' }).click();
      await atKeycloak(tab);
    }
    await enter(first, hal);
    await isHome(first);
    // Keycloak's page notices the sign-in in another tab, and continues by itself.
    await isHome(second);
    await second.close();
    assert.equal(await roleOf(first), 'editor');
  });

  await step('sign out', ofHal, async () => {
    await signOut(ofHal);
    assert.equal(await who(ofHal), null);
    await ofHal.getByRole('link', { name: 'Sign in' }).click();
    await enter(ofHal, hal);
    await isHome(ofHal);
  });

  await step('another account', ofHal, async () => {
    await ofHal.goto(await invite(ida, 'viewer'));
    await ofHal.getByRole('button', { name: 'Use another account' }).click();
    await leaveKeycloak(ofHal);
    await ofHal.getByRole('link', { name: 'Sign in' }).click();
    await enter(ofHal, ida);
    await ofHal.getByText(`Join the workspace as ${ida.email}?`).waitFor();
    await ofHal.getByRole('button', { name: 'Join' }).click();
    await isHome(ofHal);
    assert.equal(await roleOf(ofHal), 'viewer');
    await signOut(ofHal);
    await signIn(ofHal, hal);
    await isHome(ofHal);
  });

  await step('another key of the realm', ofHal, async () => {
    const { id } = JSON.parse(await keycloak.admin('get', `realms/${realm}`, '--fields', 'id')) as { id: string };
    const active = JSON.parse(await keycloak.admin('get', 'keys', '-r', realm)) as { active: { RS256: string } };
    const components = JSON.parse(
      await keycloak.admin('get', 'components', '-r', realm, '-q', 'name=rsa-generated', '--fields', 'id,providerId'),
    ) as { id: string; providerId: string }[];
    await keycloak.admin(
      'create',
      'components',
      ...['-r', realm, '-s', 'name=rotated', '-s', 'providerId=rsa-generated', '-s', `parentId=${id}`],
      ...['-s', 'providerType=org.keycloak.keys.KeyProvider', '-s', 'config.priority=["200"]'],
    );
    await signOut(ofHal);
    await signIn(ofHal, hal);
    await isHome(ofHal);
    // Signatures with the former key are no longer accepted.
    for (const { id: component } of components.filter(({ providerId }) => providerId === 'rsa-generated'))
      await keycloak.admin('delete', `components/${component}`, '-r', realm);
    await signOut(ofHal);
    await signIn(ofHal, hal);
    await isHome(ofHal);
    const after = JSON.parse(await keycloak.admin('get', 'keys', '-r', realm)) as { active: { RS256: string } };
    assert.notEqual(after.active.RS256, active.active.RS256);
  });

  await step('another secret of the client', ofHal, async () => {
    const before = JSON.parse(await keycloak.admin('get', `clients/${client}/client-secret`, '-r', realm)) as { value: string };
    await keycloak.admin('create', `clients/${client}/client-secret`, '-r', realm);
    await signOut(ofHal);
    await signIn(ofHal, hal);
    await ofHal.getByRole('heading', { name: 'Not signed in' }).waitFor();
    await keycloak.admin('update', `clients/${client}`, '-r', realm, '-s', `secret=${before.value}`);
    await ofHal.getByRole('link', { name: 'Back to the console' }).click();
    await ofHal.getByRole('link', { name: 'Sign in' }).click();
    await isHome(ofHal);
    return reasonIn(place.log());
  });

  await step('a member is removed', ofGia, async () => {
    await ofOlga.goto(`${url}/console/${workspaceId}/keys`);
    await ofOlga.getByRole('button', { name: `Actions for ${gia.email}` }).click();
    await ofOlga.getByRole('menuitem', { name: 'Remove…' }).click();
    await ofOlga.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await ofOlga.getByText(' is removed.').waitFor();
    await ofGia.reload();
    await ofGia.getByRole('heading', { name: 'No workspace yet' }).waitFor();
    // The rule does not let them in again, either.
    await ofGia.getByRole('button', { name: 'Sign out' }).click();
    await leaveKeycloak(ofGia);
    await signIn(ofGia, gia);
    await ofGia.getByRole('heading', { name: 'No workspace yet' }).waitFor();
  });

  await step('somebody leaves the group', ofHal, async () => {
    const groups = JSON.parse(await keycloak.admin('get', 'groups', '-r', realm)) as { id: string; name: string }[];
    const { id } = groups.find(({ name }) => name === group) ?? {};
    await keycloak.admin('delete', `users/${hal.id}/groups/${id}`, '-r', realm);
    await signOut(ofHal);
    await signIn(ofHal, hal);
    await ofHal.getByRole('heading', { name: 'No workspace yet' }).waitFor();
  });

  await step('an administrator signs somebody out', ofEva, async () => {
    await keycloak.admin('create', `users/${eva.id}/logout`, '-r', realm, '-b', '{}');
    await ofEva.waitForFunction("fetch('/sign-ins/current').then(({ status }) => status === 401)");
  });

  await step('the log has nothing secret', ofOlga, async () => {
    const found = /eyJ[\w-]{10,}\.|[?&]code=|"code":"[\w.-]{20,}/.exec(place.log());
    assert.equal(found, null);
  });

  await step('pages', ofOlga, async () => {
    assert.deepEqual(wrong.flat(), []);
  });

  await step('Keycloak is away', ofHal, async () => {
    await keycloak.stop();
    // A warm function remembers Keycloak's addresses.
    await place.restart();
    await ofHal.goto(`${url}/sign-in`);
    await ofHal.getByRole('heading', { name: 'Not signed in' }).waitFor();
    await ofHal.getByRole('link', { name: 'Back to the console' }).click();
    await ofHal.waitForURL(`${url}/console`);
    return reasonIn(place.log());
  });
}

/** The newest reason in the log why somebody was not signed in. */
const reasonIn = (log: string): string | undefined => [...log.matchAll(/reason: (['"`])(.*?)\1/g)].at(-1)?.[2];
