import { type Command, InvalidArgumentError } from 'commander';
import { parseHostToBlock } from '../lambdas/domain/destination.ts';
import { checkSlug } from '../lambdas/domain/slug.ts';
import { host, ruled } from './arguments.ts';
import type { Store } from './store.ts';

/** What the commands share with all others: how an action is run. */
type Shared = {
  readonly run: <O>(work: (options: O, store: Store) => Promise<object>) => (options: O) => Promise<void>;
};

const hostToBlock = (text: string) => {
  const parsed = parseHostToBlock(text);
  if (!parsed)
    throw new InvalidArgumentError('it is no host: a domain name of two labels or more, or an address, and nothing else.');
  return parsed;
};

/** The commands that take a link, or all links to a host, away from visitors. */
export function addAbuseCommands(program: Command, { run }: Shared): void {
  const links = program.command('links').description('what visitors follow');
  for (const [verb, isDisabled] of [
    ['disable', true],
    ['enable', false],
  ] as const) {
    links
      .command(verb)
      .requiredOption('--domain <host>', 'the domain it is on', host)
      .requiredOption('--slug <slug>', 'what comes behind the domain', ruled(checkSlug))
      .action(
        run(async ({ domain, slug }: { domain: string; slug: string }, { getDomain, getLinkAt, setDisabled }) => {
          const known = await getDomain(domain);
          if (!known) throw new Error(`there is no domain ${domain}`);
          const found = await getLinkAt(known.domainId, slug);
          const link = found && (await setDisabled(found, isDisabled));
          if (!link) throw new Error(`there is no link ${slug} on ${domain}`);
          // Only if it took a while, as when the first answer is lost.
          if ((link.disabledAt !== null) !== isDisabled) {
            throw new Error(`${slug} on ${domain} was ${verb}d, and that has been undone since`);
          }
          return { id: link.id, domain: link.domain, slug: link.shortCode, disabledAt: link.disabledAt };
        }),
      );
  }

  const destinations = program.command('destinations').description('hosts that no link leads to');
  destinations
    .command('block')
    .argument('<host>', 'its name or address', hostToBlock)
    .action(
      run(async (host: string, { blockHost }) => {
        const blockedAt = await blockHost(host);
        if (!blockedAt) throw new Error('the list of blocked hosts is full: unblock some first');
        return { host, blockedAt };
      }),
    );
  destinations
    .command('unblock')
    .argument('<host>', 'its name or address', hostToBlock)
    .action(
      run(async (host: string, { getBlockedHosts, unblockHost }) => {
        if (!(await getBlockedHosts()).has(host)) throw new Error(`${host} is not blocked`);
        await unblockHost(host);
        return { host, unblockedAt: new Date().toISOString() };
      }),
    );
  destinations.command('list').action(
    run(async (_: object, { getBlockedHosts }) => {
      const list = [...(await getBlockedHosts())].map(([host, blockedAt]) => ({ host, blockedAt }));
      return { destinations: list.sort((a, b) => (a.host < b.host ? -1 : 1)) };
    }),
  );
}
