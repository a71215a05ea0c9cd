import createClient from 'openapi-fetch';
import type { components, paths } from './openapi-typescript.d.ts';
import type { Use } from './use.ts';

type ErrorCode = components['schemas']['ErrorCode'];

/** What a program does with types of openapi-typescript and the client that goes with them. */
export const use: Use = async ({ baseUrl, key, domain }) => {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
  const done = <T>({ data, error }: { data?: T; error?: components['schemas']['Problem'] }): T => {
    if (!data) throw new Error(error?.detail);
    return data;
  };

  const { link } = done(
    await client.POST('/api/v1/links', {
      params: { header: { 'Idempotency-Key': 'one' } },
      body: { domain, customSlug: 'first', url: 'https://example.com/', password: 'correct horse', rules: [] },
    }),
  );
  const at = { params: { path: { id: link.id } } };
  const fetched = done(await client.GET('/api/v1/links/{id}', at)).link;
  const updated = done(await client.PATCH('/api/v1/links/{id}', { ...at, body: { title: 'A title', password: null } })).link;

  const imported = done(
    await client.POST('/api/v1/links/bulk', {
      body: {
        domain,
        links: [{ url: 'https://example.com/2' }, { url: 'https://example.com/3' }, { url: 'ftp://example.com/' }],
      },
    }),
  );
  const ids = imported.links.map(({ id }) => id);
  const bulk = done(
    await client.PATCH('/api/v1/links/bulk', { body: { ids: [...ids, 'lnk_unknown'], fields: { isActive: false } } }),
  );
  const failure: ErrorCode | undefined = bulk.failed[0]?.code;

  const pages: string[][] = [];
  let cursor: string | null | undefined;
  do {
    const query = { limit: 2, ...(cursor && { cursor }) };
    const page = done(await client.GET('/api/v1/links', { params: { query } }));
    pages.push(page.links.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);

  const refused = await client.POST('/api/v1/links', { body: { domain, customSlug: 'first', url: 'https://example.com/' } });
  const code: ErrorCode | undefined = refused.error?.code;
  // @ts-expect-error: only codes that exist can be compared with.
  if (code === 'no_such_code') throw new Error(code);
  const invalid = await client.POST('/api/v1/tags', { body: { name: 'Tag', color: 'red' } });
  return {
    hadPassword: fetched.hasPassword,
    hasPassword: updated.hasPassword,
    title: updated.title,
    updated: bulk.updated,
    failures: [failure, imported.failed[0]?.code],
    pages,
    code,
    retryable: refused.response.headers.has('Retry-After'),
    fields: invalid.error?.errors?.map(({ path, code }) => ({ path, code })),
  };
};
