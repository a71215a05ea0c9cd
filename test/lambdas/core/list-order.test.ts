import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { domainOrder } from '../../../lambdas/core/domain/domain.ts';
import { type ListOrder, nameOrder, pageOf, sorted } from '../../../lambdas/core/list-order.ts';
import { webhookOrder } from '../../../lambdas/core/webhook/webhook.ts';
import { secretOrder } from '../../../lambdas/core/webhook/webhook-secret.ts';

const id = fc.stringMatching(/^[0-9A-Za-z]{3}$/);
const createdAt = fc.constantFrom('2030-01-01T00:00:00.000Z', '2030-01-01T00:00:00.001Z', '2031-01-01T00:00:00.000Z');
const entry = fc.record({
  id,
  name: fc.oneof(fc.constantFrom('a', 'A', 'ä', 'Item 2', 'Item 10', 'item 2'), fc.string({ unit: 'grapheme' })),
  host: fc.domain(),
  createdAt,
  webhookId: fc.option(id),
});
type Entry = typeof entry extends fc.Arbitrary<infer E> ? E : never;

const orders: Readonly<Record<string, ListOrder<Entry>>> = {
  names: nameOrder(),
  domains: domainOrder,
  webhooks: webhookOrder,
  secrets: secretOrder as ListOrder<Entry & { expiresAt: null }> as ListOrder<Entry>,
};

test.for(Object.keys(orders))(
  'Whatever is added and removed meanwhile, the pages of %s have each entry that stays exactly once and in order.',
  (name) => {
    const order = orders[name] as ListOrder<Entry>;
    const entries = fc.uniqueArray(entry, { maxLength: 30, selector: order.positionOf });
    fc.assert(
      fc.property(entries, fc.integer({ min: 1, max: 7 }), fc.infiniteStream(fc.nat(2)), (all, limit, fates) => {
        const stays = all.filter(() => fates.next().value === 0);
        const seen: Entry[] = [];
        let after: string | undefined;
        do {
          const there = all.filter((one) => stays.includes(one) || fates.next().value === 0);
          const { page, next } = pageOf(there, order, { limit, after });
          expect(page.length).toBeLessThanOrEqual(limit);
          if (next !== undefined) expect(page).toHaveLength(limit);
          seen.push(...page);
          after = next;
        } while (after !== undefined);
        expect(seen).toEqual(sorted(seen, order));
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.filter((one) => stays.includes(one))).toEqual(sorted(stays, order));
      }),
    );
  },
);

test('Any text can be a position, which ends up somewhere in the list.', () => {
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 5 }),
      fc.string(),
      fc.constantFrom(...Object.values(orders)),
      (all, after, order) => {
        const { page } = pageOf(all, order, { limit: 100, after });
        expect(page.length).toBeLessThanOrEqual(all.length);
      },
    ),
  );
});

test('Secrets of links are listed first, and the newest secret of each webhook first.', () => {
  const secret = (webhookId: string | null, second: number) => ({
    id: `whs_${second}`,
    webhookId,
    createdAt: `2030-01-01T00:00:0${second}.000Z`,
    expiresAt: null,
  });
  const [first, second, third, fourth] = [secret(null, 1), secret('whk_a', 3), secret('whk_a', 2), secret('whk_b', 4)];
  expect(sorted([fourth, third, second, first], secretOrder)).toEqual([first, second, third, fourth]);
});

describe('nameOrder', () => {
  const named = (name: string, id = 'tag_a') => ({ id, name });
  const sortByName = (things: readonly ReturnType<typeof named>[]) => sorted(things, nameOrder());

  test('Names are sorted as people do: letters next to their accented forms, and numbers by value.', () => {
    const names = ['v10', 'Zebra', 'Ärger', 'apfel', 'v2', 'Berg', 'zebra 2'];
    const inOrder = sortByName(names.map((one) => named(one)));
    expect(inOrder.map((one) => one.name)).toEqual(['apfel', 'Ärger', 'Berg', 'v2', 'v10', 'Zebra', 'zebra 2']);
  });

  test('Entries get the same order for every order of the input, even if their names are equal.', () => {
    const ids = fc.uniqueArray(fc.stringMatching(/^tag_[0-9A-Za-z]{2}$/), { maxLength: 8 });
    fc.assert(
      fc.property(
        ids,
        fc.infiniteStream(fc.constantFrom('a', 'A', 'b', '1', '01')),
        fc.infiniteStream(fc.nat(100)),
        (ids, names, dice) => {
          const list = ids.map((id) => named(names.next().value, id));
          const shuffled = list.map((one) => ({ one, at: dice.next().value })).sort((a, b) => a.at - b.at);
          expect(sortByName(shuffled.map(({ one }) => one))).toEqual(sortByName(list));
        },
      ),
    );
  });
});
