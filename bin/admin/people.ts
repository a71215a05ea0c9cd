import { type Command, Option } from 'commander';
import { isPersonId } from '../../lambdas/core/ids.ts';
import { parseEmail } from '../../lambdas/core/member/email.ts';
import type { Member } from '../../lambdas/core/member/member.ts';
import type { RemovalOptions } from '../../lambdas/core/member/removal.ts';
import type { ListedPerson } from '../../lambdas/operator/listed-people.ts';
import { ruled } from '../shared/arguments.ts';
import { anyWorkspace, type Store } from '../shared/store.ts';
import { keysOption } from './members.ts';

/** What these commands share with the others: how an action runs. */
type Shared = {
  readonly run: <O>(work: (options: O, store: Store) => Promise<object>) => (options: O) => Promise<void>;
};

const shownMember = ({ workspaceId, id, role, state, email }: Member) => ({ id: workspaceId, member: id, role, state, email });

/** A person as the command prints them. */
const shown = ({ members, name, ...person }: ListedPerson) => ({
  ...person,
  ...(name !== null && { name }),
  workspaces: members.map(shownMember),
});

/** Adds the commands that find and erase everybody who has ever signed in. */
export function addPeopleCommands(program: Command, { run }: Shared): void {
  const people = program.command('people').description('everybody who has signed in, with or without a workspace');
  people
    .command('list')
    .description('list people and invitations, with what is stored about them')
    .addOption(new Option('--email <address>', 'only people with this address').argParser(ruled(parseEmail)))
    .addOption(new Option('--workspace <id>', 'only people who are or were members of this workspace'))
    .action(
      run(async ({ email, workspace }: { email?: string; workspace?: string }, store) => {
        const workspaceId = workspace === undefined ? undefined : (await anyWorkspace(store, workspace)).id;
        const { people: found, invitations } = await store.listPeople({ email, workspaceId }, Date.now());
        return {
          people: found.map(shown),
          invitations: invitations.map(shownMember),
        };
      }),
    );
  people
    .command('erase')
    .description('delete the data of a person, in every workspace')
    .requiredOption('--person <id>', 'the id of the person, from "people list"')
    .addOption(keysOption())
    .requiredOption('--confirm <id>', "the person's id again, because this cannot be undone")
    .action(
      run(async ({ person, keys, confirm }: { person: string; confirm: string } & Pick<RemovalOptions, 'keys'>, store) => {
        if (confirm !== person) throw new Error('--confirm must repeat the id of --person');
        if (!isPersonId(person)) throw new Error(`${person} is not the id of a person: see "people list"`);
        const erased = await store.erasePerson(person, { keys, keptDays: 0 });
        return { id: person, ...erased, erasedAt: new Date().toISOString() };
      }),
    );
}
