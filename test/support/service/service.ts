import { readFileSync } from 'node:fs';
import { inject } from 'vitest';
import { localServiceOf, pointStoreAt } from '../../../bin/shared/target.ts';
import { type Permission, permissions } from '../../../lambdas/core/key/permissions.ts';
import { startService } from '../../../local/service.ts';
import { loadTemplate } from '../../../local/template/template.ts';
import { contentOf } from '../http/invoke.ts';
import { checkExchange } from '../http/openapi.ts';
import { rawRequest } from '../http/raw-request.ts';

export { expectProblem } from '../http/problem.ts';

/** A response of the API with its whole body. */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape.
  readonly body: any;
};

type Running = Pick<Awaited<ReturnType<typeof startService>>, 'baseUrl' | 'endpoint' | 'output'>;

let shared: Promise<Service> | undefined;

/**
 * The whole service, as `npm start` starts it, which all tests of the project share (`shared-service.ts`). What its
 * functions log is kept, so that tests can check what it must not contain.
 */
export function useService(): Promise<Service> {
  shared ??= share();
  return shared;
}

async function share() {
  const { endpoint, outdir, shared: running } = inject('service');
  if (!running) throw new Error('vitest.config.ts starts no service for the project of this file');
  const { baseUrl, logFile } = running;
  const logged = () => readFileSync(logFile, 'utf8').trim().split('\n');
  return withShortForms({ baseUrl, endpoint, output: loadTemplate(outdir).output }, logged);
}

/**
 * A service of the file's own, in this process, for tests that disturb it or look inside. It ends with the process.
 *
 * @param outdir of an app other than that of the run.
 */
export async function useOwnService(outdir = inject('service').outdir) {
  const log: string[] = [];
  const service = await startService({ outdir, inMemory: true, log: (line) => log.push(line) });
  return { ...service, ...(await withShortForms(service, () => log)) };
}

/** Points the store of this process at the service, and adds short forms of what tests do with both. */
async function withShortForms(service: Running, logged: () => readonly string[]) {
  pointStoreAt(localServiceOf(service));
  Object.assign(process.env, { CLICK_DAYS: '1100' });
  const apiKeys = {
    ...(await import('../../../lambdas/store/api-keys/api-keys.ts')),
    ...(await import('../../../lambdas/store/api-keys/list.ts')),
  };
  const blockedHosts = await import('../../../lambdas/operator/blocked-hosts.ts');
  const domains = await import('../../../lambdas/store/domains/domains.ts');
  const ownership = await import('../../../lambdas/store/domains/ownership.ts');
  const workspaces = await import('../../../lambdas/store/workspaces/workspaces.ts');
  let made = 0;

  /**
   * Sends a request, and checks that the response agrees with openapi.json.
   *
   * @param body a string or bytes are sent as they are, anything else as JSON.
   */
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
    const content = contentOf(response.headers.get('content-type'), text);
    const answer = { status: response.status, headers: response.headers, text, body: content };
    checkExchange({ ...answer, method, path: path.split('?')[0] ?? '', requestHeaders: headers, requestBody: body });
    return answer;
  };

  /** Visits a short link, and returns the status. */
  const visit = async (host: string, slug: string): Promise<number> => {
    const lines = [`GET /${slug} HTTP/1.1`, `Host: ${host}`, 'User-Agent: curl/8.10.1'];
    const answer = await rawRequest(Number(new URL(service.baseUrl).port), lines);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
  };

  /**
   * Creates a workspace with an active domain, a key with all permissions, and short forms of the calls that tests
   * make.
   */
  const newWorkspace = async (name?: string) => {
    const number = `${process.pid}-${++made}`;
    const workspace = await workspaces.createWorkspace(name ?? `Workspace ${number}`, async () => `gateway-${number}`);
    const domain = `go${number}.example.com`;
    await ownership.addDomain(workspace.id, domain, 'ACTIVE');
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

  return { ...service, logged, send, visit, newWorkspace, ...apiKeys, ...blockedHosts, ...domains, ...ownership, ...workspaces };
}

export type Service = Awaited<ReturnType<typeof withShortForms>>;
export type OwnService = Awaited<ReturnType<typeof useOwnService>>;
export type Workspace = Awaited<ReturnType<Service['newWorkspace']>>;
