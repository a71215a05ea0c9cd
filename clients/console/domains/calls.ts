import { api } from '../service/client.ts';
import { queries } from '../service/queries.ts';
import type { Tagged } from '../service/settings.ts';
import type { DomainDetails } from '../service/types.ts';

export async function getDomain(domain: string, signal?: AbortSignal): Promise<Tagged<DomainDetails>> {
  const { data, response } = await api.GET('/api/v1/domains/{domain}', { params: { path: { domain } }, signal });
  return { value: data, etag: response.headers.get('ETag') ?? '' };
}

export async function patchDomain(name: string, body: object, etag: string): Promise<Tagged<DomainDetails>> {
  const params = { path: { domain: name }, ...(etag && { header: { 'If-Match': etag } }) };
  const { data, response } = await api.PATCH('/api/v1/domains/{domain}', { params, body });
  return { value: data, etag: response.headers.get('ETag') ?? '' };
}

/** Has a domain, and the lists that it is in, asked for again. */
export function refreshDomain(name: string): void {
  void queries.invalidateQueries({ queryKey: ['domain', name] });
  void queries.invalidateQueries({ queryKey: ['domains'] });
}
