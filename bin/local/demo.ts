import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newRequestId, newSalt } from '../../lambdas/core/ids.ts';
import { fingerprintOf } from '../../lambdas/core/key/api-key.ts';
import { permissions } from '../../lambdas/core/key/permissions.ts';
import { consoleAddressOf, curlLine } from '../shared/first-steps.ts';
import { type LocalService, pointStoreAt } from '../shared/target.ts';
import { demoPeople } from './demo-people.ts';

const host = 'go.localhost';

/** The content of `demo.json` in the data folder, which programs and tests read. */
type Demo = { readonly baseUrl: string; readonly apiKey: string; readonly workspaceId: string; readonly domain: string };

/**
 * Ensures that the data folder has a demo workspace with an active domain and an API key, and writes `demo.json`.
 * Creates a tag and a link too, unless an earlier start has finished.
 *
 * Each step checks first what exists. So if a start was killed half-way, the next one completes it.
 *
 * @returns the lines to print: the address of the console, and curl commands that can be pasted in order, and
 * repeatedly.
 */
export async function seedDemo(
  service: LocalService & { baseUrl: string; dataDir: string; issuer?: string | undefined },
): Promise<string[]> {
  pointStoreAt(service);
  const store = {
    ...(await import('../../lambdas/store/api-keys/api-keys.ts')),
    ...(await import('../../lambdas/store/domains/domains.ts')),
    ...(await import('../../lambdas/store/domains/ownership.ts')),
    ...(await import('../../lambdas/store/links/create.ts')),
    ...(await import('../../lambdas/store/links/links.ts')),
    ...(await import('../../lambdas/store/members/joining.ts')),
    ...(await import('../../lambdas/store/people/people.ts')),
    ...(await import('../../lambdas/store/tags/tags.ts')),
    ...(await import('../../lambdas/store/workspaces/workspaces.ts')),
  };
  const file = join(service.dataDir, 'demo.json');
  const { apiKey: knownKey } = readDemo(file) ?? {};

  let domain = await store.getDomain(host);
  const isNew = domain === undefined;
  if (!domain) {
    const { id } = await store.createWorkspace('Demo', async () => randomUUID());
    await store.addDomain(id, host, 'ACTIVE');
    domain = await store.getDomain(host);
  }
  const workspace = domain && (await store.getWorkspace(domain.workspaceId));
  if (!domain || !workspace) throw new Error(`the domain ${host} has no workspace`);

  const known = knownKey && (await store.findApiKey(fingerprintOf(knownKey)));
  const isGood = known && known.workspaceId === workspace.id && !known.revokedAt;
  const apiKey = isGood ? knownKey : (await store.createApiKey(workspace, { name: 'demo', permissions })).key;

  // Only if no earlier start has finished: links and tags that the user deleted must not come back.
  if (isNew || !knownKey) {
    await store.createTag(workspace.id, { name: 'demo', color: '#3366ff' }).catch(ignoreTaken);
    const creation = { requestId: newRequestId(), salt: newSalt(), createdAt: new Date().toISOString() };
    const hello = { url: 'https://example.com/', customSlug: 'hello', title: 'Hello' };
    await store.createLink(domain, hello, creation).catch(ignoreTaken);
  }

  if (service.issuer !== undefined) {
    // As if they had signed in before, and been invited.
    for (const { id: subject, role, emailVerified, ...said } of demoPeople) {
      const identity = { issuer: service.issuer, subject, emailVerified, ...said };
      const person = await store.rememberPerson(identity, Date.now());
      await store.joinWorkspace(person, { workspaceId: workspace.id, role }, Date.now());
    }
  }

  const demo: Demo = { baseUrl: service.baseUrl, apiKey, workspaceId: workspace.id, domain: host };
  writeFileSync(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  const tag = (await store.listTags(workspace.id)).find(({ name }) => name === 'demo');
  const link = await store.getLinkAt(domain.domainId, 'hello');
  return [
    ...consoleLines(demo),
    ...(service.issuer === undefined ? [] : signInLines(demo)),
    ...curlLines(demo, tag?.id, link?.id),
  ];
}

function readDemo(file: string): Partial<Demo> | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function ignoreTaken(error: { code?: string }): void {
  if (error.code !== 'tag_name_taken' && error.code !== 'slug_taken') throw error;
}

/**
 * Where the console is, with a key that signs in. Only a browser on this machine accepts it, and removes it from the
 * address.
 */
const consoleLines = ({ baseUrl, apiKey, workspaceId }: Demo): string[] => [
  '# Open the console, signed in',
  `# ${consoleAddressOf(baseUrl, workspaceId, apiKey)}`,
];

/** Who can sign in, and where. */
const signInLines = ({ baseUrl }: Demo): string[] => [
  `# Or sign in as ${demoPeople.map(({ name }) => name).join(', ')}, without a password`,
  `# ${baseUrl}/console`,
];

/** Single lines for `sh` that need only curl. Imports have a limit, so curl retries a refused one. */
function curlLines({ baseUrl, apiKey, domain }: Demo, tagId: string | undefined, linkId: string | undefined): string[] {
  const curl = (path: string, body?: object, options?: string) => curlLine({ baseUrl, apiKey }, path, body, options);
  const links = [{ url: 'https://example.com/one' }, { url: 'https://example.com/two', title: 'Two' }];
  const lines = [
    ['Follow a link', `curl -sS -i http://${domain}:${new URL(baseUrl).port}/hello`],
    ['Create a link', curl('/links', { domain, url: 'https://example.com/new' })],
    ['List the newest links', curl('/links')],
    ['List the tags', curl('/tags')],
    linkId && tagId && ['Update a link', curl(`/links/${linkId}`, { title: 'Hello, world', tagIds: [tagId] }, '-X PATCH ')],
    tagId && ['Get a tag, with its link count', curl(`/tags/${tagId}`)],
    ['Import links', curl('/links/bulk', { domain, links }, '--retry 2 ')],
  ];
  return lines.flatMap((line) => (line ? [`# ${line[0]}`, line[1] ?? ''] : []));
}
