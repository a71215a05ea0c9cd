import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readerOf, unproven } from '../../clients/migration/api.ts';
import type { Reader } from '../../clients/migration/dry-run.ts';
import { type LinksClient, linksClient } from '../../clients/typescript/client.ts';
import { newRequestId } from '../../lambdas/core/ids.ts';
import type { Permission } from '../../lambdas/core/key/permissions.ts';
import { type Link as StoredLink, shortUrlOf } from '../../lambdas/core/link/link.ts';
import { asAuthor } from '../../lambdas/runtime/author.ts';
import { localStage, stageOf } from '../../lib/stages/stages.ts';
import { checkAddress } from './arguments.ts';
import { existingWorkspace } from './store.ts';
import { apiUrlOf, findTarget } from './target.ts';

/** Where a command finds the service, and what it authenticates with. */
export type ConnectionOptions = {
  readonly url?: string;
  readonly workspace?: string;
  readonly stage: string;
  readonly dataDir: string;
};

/** How a command's client waits. */
export type Waits = {
  readonly wait: (seconds: number) => Promise<void>;
  readonly onWait: (seconds: number, reason: string) => void;
};

/**
 * Says why it waits, and ends waits when the command is stopped. Requests in flight still finish: otherwise nobody
 * would know what they did.
 */
export const waitsUntil = (stopped: AbortSignal, onWait: (seconds: number, reason: string) => void): Waits => ({
  onWait,
  wait: (seconds) => wait(seconds * 1_000, undefined, { signal: stopped }),
});

/** How long the key of a command is valid, in milliseconds. */
const keyMs = 24 * 60 * 60 * 1_000;

/**
 * Returns a client of the API for a command, and `close`, which revokes the key that was made for it. With `workspace`,
 * it makes a key as the operator; otherwise it uses `LINKS_API_KEY` or the local demo's key.
 *
 * @param name the name of a key that is made, and its permissions.
 * @throws Error with a one-line message for the operator.
 */
export async function connect(
  options: ConnectionOptions,
  waits: Waits,
  { name, permissions }: { readonly name: string; readonly permissions: readonly Permission[] },
) {
  const { workspace: workspaceId, stage, dataDir } = options;
  if (workspaceId === undefined) return { client: clientWithKey(options, waits), close: async () => {} };
  const workspace = await workspaceOf(workspaceId, stage, dataDir);
  const { createApiKey, revokeApiKey } = await import('../../lambdas/store/api-keys/api-keys.ts');
  const baseUrl = await apiUrlOf(stage, dataDir);
  const author = { actor: { type: 'operator', id: null, name }, requestId: newRequestId() } as const;
  const { id, key } = await asAuthor(author, () =>
    createApiKey(workspace, {
      name,
      // If the command is killed, nobody revokes the key.
      expiresAt: new Date(Date.now() + keyMs).toISOString(),
      permissions,
    }),
  );
  return {
    client: linksClient({ baseUrl, apiKey: key, ...waits }),
    close: async () => void (await asAuthor(author, () => revokeApiKey(id))),
  };
}

/**
 * Returns the reader for a dry run. As the operator, it reads the tables directly, because creating a key would be a
 * write.
 */
export async function connectToRead(options: ConnectionOptions, waits: Waits): Promise<Reader> {
  const { workspace, stage, dataDir } = options;
  if (workspace === undefined) return readerOf(clientWithKey(options, waits));
  const { id } = await workspaceOf(workspace, stage, dataDir);
  const { getDomain } = await import('../../lambdas/store/domains/domains.ts');
  const { getLinkByExternalId } = await import('../../lambdas/store/links/external-ids.ts');
  const { getLinkAt } = await import('../../lambdas/store/links/links.ts');
  const { listTemplates } = await import('../../lambdas/store/templates/templates.ts');
  const { settings } = stage === 'local' ? localStage(Number(new URL(await apiUrlOf(stage, dataDir)).port)) : stageOf(stage);
  const ownDomain = async (host: string) => {
    const domain = await getDomain(host);
    if (domain?.workspaceId !== id) throw unproven(host);
    return domain;
  };
  const linkThere = (link: StoredLink | undefined) =>
    link && { url: link.url, domain: link.domain, shortUrl: shortUrlOf(link, settings.shortUrlOrigin) };
  return {
    checkDomain: async (host) => void (await ownDomain(host)),
    lookUp: async (host, slug) => linkThere(await getLinkAt((await ownDomain(host)).domainId, slug)),
    byExternalId: async (externalId) => linkThere((await getLinkByExternalId(id, externalId))?.link),
    templates: () => listTemplates(id),
  };
}

async function workspaceOf(workspaceId: string, stage: string, dataDir: string) {
  await findTarget(stage, dataDir);
  return existingWorkspace(await import('../../lambdas/store/workspaces/workspaces.ts'), workspaceId);
}

function clientWithKey(options: ConnectionOptions, waits: Waits): LinksClient {
  return linksClient({ ...accessWithKey(options), ...waits });
}

/**
 * The URL of the service, and the key in `LINKS_API_KEY` or the local demo's.
 *
 * @throws Error with a one-line message
 */
export function accessWithKey({ url, dataDir }: Pick<ConnectionOptions, 'url' | 'dataDir'>): { baseUrl: string; apiKey: string } {
  const { LINKS_API_KEY } = process.env;
  const demo = () => demoOf(dataDir);
  if (url !== undefined && !LINKS_API_KEY) throw new Error('set the environment variable LINKS_API_KEY to the key for --url');
  const { baseUrl, apiKey } = LINKS_API_KEY ? { baseUrl: url ?? demo().baseUrl, apiKey: LINKS_API_KEY } : demo();
  return { baseUrl: checkAddress(baseUrl), apiKey };
}

/** The URL and key of the local service's demo workspace. @throws Error with a one-line message if there is none */
function demoOf(dataDir: string): { baseUrl: string; apiKey: string } {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));
  } catch {
    throw new Error(
      `no service is running on the data folder ${dataDir}: start it with "npm start", or choose one with --url and LINKS_API_KEY`,
    );
  }
}
