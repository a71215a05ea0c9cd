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

test.for<[string, string[], RegExp]>([
  ['no role', ['add', '--email', 'eve@example.com'], /use --role or --owner/],
  ['two roles', ['add', '--email', 'eve@example.com', '--owner', '--role', 'viewer'], /cannot be used with/],
  ['an unknown role', ['add', '--email', 'eve@example.com', '--role', 'admin'], /viewer/],
  ['an invalid email address', ['add', '--email', 'eve', '--owner'], /must be an email address/],
  ['an address that is invited', ['add', '--email', 'ada@example.com', '--owner'], /has already been invited/],
  ['an unknown member', ['remove', '--id', 'mbr_0123456789abcdef'], /no such member/],
  ['a member who has expired', ['erase', '--id', 'mbr_0123456789abcdef', '--confirm', 'mbr_0123456789abcdef'], /"people list"/],
  ['an unknown choice for keys', ['remove', '--id', 'x', '--keys', 'delete'], /revoke, keep/],
  ['an erasure without its confirmation', ['erase', '--id', 'x', '--confirm', 'y'], /--confirm must repeat/],
])('A command with %s is refused in one line.', async ([_, args, message]) => {
  const [command = '', ...rest] = args;
  expect(await refused(...on(command, ...rest))).toMatch(message);
});
