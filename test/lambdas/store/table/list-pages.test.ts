import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Item } from '../../../../lambdas/store/table/client.ts';
import { pageOf } from '../../../../lambdas/store/table/list-pages.ts';

/** The entries of a list: whether each may be shown by its position, and exists. */
const lists = fc.array(fc.record({ mayShow: fc.boolean(), isThere: fc.boolean() }), { maxLength: 30 });

test('The pages of a list show each entry once, in order, and read no entry of another page.', async () => {
  const sizes = fc.record({ limit: fc.integer({ min: 1, max: 8 }), most: fc.integer({ min: 1, max: 12 }) });
  await fc.assert(
    fc.asyncProperty(lists, sizes, async (list, { limit, most }) => {
      const at = (index: number) => String(index).padStart(2, '0');
      const entries = list.map((entry, index) => ({ ...entry, gsi1sk: at(index) }));
      const pages: string[][] = [];
      let next: string | undefined;
      do {
        const left: Item[] = next === undefined ? entries : entries.slice(Number(next) + 1);
        let taken = 0;
        async function* index() {
          for (const entry of left) {
            taken++;
            yield entry;
          }
        }
        const read = async (some: readonly Item[]) => some.map(({ isThere, gsi1sk }) => (isThere ? String(gsi1sk) : undefined));
        const mayShow = (position: string) => entries[Number(position)]?.mayShow ?? false;
        const page = await pageOf(index(), limit, read, { most, mayShow });
        expect(page.shown.length).toBeLessThanOrEqual(limit);
        expect(taken).toBeLessThanOrEqual(most + 1);
        if (page.next !== undefined && page.shown.length < limit) expect(taken).toBe(most + 1);
        if (page.next === at(entries.length - 1)) throw new Error('the next page has nothing to look at');
        pages.push([...page.shown]);
        next = page.next;
      } while (next !== undefined);
      expect(pages.flat()).toEqual(entries.filter((entry) => entry.mayShow && entry.isThere).map(({ gsi1sk }) => gsi1sk));
    }),
  );
});

test('A page whose entries all exist reads each of them once, and no later one.', async () => {
  async function* index() {
    for (let number = 0; number < 9; number++) yield { gsi1sk: `${number}` };
  }
  const read: string[] = [];
  const page = await pageOf(index(), 4, async (some) => {
    read.push(...some.map(({ gsi1sk }) => String(gsi1sk)));
    return some;
  });
  expect(read).toEqual(['0', '1', '2', '3']);
  expect(page.next).toBe('3');
});
