import type { Command } from 'commander';
import { type Certificate, shownCertificate } from '../../lambdas/core/domain/certificate.ts';
import type { Store } from '../shared/store.ts';
import type { Target } from '../shared/target.ts';

/** What the commands of the operator share: how an action runs. */
type Shared = {
  readonly run: <O>(work: (options: O, store: Store, target: Target) => Promise<object>) => (options: O) => Promise<void>;
  readonly exitWith: (code: number) => void;
};

/**
 * A domain's certificate as the operator sees it: its state, the records to set, and why it waits. Empty without one.
 */
export function shownToOperator(certificate: Certificate | undefined) {
  if (!certificate) return {};
  const { status, records, detail } = shownCertificate(certificate);
  return { certificate: status, records: records.map(({ type, name, value }) => `${type} ${name} ${value}`), detail };
}

/** Hosts by what is wrong with them: see `Differences` in lambdas/managed-domains/compare.ts. */
type Differences = Readonly<Record<'missing' | 'unused' | 'broken', readonly string[]>>;

/** The response of `manage-domains`. */
type Page = Differences & { readonly next: string | null };

/** How many hosts one run of the function can handle. AWS allows two new names a minute. */
const hostsPerRun = 10;

/** What a comparison found, as the command prints it. */
type Reconciled = Differences & { readonly repaired: boolean };

/**
 * Compares certificates and names with the domains, and repairs what differs. @param manageDomains runs the function
 */
export async function reconcile(manageDomains: Target['manageDomains'], isRepair: boolean): Promise<Reconciled> {
  const found = { missing: new Set<string>(), unused: new Set<string>(), broken: new Set<string>() };
  let after: string | undefined;
  do {
    const page = (await manageDomains({ compare: { after } })) as Page;
    for (const kind of ['missing', 'unused', 'broken'] as const) for (const host of page[kind]) found[kind].add(host);
    after = page.next ?? undefined;
  } while (after !== undefined);
  const hosts = [...new Set(Object.values(found).flatMap((some) => [...some]))];
  for (let done = 0; isRepair && done < hosts.length; done += hostsPerRun) {
    await manageDomains({ repair: hosts.slice(done, done + hostsPerRun) });
  }
  return { missing: [...found.missing], unused: [...found.unused], broken: [...found.broken], repaired: isRepair };
}

/**
 * Adds the command that compares certificates and custom domain names with the domains. They can differ after the
 * tables were restored, or if somebody has changed something in AWS.
 *
 * @param domains the group of commands.
 */
export function addReconcileCommand(domains: Command, { run, exitWith }: Shared): void {
  domains
    .command('reconcile')
    .description('compare the certificates and names that the service has made with the domains')
    .option('--repair', 'make what is missing, and remove what was made for domains that are gone')
    .action(
      run(async ({ repair = false }: { repair?: boolean }, _store, { manageDomains }) => {
        const found = await reconcile(manageDomains, repair);
        const isAny = found.missing.length + found.unused.length + found.broken.length > 0;
        if (isAny && !repair) exitWith(1);
        return found;
      }),
    );
}
