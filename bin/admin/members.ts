import { type Command, Option } from 'commander';
import { parseEmail } from '../../lambdas/core/member/email.ts';
import { invitationUrl } from '../../lambdas/core/member/invitation.ts';
import type { Member } from '../../lambdas/core/member/member.ts';
import { keysOfRemoved, type RemovalOptions } from '../../lambdas/core/member/removal.ts';
import { type Role, roles } from '../../lambdas/core/member/roles.ts';
import { ruled } from '../shared/arguments.ts';
import { anyWorkspace, existingWorkspace, type Store } from '../shared/store.ts';

/** What these commands share with the others. */
type Shared = {
  readonly workspaceOption: () => Option;
  readonly run: <O>(work: (options: O, store: Store) => Promise<object>) => (options: O) => Promise<void>;
  /** The URL of the API, without a trailing slash. */
  readonly apiUrl: () => Promise<string>;
  /** For how many days the stage keeps the history. */
  readonly historyDays: () => number;
  readonly exitWith: (code: number) => void;
};

type One = { readonly workspace: string; readonly id: string };

const idOption = () =>
  new Option('--id <id>', 'the id of the member, from "members add" or "members list"').makeOptionMandatory();
/** What to do with the keys that a person made. */
export const keysOption = () =>
  new Option('--keys <what>', 'what becomes of the keys that the person made').choices(keysOfRemoved).default('revoke');

/** A member as the commands print it. */
const shown = ({ id, email, emailVerified, name, role, state, createdAt, lastSignedInAt }: Member) => ({
  id,
  email,
  emailVerified: emailVerified ?? null,
  ...(name !== null && { name }),
  role,
  state,
  createdAt,
  ...(lastSignedInAt !== undefined && { lastSignedInAt }),
});

const roleIn = ({ role, owner }: { readonly role?: Role; readonly owner?: true }): Role => {
  const chosen = owner ? 'owner' : role;
  if (chosen === undefined) throw new Error('use --role or --owner');
  return chosen;
};

/** Adds the commands that invite, list, approve, remove, erase and verify members. */
export function addMemberCommands(program: Command, { workspaceOption, run, apiUrl, historyDays, exitWith }: Shared): void {
  const members = program.command('members').description('the people who may use a workspace');
  members
    .command('add')
    .description('invite somebody, and show the link once')
    .addOption(workspaceOption())
    .requiredOption('--email <address>', 'the address with which the person will sign in', ruled(parseEmail))
    .addOption(new Option('--role <role>', 'what the person may do').choices(roles).conflicts('owner'))
    .option('--owner', 'short for --role owner')
    .action(
      run(async (options: { workspace: string; email: string; role?: Role; owner?: true }, { inviteMember, ...rest }) => {
        const role = roleIn(options);
        const { id: workspaceId } = await existingWorkspace(rest, options.workspace);
        const base = await apiUrl();
        const { member, secret } = await inviteMember(workspaceId, { email: options.email, role });
        return { ...shown(member), invitationUrl: invitationUrl(base, secret) };
      }),
    );
  members
    .command('list')
    .description('list members, invitations, and people who wait for approval')
    .addOption(workspaceOption())
    .action(
      run(async (options: { workspace: string }, { listMembers, ...rest }) => {
        const { id } = await existingWorkspace(rest, options.workspace);
        return { members: (await listMembers(id, Date.now())).map(shown) };
      }),
    );
  members
    .command('approve')
    .description('let somebody in who waits for approval')
    .addOption(workspaceOption())
    .addOption(idOption())
    .action(
      run(async ({ workspace, id }: One, { approveMember, ...rest }) => {
        const { id: workspaceId } = await existingWorkspace(rest, workspace);
        return shown(await approveMember(workspaceId, id));
      }),
    );
  members
    .command('remove')
    .description('remove a member, or withdraw an invitation')
    .addOption(workspaceOption())
    .addOption(idOption())
    .addOption(keysOption())
    .action(
      run(async ({ workspace, id, keys }: One & Pick<RemovalOptions, 'keys'>, { removeMember, ...rest }) => {
        const { id: workspaceId } = await existingWorkspace(rest, workspace);
        await removeMember(workspaceId, id, { keys, keptDays: historyDays() });
        return { id, removedAt: new Date().toISOString() };
      }),
    );
  members
    .command('erase')
    .description('delete the data of a person, in every workspace')
    .addOption(workspaceOption())
    .addOption(idOption())
    .addOption(keysOption())
    .requiredOption('--confirm <id>', "the member's id again, because this cannot be undone")
    .action(
      run(async ({ workspace, id, keys, confirm }: One & Pick<RemovalOptions, 'keys'> & { confirm: string }, store) => {
        if (confirm !== id) throw new Error('--confirm must repeat the id of --id');
        const { id: workspaceId } = await anyWorkspace(store, workspace);
        const erased = await store.eraseMember(workspaceId, id, { keys, keptDays: 0 }).catch((error: { code?: string }) => {
          if (error.code !== 'not_found') throw error;
          throw new Error(`there is no member ${id}: "people list" finds those who were removed long ago`);
        });
        return { id, ...erased, erasedAt: new Date().toISOString() };
      }),
    );
  members
    .command('verify')
    .description('compare members, memberships, identities and owners')
    .addOption(new Option('--workspace <id>', 'only this workspace'))
    .option('--repair', 'repair what is inconsistent')
    .action(
      run(async ({ workspace, repair = false }: { workspace?: string; repair?: boolean }, { checkMembers, ...rest }) => {
        const workspaceId = workspace === undefined ? undefined : (await existingWorkspace(rest, workspace)).id;
        const verified = await checkMembers({ workspaceId, repair });
        if (verified.findings.some(({ repaired }) => !repaired)) exitWith(1);
        return verified;
      }),
    );
}
