import type { Command } from 'commander';
import { checkSlug } from '../../lambdas/core/link/slug.ts';
import { host, hostToBlock, ruled } from '../shared/arguments.ts';
import type { Store } from '../shared/store.ts';
import { addHarmfulHostCommands, addReportCommands } from './reports.ts';

/** What these commands share with the others: how an action runs. */
type Shared = {
  readonly run: <O>(work: (options: O, store: Store) => Promise<object>) => (options: O) => Promise<void>;
  /** Prints the progress of a long command. */
  readonly report: (line: string) => void;
};

/**
 * Adds the commands that disable and enable a link, that block and unblock all links to a host, and those for harmful
 * hosts and reports.
 */
export function addAbuseCommands(program: Command, { run, report }: Shared): void {
  const links = program.command('links').description('short links');
  for (const [verb, isDisabled] of [
    ['disable', true],
    ['enable', false],
  ] as const) {
    links
      .command(verb)
      .description(isDisabled ? 'take a link down, under all its slugs' : 'let a link lead to its destination again')
      .requiredOption('--domain <host>', "the link's domain", host)
      .requiredOption('--slug <slug>', "the link's slug, or one of its aliases", ruled(checkSlug))
      .action(
        run(async ({ domain, slug }: { domain: string; slug: string }, { getDomain, getLinkAt, setDisabled }) => {
          const known = await getDomain(domain);
          if (!known) throw new Error(`there is no domain ${domain}`);
          const found = await getLinkAt(known.domainId, slug);
          const link = found && (await setDisabled(found, isDisabled));
          if (!link) throw new Error(`there is no link ${slug} on ${domain}`);
          // Possible only if the call took long, for example because the first response was lost.
          if ((link.disabledAt !== null) !== isDisabled) {
            throw new Error(`${slug} on ${domain} was ${verb}d, but that has been undone since`);
          }
          return { id: link.id, domain: link.domain, slug: link.shortCode, disabledAt: link.disabledAt };
        }),
      );
  }

  const destinations = program.command('destinations').description('hosts that links must not lead to');
  destinations
    .command('block')
    .description('let no link lead to a host or its subdomains')
    .argument('<host>', "the host's name or IP address", hostToBlock)
    .action(
      run(async (host: string, { blockHost }) => {
        const blockedAt = await blockHost(host);
        if (!blockedAt) throw new Error('the list of blocked hosts is full: unblock some first');
        return { host, blockedAt };
      }),
    );
  destinations
    .command('unblock')
    .description('let links lead to a host again')
    .argument('<host>', "the host's name or IP address", hostToBlock)
    .action(
      run(async (host: string, { getBlockedHosts, unblockHost }) => {
        if (!(await getBlockedHosts()).has(host)) throw new Error(`${host} is not blocked`);
        await unblockHost(host);
        return { host, unblockedAt: new Date().toISOString() };
      }),
    );
  destinations
    .command('list')
    .description('list the blocked hosts')
    .action(
      run(async (_: object, { getBlockedHosts }) => {
        const list = [...(await getBlockedHosts())].map(([host, blockedAt]) => ({ host, blockedAt }));
        return { destinations: list.sort((a, b) => (a.host < b.host ? -1 : 1)) };
      }),
    );
  addHarmfulHostCommands(destinations, { run, report });
  addReportCommands(program, { run });
}
