import { expect } from 'vitest';
import type { Workspace } from '../service/service.ts';

/** The id of a link that does not exist. */
export const unknownLink = `lnk_${'0'.repeat(28)}`;

/** Creates links one by one, which uses up none of the workspace's bulk requests. @returns their ids. */
export async function createLinks({ call, domain }: Workspace, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const { body } = await call('POST', '/links', { domain, url: `https://example.org/${index}` });
    ids.push(body.link.id);
  }
  return ids;
}

/** The entry of a bulk response for a link that does not exist. */
export const notFoundAt = (index: number, id: string) => ({
  index,
  id,
  code: 'not_found',
  message: expect.stringMatching(/./),
});
