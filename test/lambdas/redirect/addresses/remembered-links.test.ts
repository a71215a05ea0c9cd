import { expect, test } from 'vitest';
import type { Link } from '../../../../lambdas/core/link/link.ts';
import { linkMemory, remembered } from '../../../../lambdas/redirect/remembered-links.ts';

const open = { passwordHash: null, maxClicks: null, isActive: true, disabledAt: null } as Link;
const at = (ms: number) => ({ wall: ms, steady: ms });

/** A cache of a table that has only the link `known`, and the number of reads. */
function newMemory() {
  const reads: string[] = [];
  const read = linkMemory(async (_, slug) => {
    reads.push(slug);
    return slug === 'known' ? open : undefined;
  });
  return { read, reads };
}

test('A flood of unknown deep paths evicts no link from the cache.', async () => {
  const { read, reads } = newMemory();
  expect(await read('dom', 'known', at(0))).toBe(open);
  for (let index = 0; index < 5 * remembered.most; index++) expect(await read('dom', `a/b/c/${index}`, at(1))).toBeUndefined();
  expect(await read('dom', 'known', at(2))).toBe(open);
  expect(reads.filter((slug) => slug === 'known')).toHaveLength(1);
});

test('A link that was read before it was found gone is not cached, however late that read returns.', async () => {
  const answers: ((link: Link | undefined) => void)[] = [];
  const read = linkMemory(() => new Promise((resolve) => answers.push(resolve)));
  const slow = read('dom', 'slug', at(0));
  const quick = read('dom', 'slug', at(1));
  answers[1]?.(undefined);
  expect(await quick).toBeUndefined();
  answers[0]?.(open);
  expect(await slow).toBe(open);
  const later = read('dom', 'slug', at(2));
  answers[2]?.(undefined);
  expect(await later).toBeUndefined();
});
