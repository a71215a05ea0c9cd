import { type ErrorCode, linksClient, PathParameterError, ProblemError } from 'links-client';
import type { Use } from './use.ts';

/** What a program does with the client of this project. */
export const use: Use = async ({ baseUrl, key, domain }) => {
  const client = linksClient({ baseUrl, apiKey: key });
  const refusalOf = async (request: Promise<unknown>): Promise<ProblemError> => {
    const error = await request.catch((one: unknown) => one);
    if (error instanceof ProblemError) return error;
    throw new Error('it was not refused');
  };

  const created = await client.POST('/api/v1/links', {
    params: { header: { 'Idempotency-Key': 'one' } },
    body: { domain, customSlug: 'first', url: 'https://example.com/', password: 'correct horse', rules: [] },
  });
  const at = { params: { path: { id: created.data.link.id } } };
  const fetched = (await client.GET('/api/v1/links/{id}', at)).data.link;
  const updated = (await client.PATCH('/api/v1/links/{id}', { ...at, body: { title: 'A title', password: null } })).data.link;

  const { data: imported } = await client.POST('/api/v1/links/bulk', {
    body: {
      domain,
      links: [{ url: 'https://example.com/2' }, { url: 'https://example.com/3' }, { url: 'ftp://example.com/' }],
    },
  });
  const ids = imported.links.map(({ id }) => id);
  const { data: bulk } = await client.PATCH('/api/v1/links/bulk', {
    body: { ids: [...ids, 'lnk_unknown'], fields: { isActive: false } },
  });
  const failure: ErrorCode | undefined = bulk.failed[0]?.code;

  const { data: first } = await client.GET('/api/v1/links', { params: { query: { limit: 2 } } });
  const all: string[] = [];
  for await (const { id } of client.pages('/api/v1/links', { params: { query: { limit: 2 } } })) all.push(id);
  const pages = [first.links.map(({ id }) => id), all.slice(2)];

  const again = { domain, customSlug: 'first', url: 'https://example.com/' };
  const { code } = await refusalOf(client.POST('/api/v1/links', { body: again }));
  // @ts-expect-error: only codes that exist can be compared with.
  if (code === 'no_such_code') throw new Error(code);
  // @ts-expect-error: only lists that have pages can be walked.
  if (!client.pages('/api/v1/me')) throw new Error(code);
  // @ts-expect-error: the id of the path is missing.
  const unsent = await client.GET('/api/v1/links/{id}', { params: { path: {} } }).catch((error: unknown) => error);
  if (!(unsent instanceof PathParameterError)) throw new Error('it was sent');
  const invalid = await refusalOf(client.POST('/api/v1/tags', { body: { name: 'Tag', color: 'red' } }));
  return {
    hadPassword: fetched.hasPassword,
    hasPassword: updated.hasPassword,
    title: updated.title,
    updated: bulk.updated,
    failures: [failure, imported.failed[0]?.code],
    pages,
    code,
    // The client itself retries what it sent.
    retryable: false,
    fields: invalid.errors.map(({ path, code }) => ({ path, code })),
  };
};
