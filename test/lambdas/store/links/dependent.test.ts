import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { LinkChanges } from '../../../../lambdas/store/links/changes.ts';
import { type Fault, underFaults } from '../../../support/faults/faults.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

// Dependent settings, set by several requests at once.

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
});

const at = (day: number) => `2030-01-${String(day).padStart(2, '0')}T00:00:00.000Z`;
const large = (length: number) => [{ if: { query: { a: '1' } }, url: 'https://example.org/'.padEnd(length, 'x') }];
const variants = (length: number) => ['a', 'b'].map((id) => ({ id, url: 'https://example.org/'.padEnd(length, id), weight: 1 }));

async function newLink(settings: LinkChanges = {}) {
  const { link } = await store.createLink(workspace.domain, { url: 'https://example.org/', ...settings }, store.newLease());
  const read = async () => {
    const found = await store.getLink(workspace.workspaceId, link.id);
    if (!found) throw new Error('the link is gone');
    return found;
  };
  return { link, read };
}
const codeOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => error.fieldErrors?.[0]?.code ?? error.code,
  );

test('Whatever requests set at once, a link never starts after it expires.', async () => {
  const days = fc.option(fc.integer({ min: 1, max: 9 }).map(at));
  const change = fc.record({ startsAt: days, expiresAt: days, title: fc.constantFrom('a', 'b') }, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 2, maxLength: 4 }), async (changes) => {
      const { read } = await newLink();
      // All of them have read the link before.
      const found = await read();
      const codes = await Promise.all(changes.map((one) => codeOf(store.updateLink(found, one as LinkChanges))));
      for (const code of codes) expect(['done', 'starts_too_late', 'expires_too_early']).toContain(code);
      const { startsAt, expiresAt } = (await read()).link;
      if (startsAt !== null && expiresAt !== null) expect(startsAt < expiresAt).toBe(true);
    }),
    { numRuns: runs(25) },
  );
});

test('A link that expires on day 5 can neither start on day 5 nor expire before its start, unless one of both is cleared.', async () => {
  const { read } = await newLink({ expiresAt: at(5) });
  expect(await codeOf(store.updateLink(await read(), { startsAt: at(5) }))).toBe('starts_too_late');
  expect(await codeOf(store.updateLink(await read(), { startsAt: at(4) }))).toBe('done');
  expect(await codeOf(store.updateLink(await read(), { expiresAt: at(4) }))).toBe('expires_too_early');
  expect(await codeOf(store.updateLink(await read(), { title: 'Other' }))).toBe('done');
  expect(await codeOf(store.updateLink(await read(), { expiresAt: at(3), startsAt: null }))).toBe('done');
});

test('Rules and variants together stay within 8 kB, even if two requests set one each at the same time.', async () => {
  const { read } = await newLink();
  const found = await read();
  expect(await codeOf(store.updateLink(found, { rules: large(8_000) }))).toBe('too_large');
  const codes = await Promise.all([
    codeOf(store.updateLink(found, { rules: large(5_000) })),
    codeOf(store.updateLink(found, { variants: variants(2_000) })),
  ]);
  expect(codes.sort()).toEqual(['done', 'too_large']);
  // Later changes of one of them, and of other settings, succeed.
  expect(await codeOf(store.updateLink(await read(), { title: 'Other' }))).toBe('done');
  expect(await codeOf(store.updateLink(await read(), { rules: [], variants: variants(2_000) }))).toBe('done');
  expect(await codeOf(store.updateLink(await read(), { rules: large(1_000) }))).toBe('done');
});

test.for<Fault>(['lost-before', 'lost-after', 'throttle', 'conflict'])(
  'A change of such settings is made once, even if its first attempt ends with %s.',
  async (fault) => {
    const { read } = await newLink({ expiresAt: at(9), variants: variants(100) });
    const found = await read();
    await underFaults(
      ({ index }) => (index === 0 ? fault : undefined),
      () => store.updateLink(found, { startsAt: at(1), rules: large(100) }),
    );
    expect((await read()).link).toMatchObject({ startsAt: at(1), rules: large(100), revision: 1 });
  },
);
