import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { givableRoles, stateOf } from '../../../clients/console/members/words.ts';
import { permissions } from '../../../lambdas/core/key/permissions.ts';
import { emailOf, nameOf } from '../../../lambdas/core/member/profile.ts';
import { rolePermissions } from '../../../lambdas/core/member/roles.ts';
import { chromiumPath, useChromium } from '../../support/http/chromium.ts';
import { openConsole, overflowOf, violationsIn } from '../../support/http/console-page.ts';
import { sized } from '../../support/run/proof.ts';
import { type Service, useService } from '../../support/service/service.ts';
import { newPerson } from '../../support/things/members.ts';

// Members in a real browser.

test("Only roles within somebody's own permissions are offered.", () => {
  expect(givableRoles(permissions)).toEqual(['owner', 'editor', 'viewer']);
  expect(givableRoles([...rolePermissions.editor, 'members:write'])).toEqual(['editor', 'viewer']);
  expect(givableRoles(['members:write'])).toEqual([]);
});

test('A person whose address is not verified is marked; an invited address is not.', () => {
  const email = 'ceo@example.com';
  const shown = (['invited', 'pending', 'active'] as const).map((state) =>
    [true, false, null].map((emailVerified) => emailOf({ email, emailVerified, state })),
  );
  const marked = `${email} (not verified)`;
  expect(shown).toEqual([Array(3).fill(email), [email, marked, marked], [email, marked, marked]]);
  expect(nameOf({ name: null, email, emailVerified: false, state: 'active' })).toBe(marked);
  expect(nameOf({ name: 'Ada', email, emailVerified: false, state: 'active' })).toBe('Ada');
});

test('Each state of joining is shown in words.', () => {
  const [createdAt, now] = ['2030-01-01T00:00:00.000Z', Date.parse('2030-01-03T00:00:00Z')];
  const words = (['invited', 'pending', 'active'] as const).map(
    (state) => stateOf({ state, createdAt, lastSignedInAt: null }, now).word,
  );
  expect(words).toEqual(['Invited 2 days ago', 'Waiting for approval', 'Active']);
  expect(stateOf({ state: 'active', createdAt, lastSignedInAt: createdAt }, now).word).toBe('Signed in 2 days ago');
});

describe.runIf(chromiumPath)('In the console', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), useChromium()]);
  });

  test.for(sized([['dark', 360] as const], [['light', 1_400] as const, ['dark', 360] as const]))(
    'in %s colours at %i pixels, an owner invites, approves, promotes and removes a person.',
    async ([theme, width]) => {
      const { acceptInvitation } = await import('../../../lambdas/store/members/joining.ts');
      const workspace = await service.newWorkspace();
      const { page, wrong } = await openConsole(browser, service, workspace, { path: '/members', theme, width, withAxe: true });
      const dialog = page.getByRole('dialog');
      const members = async () => (await workspace.call('GET', '/members')).body.members;
      const check = async () => {
        expect(await violationsIn(page)).toEqual([]);
        expect(await overflowOf(page)).toBe(0);
      };
      const action = async (what: string) => {
        await page.getByRole('button', { name: /^Actions for ada/ }).press('Enter');
        await page.getByRole('menuitem', { name: what }).press('Enter');
      };
      const email = `ada.${'long'.repeat(12)}-${workspace.id.slice(3)}@example.com`;
      await page.getByText('No members yet').waitFor();
      await page.getByRole('button', { name: 'Invite someone' }).press('Enter');
      await dialog.getByLabel('Email address').fill('ada');
      await page.keyboard.press('Enter');
      await dialog.getByText(/^ ?This must/).waitFor();
      await check();
      await dialog.getByLabel('Email address').fill(email);
      await page.keyboard.press('Enter');
      await page.getByText('Copy it now. It is not shown again.').waitFor();
      const link = (await page.locator('output').textContent()) ?? '';
      await check();
      await page.getByRole('button', { name: 'Done' }).press('Enter');
      await page.getByText('Invited just now').waitFor();
      expect(await members()).toMatchObject([{ email, role: 'editor', state: 'invited' }]);

      // The provider does not say whether the address is theirs.
      const person = await newPerson({ email, name: 'Ada', emailVerified: undefined });
      await acceptInvitation(person, link.split('#invitation=')[1] ?? '', Date.now());
      await page.reload();
      await page.getByText('Waiting for approval').waitFor();
      await page.getByText(`${email} (not verified)`).waitFor();
      await check();
      await page.getByRole('button', { name: 'Approve' }).press('Enter');
      await page.getByText(/is a member now/).waitFor();
      expect(await members()).toMatchObject([{ name: 'Ada', state: 'active' }]);

      await action('Change the role…');
      await dialog.getByLabel('Role').selectOption('viewer');
      await dialog.getByRole('button', { name: 'Save' }).press('Enter');
      await page.getByText('Ada is now a viewer.').waitFor();
      expect(await members()).toMatchObject([{ role: 'viewer' }]);
      await page.getByRole('button', { name: 'Undo' }).press('Enter');
      await expect.poll(async () => (await members())[0].role).toBe('editor');

      await action('Remove…');
      await dialog.getByText('keep working').waitFor();
      await check();
      await dialog.getByRole('button', { name: 'Remove' }).press('Enter');
      await page.getByText('Ada is removed.').waitFor();
      expect(await members()).toEqual([]);
      expect(wrong).toEqual([]);
    },
  );
});
