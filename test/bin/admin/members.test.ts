import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOn, newDataFolder } from '../../support/service/commands.ts';
import { type Service, useService } from '../../support/service/service.ts';

let service: Service;
const folder = newDataFolder();
const { json, refused } = adminOn(folder.dataDir);
let workspace: string;
beforeAll(async () => {
  service = await useService();
  folder.pointAt(service);
  workspace = (await json('workspaces', 'create', '--name', 'Acme')).id;
});
afterAll(() => folder.remove());

const on = (command: string, ...args: string[]) => ['members', command, '--workspace', workspace, ...args];
const list = async () => (await json(...on('list'))).members;
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

test('The operator invites the first owner with a link of the stage, lists members without secrets, and removes and erases them.', async () => {
  const { invitationUrl, ...made } = await json(...on('add', '--email', 'ada@example.com', '--owner'));
  expect(made).toEqual({
    id: expect.stringMatching(/^mbr_/),
    email: 'ada@example.com',
    emailVerified: null,
    role: 'owner',
    state: 'invited',
    createdAt: timestamp,
  });
  expect(invitationUrl).toMatch(new RegExp(`^${service.baseUrl}/console#invitation=inv_[0-9A-Za-z]{64}$`));
  expect(await list()).toEqual([made]);
  const { id } = await json(...on('add', '--email', 'bob@example.com', '--role', 'viewer'));
  expect(await json(...on('remove', '--id', id))).toEqual({ id, removedAt: timestamp });
  expect(await list()).toEqual([made]);
  const erased = await json(...on('erase', '--id', id, '--confirm', id));
  expect(erased).toEqual({ id, people: 0, members: 1, workspaces: 1, erasedAt: timestamp });
});

test('The operator approves the first owner, whose address the provider has not verified, and nobody twice.', async () => {
  const { newPerson } = await import('../../support/things/members.ts');
  const { acceptInvitation } = await import('../../../lambdas/store/members/joining.ts');
  const { id: another } = await json('workspaces', 'create', '--name', 'Entra');
  const of = (command: string, ...args: string[]) => ['members', command, '--workspace', another, ...args];
  const cleo = await newPerson({ email: 'cleo@example.com', emailVerified: undefined });
  const { id, invitationUrl } = await json(...of('add', '--email', cleo.email, '--owner'));
  expect(await refused(...of('approve', '--id', id))).toMatch(/Nobody has accepted the invitation/);
  await acceptInvitation(cleo, invitationUrl.split('=')[1], Date.now());
  expect((await json(...of('list'))).members).toMatchObject([{ id, state: 'pending', role: 'owner' }]);
  for (const _ of ['first', 'again']) {
    expect(await json(...of('approve', '--id', id))).toMatchObject({ id, state: 'active', role: 'owner' });
  }
  expect(await json(...of('verify'))).toEqual({ workspaces: 1, findings: [] });
  expect(await refused(...of('remove', '--id', id))).toMatch(/last active owner/);
});

test.for<[string, string[], RegExp]>([
  ['no role', ['add', '--email', 'eve@example.com'], /use --role or --owner/],
  ['two roles', ['add', '--email', 'eve@example.com', '--owner', '--role', 'viewer'], /cannot be used with/],
  ['an unknown role', ['add', '--email', 'eve@example.com', '--role', 'admin'], /viewer/],
  ['an invalid email address', ['add', '--email', 'eve', '--owner'], /must be an email address/],
  ['an address that is invited', ['add', '--email', 'ada@example.com', '--owner'], /has already been invited/],
  ['an unknown member', ['remove', '--id', 'mbr_0123456789abcdef'], /no such member/],
  ['nobody to approve', ['approve', '--id', 'mbr_0123456789abcdef'], /no such member/],
  ['a member who has expired', ['erase', '--id', 'mbr_0123456789abcdef', '--confirm', 'mbr_0123456789abcdef'], /"people list"/],
  ['an unknown choice for keys', ['remove', '--id', 'x', '--keys', 'delete'], /revoke, keep/],
  ['an erasure without its confirmation', ['erase', '--id', 'x', '--confirm', 'y'], /--confirm must repeat/],
])('A command with %s is refused in one line.', async ([_, args, message]) => {
  const [command = '', ...rest] = args;
  expect(await refused(...on(command, ...rest))).toMatch(message);
});
