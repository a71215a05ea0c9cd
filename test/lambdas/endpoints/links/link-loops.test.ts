import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { destinationHost } from '../../../../lambdas/core/link/destination.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
let workspaceId: string;
beforeAll(async () => {
  process.env.DOMAIN_TARGET = 'links.localhost';
  process.env.SERVED_NAMES = '*';
  store = await useStore();
  ({ id: workspaceId } = await store.createWorkspace('One', async () => 'gateway'));
});

type Doing =
  | { readonly kind: 'prove' | 'give-up'; readonly on: number }
  | { readonly kind: 'create' | 'lead' | 'import' | 'delete'; readonly on: number; readonly to: number };

const names = [0, 1, 2, 3, 4];
const name = fc.constantFrom(...names);
const doing: fc.Arbitrary<Doing> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constantFrom('prove' as const), on: name }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constantFrom('give-up' as const), on: name }), weight: 1 },
  {
    arbitrary: fc.record({ kind: fc.constantFrom('create', 'create', 'lead', 'import', 'delete' as const), on: name, to: name }),
    weight: 9,
  },
);

/** Each destination becomes a short domain, and its link leads to the next one, until the last link would lead back. */
const chain: Doing[][] = [
  [{ kind: 'prove', on: 0 }],
  [{ kind: 'create', on: 0, to: 1 }],
  [{ kind: 'prove', on: 1 }],
  [{ kind: 'create', on: 1, to: 2 }],
  [{ kind: 'prove', on: 2 }],
  [
    { kind: 'create', on: 2, to: 0 },
    { kind: 'import', on: 2, to: 1 },
  ],
  [{ kind: 'lead', on: 1, to: 0 }],
];

let rounds = 0;

test('Links never lead in a circle, although a destination may become a short domain later.', async () => {
  let chains = 0;
  await fc.assert(
    // The steps of a group run at once, the groups one after the other.
    fc.asyncProperty(
      fc.array(fc.array(doing, { minLength: 1, maxLength: 3 }), { minLength: 6, maxLength: 14 }),
      async (groups) => {
        rounds++;
        const hosts = names.map((number) => `loop${rounds}-${number}.example.com`);
        const at = (number: number) => hosts[number] ?? '';
        const linkOn = async (number: number) => {
          const domain = await store.getDomain(at(number));
          return domain && (await store.getLinkAt(domain.domainId, 's'));
        };
        const run = async ({ kind, on, ...more }: Doing): Promise<unknown> => {
          const url = 'to' in more ? `https://${at(more.to)}/s` : '';
          switch (kind) {
            case 'prove':
              return store.addDomain(workspaceId, at(on), 'ACTIVE');
            case 'give-up':
              return callEndpoint('delete-domain', { workspaceId, domain: at(on) });
            case 'create':
              return callEndpoint('create-link', { workspaceId, body: { domain: at(on), url, customSlug: 's' } });
            case 'import': {
              // Each with a fresh limit: three imports a minute are too few here.
              await store.deleteItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'LIMIT#bulk' });
              return callEndpoint('bulk-create-links', {
                workspaceId,
                body: { domain: at(on), links: [{ url, customSlug: 's' }] },
              });
            }
            default: {
              const link = await linkOn(on);
              if (!link) return undefined;
              if (kind === 'lead') return callEndpoint('update-link', { workspaceId, id: link.id, body: { url } });
              return callEndpoint('delete-link', { workspaceId, id: link.id });
            }
          }
        };
        for (const group of groups) {
          await Promise.all(group.map(run));
          const leads = new Map<string, string>();
          for (const number of names) {
            const link = await linkOn(number);
            if (link) leads.set(at(number), destinationHost(link.url));
          }
          for (const host of hosts) {
            let steps = 0;
            for (let next = leads.get(host); next !== undefined; next = leads.get(next)) {
              if (++steps > 1) chains++;
              expect(steps, `${JSON.stringify([...leads])} lead in a circle`).toBeLessThan(hosts.length);
            }
          }
        }
      },
    ),
    { numRuns: runs(3), examples: [[chain]] },
  );
  // Some links led to links.
  expect(chains).toBeGreaterThan(0);
});
