import { randomUUID } from 'node:crypto';
import { longestRunMs, type Trial } from '../../clients/smoke/steps.ts';
import { newRequestId } from '../../lambdas/core/ids.ts';
import { defaultPermissions } from '../../lambdas/core/key/permissions.ts';
import { asAuthor } from '../../lambdas/runtime/author.ts';
import { usualStage } from '../../lib/stages/stages.ts';
import { checkAddress } from '../shared/arguments.ts';
import { lineOf } from '../shared/line-of.ts';
import { domainToTry, ownersOf, stageDomains } from '../shared/stage-domains.ts';
import { existingWorkspace, openStore, type Store } from '../shared/store.ts';
import { apiUrlOf, findTarget, requireServed, type Target } from '../shared/target.ts';

/** Which service to try, and as whom. */
export type AccessOptions = {
  /** The URL of the API; with `stage`, one that replaces AWS's own, such as a proxy's. */
  readonly baseUrl?: string;
  readonly key?: string;
  /** The stage that the operator tries; the default is `usualStage`, except for `baseUrl` without `workspace`. */
  readonly stage?: string;
  readonly workspace?: string;
  readonly domain?: string;
  readonly dataDir: string;
};

/** Where to try, and how to clean up afterwards. */
type Access = Pick<Trial, 'baseUrl' | 'apiKey' | 'domain' | 'isGuest' | 'lastUsedAt'> & {
  readonly close: () => Promise<unknown>;
};

/**
 * Finds the service to try: a stage, as its operator, or any service by its URL and a key.
 *
 * @param say reports what takes long.
 * @param wait waits that many milliseconds before the test's workspace is deleted.
 * @throws Error with a one-line message if there is none; then nothing is left behind.
 */
export async function accessTo(
  options: AccessOptions,
  say: (line: string) => void,
  wait?: (ms: number) => Promise<unknown>,
): Promise<Access> {
  const { key = process.env.LINKS_API_KEY, domain, stage, workspace } = options;
  const baseUrl = options.baseUrl === undefined ? undefined : checkAddress(options.baseUrl);
  if (baseUrl === undefined || stage !== undefined || workspace !== undefined) {
    return operatorsAccess({ ...options, baseUrl, stage: stage ?? usualStage }, say, wait).catch((error: Error) => {
      if (stage !== undefined) throw error;
      throw new Error(`${lineOf(error)}: this is ${usualStage} on AWS, and --stage local is the service on this machine`);
    });
  }
  if (!key) throw new Error('set the environment variable LINKS_API_KEY, or --key, to the key for --base-url');
  return { baseUrl, apiKey: key, domain, close: async () => {} };
}

/** A key that is valid for the longest run, of an existing workspace or of one that is made for the test. */
async function operatorsAccess(
  {
    baseUrl: otherUrl,
    stage,
    workspace: id,
    domain: wanted,
    dataDir,
  }: Omit<AccessOptions, 'baseUrl'> & {
    readonly baseUrl: string | undefined;
    readonly stage: string;
  },
  say: (line: string) => void,
  wait?: (ms: number) => Promise<unknown>,
): Promise<Access> {
  const target = await findTarget(stage, dataDir);
  const { makeGatewayKey, deleteGatewayKey } = target;
  const baseUrl = otherUrl ?? (await apiUrlOf(stage, dataDir));
  const store = await openStore();
  const author = { actor: { type: 'operator', id: null, name: 'smoke' }, requestId: newRequestId() } as const;
  const asOperator = <T>(work: () => Promise<T>) => asAuthor(author, work);

  const { workspaceId, domain, isGuest } = await placeToTry({ workspace: id, domain: wanted }, target, store, say);
  const isOwn = workspaceId === undefined;
  const workspace = isOwn
    ? await asOperator(() => store.createWorkspace(workspaceName, makeGatewayKey))
    : await existingWorkspace(store, workspaceId);
  const remove = () =>
    store.deleteWorkspace(workspace.id, {
      report: say,
      ...(wait && { wait }),
      deleteGatewayKey: () => deleteGatewayKey(workspace.id),
    });
  try {
    if (isOwn && domain !== undefined && !(await asOperator(() => store.addDomain(workspace.id, domain, 'ACTIVE')))) {
      throw new Error(
        `another workspace has the domain ${domain}: choose its workspace with --workspace, or another domain with --domain`,
      );
    }
    const expiresAt = new Date(Date.now() + longestRunMs).toISOString();
    const made = await asOperator(() =>
      store.createApiKey(workspace, { name: 'smoke', permissions: defaultPermissions, expiresAt }),
    );
    return {
      baseUrl,
      apiKey: made.key,
      domain,
      ...(isGuest && { isGuest }),
      lastUsedAt: async () => (await store.listApiKeys(workspace.id)).find((key) => key.id === made.id)?.lastUsedAt,
      close: () => asOperator<unknown>(isOwn ? remove : () => store.revokeApiKey(made.id)),
    };
  } catch (error) {
    if (isOwn) await asOperator(remove);
    throw error;
  }
}

/** The name of the workspaces that tests make. */
const workspaceName = 'Smoke test';

/** Where to try a stage: the domain and the workspace, which is undefined if the test makes one. */
type Place = { readonly workspaceId?: string; readonly domain?: string | undefined; readonly isGuest?: boolean };

/**
 * Finds where to try a stage, unless the operator says where.
 *
 * @throws Error with one line for the operator if visitors would not reach the domain, or there is none.
 */
async function placeToTry(
  { workspace, domain }: Pick<AccessOptions, 'workspace' | 'domain'>,
  target: Target,
  store: Store,
  say: (line: string) => void,
): Promise<Place> {
  if (workspace !== undefined) return { workspaceId: workspace, domain };
  if (domain !== undefined) {
    await requireServed(target, domain);
    return { domain };
  }
  const served = await target.servedNames();
  const label = `smoke-${randomUUID().slice(0, 8)}`;
  const found = domainToTry(served, await ownersOf(stageDomains(served, label), store), label);
  if (!found) {
    throw new Error(
      'every domain of the stage belongs to a workspace that cannot use it now: name another one with --domain, or a workspace with --workspace',
    );
  }
  const { owner } = found;
  if (!owner) return found;
  const { workspaceId, name } = owner;
  say(`every domain belongs to a workspace: trying ${found.domain} in ${workspaceId} (${name}), with a key for two hours`);
  if (name === workspaceName) {
    say(`if a killed test has left it: admin workspaces delete --workspace ${workspaceId} --confirm ${workspaceId}`);
  }
  return { workspaceId, domain: found.domain, isGuest: true };
}
