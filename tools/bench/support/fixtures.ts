import type { APIGatewayProxyEvent, APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { Domain } from '../../../lambdas/core/domain/domain.ts';
import { newRequestId, newRequestToken, newSalt } from '../../../lambdas/core/ids.ts';
import { permissions } from '../../../lambdas/core/key/permissions.ts';
import { type Link, type LinkSettings, newLink } from '../../../lambdas/core/link/link.ts';
import { locationOf, newLinkId } from '../../../lambdas/core/link/location.ts';
import { makeSlug } from '../../../lambdas/core/link/made-slug.ts';
import { hashPassword } from '../../../lambdas/core/link/password.ts';
import { createApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { getDomain } from '../../../lambdas/store/domains/domains.ts';
import { addDomain } from '../../../lambdas/store/domains/ownership.ts';
import { settingCap } from '../../../lambdas/store/links/caps.ts';
import { linkItem } from '../../../lambdas/store/links/links.ts';
import { putItem, putting, transact } from '../../../lambdas/store/table/writes.ts';
import { createWorkspace } from '../../../lambdas/store/workspaces/workspaces.ts';

let made = 0;

/** A workspace with an active domain, and a key with all permissions. */
export async function newWorkspace() {
  const workspace = await createWorkspace('Bench', async () => `gateway-${++made}`);
  const host = `go${made}.example.com`;
  await addDomain(workspace.id, host, 'ACTIVE');
  const domain = await getDomain(host);
  if (!domain) throw new Error('the domain was not added');
  const { key, id: keyId } = await createApiKey(workspace, { name: null, permissions });
  return { workspaceId: workspace.id, host, domain, key, keyId };
}

/** A link with default settings, except the given ones. */
export function newDefaultLink(domain: Domain, settings: Partial<LinkSettings> & Pick<LinkSettings, 'url'>) {
  const shortCode = makeSlug(newSalt(), 0, 0);
  const id = newLinkId(locationOf(domain.domainId, shortCode));
  const identity = { id, shortCode, creationMark: `${newRequestId()}#0`, formerMarks: {} };
  return newLink(domain, new Date().toISOString(), identity, settings);
}

/** Writes a link to the table like a creation, with its cap if it has one. */
export async function putLink(link: Link): Promise<void> {
  if (link.maxClicks === null) await putItem(linkItem(link));
  else
    await transact(
      [putting(linkItem(link)), settingCap({ id: link.id, capGeneration: 0 }, undefined, 0).write],
      newRequestToken(),
    );
}

/** Creates a link on the domain, and returns its slug. Without a cap, any number of visits are redirected. */
export async function newSlug(domain: Domain, settings: Partial<LinkSettings> = {}): Promise<string> {
  const link = newDefaultLink(domain, { url: 'https://example.org/', ...settings });
  await putLink(link);
  return link.shortCode;
}

/** The lease of an import without an Idempotency-Key. */
export const newRun = (createdAt: Date) => ({
  requestId: newRequestId(),
  salt: newSalt(),
  createdAt: createdAt.toISOString(),
  isRecorded: false,
  resumed: false,
});

/** The event that API Gateway passes to an endpoint's function, with only the fields that the functions read. */
export const apiEvent = (
  workspaceId: string,
  httpMethod: string,
  {
    id,
    domain,
    entryId,
    slug,
    externalId,
    body,
    query,
    headers = {},
    keyId = `key_${'k'.repeat(43)}`,
  }: {
    id?: string;
    domain?: string;
    entryId?: string;
    slug?: string;
    externalId?: string;
    body?: unknown;
    query?: Record<string, string>;
    headers?: Record<string, string>;
    /** The caller's key; by default, one that is not in the table. */
    keyId?: string;
  } = {},
) =>
  ({
    httpMethod,
    path: '/',
    pathParameters: { id, domain, entryId, slug, externalId },
    headers: {},
    multiValueHeaders: Object.fromEntries(
      Object.entries({ 'Content-Type': 'application/json', ...headers }).map(([name, value]) => [name, [value]]),
    ),
    multiValueQueryStringParameters: query
      ? Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]))
      : null,
    body: body === undefined ? null : JSON.stringify(body),
    requestContext: {
      path: '/',
      requestId: `bench-${++made}`,
      requestTimeEpoch: Date.now(),
      authorizer: { workspaceId, permissions: permissions.join(' '), principalId: keyId, keyName: 'Benchmark' },
    },
  }) as unknown as APIGatewayProxyEvent & { requestContext: { authorizer: { workspaceId: string; permissions: string } } };

/** A kind of visit: a path for each of them, the headers, and the status of the response. */
export type Visit = { readonly path: () => string; readonly headers: Readonly<Record<string, string>>; readonly status: number };

/** The number of links of plain visits: so many that no function still remembers a link when it is visited again. */
const spread = 3_000;
/** The same for pages, of which fewer are visited. */
const pageSpread = 1_000;

/**
 * A kind of visit for each way through the redirect with different costs. All but `preview` are counted; `page` is a
 * page with pixels that leads on to the destination.
 */
export async function newVisits(
  domain: Domain,
): Promise<Record<'plain' | 'remembered' | 'capped' | 'password' | 'page' | 'preview', Visit>> {
  const [slugs, pages] = [await newSlugs(domain, spread), await newSlugs(domain, pageSpread, { metaPixelId: '1234567890' })];
  const [remembered, capped, password] = await Promise.all([
    newSlug(domain),
    newSlug(domain, { maxClicks: 1_000_000 }),
    newSlug(domain, { passwordHash: await hashPassword('right') }),
  ]);
  let visited = 0;
  const next = (all: readonly string[]) => all[visited++ % all.length];
  const headers = {};
  const browser = { accept: 'text/html' };
  return {
    plain: { path: () => `/${next(slugs)}`, headers, status: 302 },
    remembered: { path: () => `/${remembered}`, headers, status: 302 },
    capped: { path: () => `/${capped}`, headers, status: 302 },
    password: { path: () => `/${password}`, headers: { 'link-password': 'right' }, status: 302 },
    page: { path: () => `/${next(pages)}`, headers: browser, status: 200 },
    preview: { path: () => `/${next(slugs)}+`, headers: browser, status: 200 },
  };
}

async function newSlugs(domain: Domain, count: number, settings: Partial<LinkSettings> = {}): Promise<string[]> {
  const slugs: string[] = [];
  while (slugs.length < count) {
    slugs.push(...(await Promise.all(Array.from({ length: 50 }, () => newSlug(domain, settings)))));
  }
  return slugs;
}

/** The user agent of a common browser. */
export const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** The event that the HTTP API passes to the redirect, with only the fields that it reads. */
export const visitEvent = (domainName: string, rawPath: string, headers: Visit['headers'] = {}) =>
  ({
    rawPath,
    rawQueryString: '',
    headers,
    requestContext: {
      domainName,
      requestId: `bench-${++made}`,
      timeEpoch: Date.now(),
      http: { method: 'GET', path: rawPath, sourceIp: '192.0.2.1', userAgent: chrome },
    },
  }) as unknown as APIGatewayProxyEventV2;

export const invocation = { getRemainingTimeInMillis: () => 25_000 } as Context;
