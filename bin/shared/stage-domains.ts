import { everyName, isServed } from '../../lambdas/core/domain/served-names.ts';
import type { Store } from './store.ts';

// Which domain of a stage an operator's command uses if none is named.

/** The workspace that has a domain. It can use the domain if that is active and neither is being deleted. */
export type Owner = { readonly workspaceId: string; readonly name: string; readonly canUse: boolean };

/**
 * The domains of a stage that a command can use: its names in the order of the settings, each wildcard with that label.
 * AWS's own name is last, if it is on.
 *
 * @param served the names with which the redirect was deployed.
 * @param label the label of names below a wildcard, or on a laptop below `localhost`.
 */
export const stageDomains = (served: readonly string[], label: string): string[] =>
  served
    .filter((name) => !name.startsWith('!'))
    .map((name) => (name === everyName ? `${label}.localhost` : name.replace(/^\*/, label)))
    .filter((name) => isServed(name, served));

/**
 * The domain for the smoke test, and its owner if it has one. A random name below a wildcard is always free. If
 * workspaces have all names, the test is a guest in one that can use its name now; undefined if none can.
 */
export function domainToTry(
  served: readonly string[],
  owners: ReadonlyMap<string, Owner>,
  label: string,
): { readonly domain: string; readonly owner?: Owner } | undefined {
  const all = stageDomains(served, label);
  const free = all.find((name) => !served.includes(name)) ?? all.find((name) => !owners.has(name));
  if (free !== undefined) return { domain: free };
  for (const domain of all) {
    const owner = owners.get(domain);
    if (owner?.canUse) return { domain, owner };
  }
  return undefined;
}

/**
 * The domain to start with: one that the workspace has already, or the first one that nobody has; undefined if there is
 * none.
 */
export const domainToStart = (
  domains: readonly string[],
  owners: ReadonlyMap<string, Owner>,
  workspaceId: string | undefined,
): string | undefined =>
  domains.find((name) => workspaceId !== undefined && owners.get(name)?.workspaceId === workspaceId) ??
  domains.find((name) => !owners.has(name));

/** The label of a name below a wildcard for a workspace: `acme-co` for "Acme & Co." */
export const labelOf = (workspaceName: string): string =>
  workspaceName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '') || 'links';

/** The owners of these domains. Free domains are left out. */
export async function ownersOf(
  names: readonly string[],
  { getDomain, getWorkspace }: Pick<Store, 'getDomain' | 'getWorkspace'>,
): Promise<Map<string, Owner>> {
  const found = await Promise.all(
    names.map(async (name) => {
      const domain = await getDomain(name);
      const workspace = domain && (await getWorkspace(domain.workspaceId));
      if (!domain) return [];
      const canUse = domain.status === 'ACTIVE' && !domain.deletion && workspace !== undefined && !workspace.deletingSince;
      return [[name, { workspaceId: domain.workspaceId, name: workspace?.name ?? '', canUse }] as const];
    }),
  );
  return new Map(found.flat());
}
