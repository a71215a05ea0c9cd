import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOn, newDataFolder } from '../../support/service/commands.ts';
import { useService } from '../../support/service/service.ts';
import { newPerson } from '../../support/things/members.ts';

const folder = newDataFolder();
const { json, refused } = adminOn(folder.dataDir);
let workspace: string;
beforeAll(async () => {
  folder.pointAt(await useService());
  workspace = (await json('workspaces', 'create', '--name', 'Acme')).id;
});
afterAll(() => folder.remove());

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

test('The operator finds people by address or workspace, with or without a membership, and erases them; doing it again succeeds.', async () => {
  const ada = await newPerson({ email: 'ada@people.example', name: 'Ada' });
  const eve = await newPerson({ email: 'eve@people.example', name: null, emailVerified: undefined });
  const added = await json('members', 'add', '--workspace', workspace, '--email', ada.email, '--owner');
  const member = { id: workspace, member: added.id, role: 'owner' };
  expect(await json('people', 'list', '--email', 'ADA@people.example')).toEqual({
    people: [{ id: ada.id, email: ada.email, emailVerified: true, name: 'Ada', lastSignedInAt: timestamp, workspaces: [] }],
    invitations: [{ ...member, state: 'invited', email: ada.email }],
  });
  const { acceptInvitation } = await import('../../../lambdas/store/members/joining.ts');
  await acceptInvitation(ada, added.invitationUrl.split('=')[1], Date.now());
  expect(await json('people', 'list', '--workspace', workspace)).toMatchObject({
    people: [{ id: ada.id, workspaces: [{ ...member, state: 'active', email: ada.email }] }],
    invitations: [],
  });
  expect(await json('people', 'list', '--email', eve.email)).toMatchObject({
    people: [{ id: eve.id, emailVerified: null, workspaces: [] }],
  });
  for (const [{ id }, counts] of [
    [ada, { people: 1, members: 1, workspaces: 1 }],
    [ada, { people: 0, members: 0, workspaces: 0 }],
    [eve, { people: 1, members: 0, workspaces: 0 }],
  ] as const) {
    const erased = await json('people', 'erase', '--person', id, '--confirm', id);
    expect(erased).toEqual({ id, ...counts, erasedAt: timestamp });
  }
  for (const { email } of [ada, eve]) {
    expect(await json('people', 'list', '--email', email)).toEqual({ people: [], invitations: [] });
  }
});

test.for<[string, string[], RegExp]>([
  ['an unknown workspace', ['list', '--workspace', 'ws_unknown'], /there is no workspace/],
  ['an invalid email address', ['list', '--email', 'ada'], /must be an email address/],
  [
    'a member instead of a person',
    ['erase', '--person', 'mbr_0123456789abcdef', '--confirm', 'mbr_0123456789abcdef'],
    /"people list"/,
  ],
  [
    'an erasure without its confirmation',
    ['erase', '--person', 'per_0123456789abcdef', '--confirm', 'x'],
    /--confirm must repeat/,
  ],
])('A command with %s is refused in one line.', async ([_, args, message]) => {
  expect(await refused('people', ...args)).toMatch(message);
});
