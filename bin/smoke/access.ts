import { randomUUID } from 'node:crypto';
import type { Trial } from '../../clients/smoke/steps.ts';
import { newRequestId } from '../../lambdas/core/ids.ts';
import { defaultPermissions } from '../../lambdas/core/key/permissions.ts';
import { asAuthor } from '../../lambdas/runtime/author.ts';
import { awsEndpointIsOn, stageOf } from '../../lib/stages.ts';
import { checkAddress } from '../shared/arguments.ts';
import { demoOf } from '../shared/connection.ts';
import { existingWorkspace, openStore } from '../shared/store.ts';
import { apiUrlOf, findTarget, redirectHostOf, requireServed } from '../shared/target.ts';

/** Which service to try, and as whom. */
export type AccessOptions = {
  /** The URL of the API; with `stage`, another one than AWS's own, such as that of a proxy. */
  readonly baseUrl?: string;
  readonly key?: string;
  /** Undefined if it is not the operator who tries; with `workspace`, that is the local one. */
  readonly stage?: string;
  readonly workspace?: string;
  readonly domain?: string;
  readonly dataDir: string;
};

/** Where to try, and how to clean up afterwards. */
type Access = Pick<Trial, 'baseUrl' | 'apiKey' | 'domain' | 'lastUsedAt'> & { readonly close: () => Promise<unknown> };

/**
 * Finds the service to try: by its URL and a key, as the operator of a stage, or as the demo of the local service.
 *
 * @param say is told what takes long.
 * @param wait waits that many milliseconds before the test's workspace is deleted.
 * @throws Error with a one-line message if there is none, and nothing is left.
 */
export async function accessTo(
  options: AccessOptions,
  say: (line: string) => void,
  wait?: (ms: number) => Promise<unknown>,
): Promise<Access> {
  const { key = process.env.LINKS_API_KEY, domain, dataDir } = options;
  const baseUrl = options.baseUrl === undefined ? undefined : checkAddress(options.baseUrl);
  const stage = options.stage ?? (options.workspace === undefined ? undefined : 'local');
  if (stage !== undefined) return operatorsAccess({ ...options, baseUrl, stage }, say, wait);
  if (baseUrl !== undefined) {
    if (!key) throw new Error('set the environment variable LINKS_API_KEY, or --key, to the key for --base-url');
    return { baseUrl, apiKey: key, domain, close: async () => {} };
  }
  return { ...demoOf(dataDir, '--base-url'), domain, close: async () => {} };
}

/** A key that lasts an hour, of an existing workspace or of one that is made for the test. */
async function operatorsAccess(
  {
    baseUrl: otherUrl,
    stage,
    workspace: id,
    domain,
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

  const own = id === undefined ? (domain ?? (await freeDomain(stage))) : undefined;
  if (own !== undefined) await requireServed(target, own);
  const workspace =
    own === undefined
      ? await existingWorkspace(store, id ?? '')
      : await asOperator(() => store.createWorkspace('Smoke test', makeGatewayKey));
  const remove = () =>
    store.deleteWorkspace(workspace.id, {
      report: say,
      ...(wait && { wait }),
      deleteGatewayKey: () => deleteGatewayKey(workspace.id),
    });
  try {
    if (own !== undefined && !(await asOperator(() => store.addDomain(workspace.id, own, 'ACTIVE')))) {
      throw new Error(
        `another workspace has the domain ${own}: choose its workspace with --workspace, or another domain with --domain`,
      );
    }
    const expiresAt = new Date(Date.now() + 60 * 60_000).toISOString();
    const made = await asOperator(() =>
      store.createApiKey(workspace, { name: 'smoke', permissions: defaultPermissions, expiresAt }),
    );
    return {
      baseUrl,
      apiKey: made.key,
      domain: own ?? domain,
      lastUsedAt: async () => (await store.listApiKeys(workspace.id)).find((key) => key.id === made.id)?.lastUsedAt,
      close: () => asOperator<unknown>(own === undefined ? () => store.revokeApiKey(made.id) : remove),
    };
  } catch (error) {
    if (own !== undefined) await asOperator(remove);
    throw error;
  }
}

/**
 * A domain that leads to the redirect of a stage, and that no workspace has: one below a wildcard, or AWS's own name.
 *
 * @throws Error with one line for the operator if there is none.
 */
async function freeDomain(stage: string): Promise<string> {
  if (stage === 'local') return `smoke-${randomUUID().slice(0, 8)}.localhost`;
  const { settings } = stageOf(stage);
  const { shortDomains = [] } = settings;
  const wildcard = shortDomains.find(({ name }) => name.startsWith('*.'));
  if (wildcard) return `smoke-${randomUUID().slice(0, 8)}.${wildcard.name.slice(2)}`;
  if (awsEndpointIsOn(settings, 'redirect')) return redirectHostOf(stage);
  throw new Error(
    'every short domain of the stage may belong to a workspace: choose its workspace with --workspace, or a free domain with --domain',
  );
}
