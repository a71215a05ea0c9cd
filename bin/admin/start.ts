import type { Command } from 'commander';
import { hasExpired } from '../../lambdas/core/key/key-expiry.ts';
import { defaultPermissions } from '../../lambdas/core/key/permissions.ts';
import type { Workspace } from '../../lambdas/store/workspaces/workspaces.ts';
import { host } from '../shared/arguments.ts';
import { consoleAddressOf, curlLine } from '../shared/first-steps.ts';
import { domainToStart, labelOf, ownersOf, stageDomains } from '../shared/stage-domains.ts';
import type { Store } from '../shared/store.ts';
import { requireServed, type Target } from '../shared/target.ts';

/** What the command shares with the others: how a name is parsed, how an action runs, and which service it is for. */
type Shared = {
  readonly name: (text: string) => string;
  readonly run: <O>(work: (options: O, store: Store, target: Target) => Promise<object>) => (options: O) => Promise<void>;
  readonly stage: () => string;
  readonly apiUrl: () => Promise<string>;
  readonly hasConsole: () => boolean;
};

/** Adds the command that makes everything that somebody needs for their first link. */
export function addStartCommand(program: Command, shared: Shared): void {
  program
    .command('start')
    .description('make a workspace with a domain and a key')
    .requiredOption('--name <name>', "the workspace's name, for people", shared.name)
    .option('--domain <host>', "the workspace's domain; the default is the first one of the stage that nobody has", host)
    .action(
      shared.run((options: { name: string; domain?: string }, store, target) => start(options, { ...shared, store, target })),
    );
}

/**
 * Makes a workspace, gives it a domain and a key, and says how to begin. It looks first at what exists:
 *
 *     dies after the workspace is written    the next run goes on with the workspace of that name
 *     dies after the domain is written       so does the next run, and finds the domain
 *     dies after the key is written, or      the next run makes another key, and names the one that nobody may have seen.
 *       its output is lost                   A lost key cannot be shown again, and one that was noted down must stay valid
 *
 * Names of workspaces are not unique. So a run does not continue with a workspace once one of its keys was used: nobody
 * gets a key to somebody else's workspace of the same name.
 *
 * @throws Error with one line for the operator.
 */
async function start(
  { name, domain: wanted }: { name: string; domain?: string },
  {
    store,
    target,
    stage,
    apiUrl,
    hasConsole,
  }: Pick<Shared, 'stage' | 'apiUrl' | 'hasConsole'> & { store: Store; target: Target },
): Promise<object> {
  // Before anything is made: this fails if the stage is not deployed completely.
  const baseUrl = await apiUrl();
  if (wanted !== undefined) await requireServed(target, wanted);
  const begun = await workspaceCalled(name, store);
  const earlier = begun ? await unusedKeys(begun, store) : [];
  const candidates = wanted === undefined ? stageDomains(await target.servedNames(), labelOf(name)) : [wanted];
  const owners = await ownersOf(candidates, store);
  const domain = domainToStart(candidates, owners, begun?.id);
  if (domain === undefined) {
    const taken = [...owners].slice(0, 3).map(([host, owner]) => `${host} belongs to ${owner.workspaceId} (${owner.name})`);
    throw new Error(
      `no domain is free: ${taken.join(', ')}. Name another one with --domain, or add one to shortDomains and deploy: docs/deploy.md, "Names and TLS"`,
    );
  }
  const workspace = begun ?? (await store.createWorkspace(name, target.makeGatewayKey));
  if (!(await store.addDomain(workspace.id, domain, 'ACTIVE'))) {
    throw new Error(`another workspace has just got ${domain}: run this again for the next domain, or name one with --domain`);
  }
  const { id, key } = await store.createApiKey(workspace, { name: 'start', permissions: defaultPermissions });
  return {
    workspaceId: workspace.id,
    name,
    domain,
    keyId: id,
    key,
    ...(earlier.length > 0 && { earlierKeys: earlier }),
    ...(hasConsole() && { console: consoleAddressOf(baseUrl, workspace.id, stage() === 'local' ? key : undefined) }),
    firstLink: curlLine({ baseUrl, apiKey: key }, '/links', { domain, url: 'https://example.com/' }),
  };
}

/** The workspace with that name, if there is one. @throws Error with one line for the operator if there are several. */
async function workspaceCalled(name: string, { listWorkspaces }: Store): Promise<Workspace | undefined> {
  const [found, ...more] = (await listWorkspaces()).filter((one) => one.name === name && one.deletingSince === undefined);
  if (!found || more.length === 0) return found;
  const ids = [found, ...more].map(({ id }) => id).join(', ');
  throw new Error(`several workspaces are called ${name}: ${ids}. Choose another --name, or use "domains add" and "keys create"`);
}

/**
 * The ids of a workspace's valid keys, none of which was used. @throws Error with one line for the operator if one was.
 */
async function unusedKeys({ id, name }: Workspace, { listApiKeys }: Store): Promise<string[]> {
  const keys = await listApiKeys(id);
  if (keys.some(({ lastUsedAt }) => lastUsedAt !== undefined)) {
    throw new Error(
      `the workspace ${name} is in use: make a key with "keys create --workspace ${id}", or choose another --name for a new one`,
    );
  }
  return keys.filter((key) => !key.revokedAt && !hasExpired(key.expiresAt, Date.now())).map((key) => key.id);
}
