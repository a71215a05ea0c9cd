import { inject } from 'vitest';
import { pointStoreAt } from '../../bin/target.ts';
import { type Permission, permissions } from '../../lambdas/domain/permissions.ts';
import { startService } from '../../local/service.ts';
import { region } from '../../local/template/resources.ts';
import { checkExchange } from './openapi.ts';

/** An answer of the API, read whole. */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
};

/**
 * The whole service, as `npm start` runs it, on a table and a port of its own. What the functions log is kept, so that a test
 * can look for what must not be there.
 */
export async function useService() {
  const { outdir } = inject('service');
  const log: string[] = [];
  const service = await startService({ outdir, inMemory: true, log: (line) => log.push(line) });
  pointStoreAt({ endpoint: service.endpoint, tableName: service.tableName, region });
  const apiKeys = await import('../../lambdas/store/api-keys.ts');
  const destinations = await import('../../lambdas/store/destinations.ts');
  const domains = await import('../../lambdas/store/domains.ts');
  const workspaces = await import('../../lambdas/store/workspaces.ts');
  let made = 0;

  /** Sends a request; an object or array as body goes as JSON, a string or bytes as they are. What comes back agrees with openapi.json. */
  const send = async (
    method: string,
    path: string,
    { key, body, headers = {} }: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> => {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: {
        ...(key && { Authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: (raw ? body : JSON.stringify(body)) as RequestInit['body'] }),
    });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) };
    checkExchange({ ...answer, method, path: path.split('?')[0] ?? '', requestHeaders: headers, requestBody: body });
    return answer;
  };

  /** A workspace with an active domain, a key with all permissions, and short forms of the calls that tests make. */
  const newWorkspace = async () => {
    const number = ++made;
    const workspace = await workspaces.createWorkspace(`Workspace ${number}`, async () => `gateway-${number}`);
    const domain = `go${number}.example.com`;
    await domains.addDomain(workspace.id, domain, 'ACTIVE');
    const newKey = (granted: readonly Permission[] = permissions, expiresAt?: string) =>
      apiKeys.createApiKey(workspace, { name: null, permissions: granted, ...(expiresAt && { expiresAt }) });
    const { key } = await newKey();
    const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
      send(method, `/api/v1${path}`, { key, body, ...(headers && { headers }) });
    const importLinks = (links: unknown, more: { domain?: string; headers?: Record<string, string> } = {}) =>
      call('POST', '/links/bulk', { domain: more.domain ?? domain, links }, more.headers);
    const newTag = async (name: string): Promise<string> => (await call('POST', '/tags', { name, color: '#123456' })).body.id;
    return { ...workspace, domain, key, newKey, call, importLinks, newTag };
  };

  return { ...service, log, send, newWorkspace, ...apiKeys, ...destinations, ...domains };
}

export type Service = Awaited<ReturnType<typeof useService>>;
export type Workspace = Awaited<ReturnType<Service['newWorkspace']>>;

/** What every problem document has to be (RFC 9457), beside its status and code. */
export function expectProblem(answer: Answer, status: number, code: string): void {
  const { body, headers } = answer;
  if (answer.status !== status || body?.code !== code) throw new Error(`not ${status} ${code}: ${answer.status} ${answer.text}`);
  const complete =
    headers.get('content-type') === 'application/problem+json' &&
    headers.get('cache-control') === 'no-store' &&
    headers.get('x-content-type-options') === 'nosniff' &&
    body.type === `urn:problem:links:${code}` &&
    body.status === status &&
    [body.title, body.detail, body.requestId].every((text) => typeof text === 'string' && text !== '');
  if (!complete) throw new Error(`no whole problem document: ${JSON.stringify([...headers])} ${answer.text}`);
}
