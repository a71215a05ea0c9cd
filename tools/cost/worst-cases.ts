import { handler as bulkDeleteLinks } from '../../lambdas/endpoints/links/bulk-delete-links.ts';
import { handler as bulkUpdateLinks } from '../../lambdas/endpoints/links/bulk-update-links.ts';
import { handler as deleteLink } from '../../lambdas/endpoints/links/delete-link.ts';
import { handler as getLink } from '../../lambdas/endpoints/links/get-link.ts';
import { handler as listLinks } from '../../lambdas/endpoints/links/list-links.ts';
import { handler as updateLink } from '../../lambdas/endpoints/links/update-link.ts';
import {
  creation,
  importCall,
  largestLinks,
  largestSettings,
  longTitle,
  newTags,
  putTagsOnAll,
  request,
  visitOfLargest,
  type Workspace,
} from './arrangements.ts';
import type { Operation } from './operations.ts';

/** Creates `count` of the largest links with 20 tags each, and `moreTags` tags that are on none of them. */
async function tagged(workspace: Workspace, count: number, moreTags = 0): Promise<{ ids: string[]; otherTagIds: string[] }> {
  const ids = (await largestLinks(workspace, count)).map(({ id }) => id);
  const tagIds = await newTags(workspace, 20 + moreTags);
  await putTagsOnAll(workspace, ids, tagIds.slice(0, 20));
  return { ids, otherTagIds: tagIds.slice(20) };
}

const oneLargest = async (workspace: Workspace) => {
  const [id = ''] = (await tagged(workspace, 1)).ids;
  return { id };
};

/** The entries of the most expensive import: each has its own host, and a URL so long that the response is full. */
const largestEntries = Array.from({ length: 1_000 }, (_, index) => ({
  url: `https://${index}.example.org/`.padEnd(3_100, 'x'),
  title: longTitle,
}));

/** The requests that take the most units: rows of docs/cost.md. */
export const worstCases: readonly Pick<Operation, 'name' | 'functionName' | 'arrange'>[] = [
  {
    name: 'Redirect a visitor of a link with a cap',
    functionName: 'redirect',
    arrange: visitOfLargest({ maxClicks: 10 }),
  },
  {
    name: 'Create a link with 20 tags and an `Idempotency-Key`',
    functionName: 'create-link',
    arrange: creation(async (workspace) => ({
      more: { ...largestSettings, tagIds: await newTags(workspace, 20) },
      headers: { 'Idempotency-Key': 'worst-1' },
    })),
  },
  { name: 'Get a link with 20 tags', functionName: 'get-link', arrange: request(getLink, 'GET', oneLargest) },
  {
    name: 'List 100 links, each with the same 20 tags',
    functionName: 'list-links',
    arrange: request(listLinks, 'GET', async (workspace) => {
      await tagged(workspace, 100);
      return { query: { limit: '100' } };
    }),
  },
  {
    name: 'Search for a text that no link has',
    functionName: 'list-links',
    arrange: request(listLinks, 'GET', async (workspace) => {
      await largestLinks(workspace, 300);
      return { query: { limit: '100', q: 'nothing' } };
    }),
  },
  {
    name: 'Update a link: replace its 20 tags with 20 others',
    functionName: 'update-link',
    arrange: request(updateLink, 'PATCH', async (workspace) => {
      const { ids, otherTagIds } = await tagged(workspace, 1, 20);
      return { id: ids[0] ?? '', body: { tagIds: otherTagIds } };
    }),
  },
  { name: 'Delete a link with 20 tags', functionName: 'delete-link', arrange: request(deleteLink, 'DELETE', oneLargest) },
  {
    name: 'Import 1,000 links to 1,000 hosts, with an `Idempotency-Key`',
    functionName: 'bulk-create-links',
    arrange: importCall(largestEntries, { 'Idempotency-Key': 'worst-2' }),
  },
  {
    name: 'Update 50 links in bulk: replace 20 tags with 20 others',
    functionName: 'bulk-update-links',
    arrange: request(bulkUpdateLinks, 'PATCH', async (workspace) => {
      const { ids, otherTagIds } = await tagged(workspace, 50, 20);
      return { body: { ids, fields: { tagIds: otherTagIds } } };
    }),
  },
  {
    name: 'Delete 50 links with 20 tags each in bulk',
    functionName: 'bulk-delete-links',
    arrange: request(bulkDeleteLinks, 'DELETE', async (workspace) => ({ body: { ids: (await tagged(workspace, 50)).ids } })),
  },
];
