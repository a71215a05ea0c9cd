import { expect } from 'vitest';
import type { Workspace } from './service.ts';

/** The id of a link that nobody has. */
export const unknownLink = `lnk_${'0'.repeat(28)}`;

/** Creates so many links one by one, so that none of the workspace's bulk requests is used up. Gives their ids. */
export async function createLinks({ call, domain }: Workspace, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const { body } = await call('POST', '/links', { domain, url: `https://example.org/${index}` });
    ids.push(body.link.id);
  }
  return ids;
}

/** What a bulk request says of a link that it cannot find. */
export const notFoundAt = (index: number, id: string) => ({
  index,
  id,
  code: 'not_found',
  message: expect.stringMatching(/./),
});
