import { createClient, createConfig } from './hey-api/client/index.ts';
import { bulkCreateLinks, bulkUpdateLinks, createLink, createTag, getLink, listLinks, updateLink } from './hey-api/sdk.gen.ts';
import type { ErrorCode, Problem } from './hey-api/types.gen.ts';
import type { Use } from './use.ts';

/** What a program does with a client of @hey-api/openapi-ts. */
export const use: Use = async ({ baseUrl, key, domain }) => {
  const client = createClient(createConfig({ baseUrl, auth: key }));
  const done = <T>({ data, error }: { data?: T | undefined; error?: Problem | undefined }): T => {
    if (!data) throw new Error(error?.detail);
    return data;
  };

  const { link } = done(
    await createLink({
      client,
      headers: { 'Idempotency-Key': 'one' },
      body: { domain, customSlug: 'first', url: 'https://example.com/', password: 'correct horse', rules: [] },
    }),
  );
  const path = { id: link.id };
  const fetched = done(await getLink({ client, path })).link;
  const updated = done(await updateLink({ client, path, body: { title: 'A title', password: null } })).link;

  const imported = done(
    await bulkCreateLinks({
      client,
      body: {
        domain,
        links: [{ url: 'https://example.com/2' }, { url: 'https://example.com/3' }, { url: 'ftp://example.com/' }],
      },
    }),
  );
  const ids = imported.links.map(({ id }) => id);
  const bulk = done(await bulkUpdateLinks({ client, body: { ids: [...ids, 'lnk_unknown'], fields: { isActive: false } } }));
  const failure: ErrorCode | undefined = bulk.failed[0]?.code;

  const pages: string[][] = [];
  let cursor: string | null | undefined;
  do {
    const page = done(await listLinks({ client, query: { limit: 2, ...(cursor && { cursor }) } }));
    pages.push(page.links.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);

  const refused = await createLink({ client, body: { domain, customSlug: 'first', url: 'https://example.com/' } });
  const code: ErrorCode | undefined = refused.error?.code;
  // @ts-expect-error: only codes that exist can be compared with.
  if (code === 'no_such_code') throw new Error(code);
  const invalid = await createTag({ client, body: { name: 'Tag', color: 'red' } });
  return {
    hadPassword: fetched.hasPassword,
    hasPassword: updated.hasPassword,
    title: updated.title,
    updated: bulk.updated,
    failures: [failure, imported.failed[0]?.code],
    pages,
    code,
    retryable: refused.response?.headers.has('Retry-After') ?? false,
    fields: invalid.error?.errors?.map(({ path, code }) => ({ path, code })),
  };
};
