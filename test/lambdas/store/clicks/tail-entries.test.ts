import { beforeAll, expect, test } from 'vitest';
import { randomBase62 } from '../../../../lambdas/core/base62.ts';
import { tailEntryKey } from '../../../../lambdas/store/table/keys.ts';
import { type Fault, underFaults } from '../../../support/faults/faults.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newRow } from '../../../support/things/rows.ts';

let store: Store;
let tail: typeof import('../../../../lambdas/store/clicks/tail.ts');
let entries: typeof import('../../../../lambdas/store/clicks/tail-entries.ts');
beforeAll(async () => {
  store = await useStore();
  tail = await import('../../../../lambdas/store/clicks/tail.ts');
  entries = await import('../../../../lambdas/store/clicks/tail-entries.ts');
});

const newWorkspaceId = () => `ws_${randomBase62(16)}`;
const oldest = '2030-01-02T03:04:05.678Z';
const entryOf = async (workspaceId: string) =>
  (await Array.fromAsync(entries.tailsToSeal())).find((entry) => entry.workspaceId === workspaceId);

/** The entry, as if it had been written this long ago. */
async function agedEntry(workspaceId: string, ms: number) {
  const entry = await entryOf(workspaceId);
  if (!entry) throw new Error('no entry');
  const at = entry.at - ms;
  await store.putItem({ ...tailEntryKey(workspaceId), bytes: entry.bytes, since: entry.since, at });
  return { ...entry, at };
}

const elevenMinutes = 11 * 60_000;

/** Writes a row to the tail, with its entry. */
async function grow(workspaceId: string, note: ReturnType<typeof entries.tailNotes>, at = oldest) {
  const bytes = await tail.writeTail(workspaceId, 'AbCdEfGhIjK', [newRow({ at })]);
  await note(workspaceId, { bytes, oldest: at });
  return bytes;
}

test('An entry names each workspace with a tail, its size, and since when it has one.', async () => {
  const [one, other] = [newWorkspaceId(), newWorkspaceId()];
  const note = entries.tailNotes();
  const bytes = await grow(one, note);
  await note(other, { bytes: 7, oldest });
  expect(await entryOf(one)).toMatchObject({ bytes, since: oldest });
  expect(await entryOf(other)).toMatchObject({ bytes: 7, since: oldest });
  expect(await entryOf(newWorkspaceId())).toBeUndefined();
});

test('A function writes an entry once in five minutes, and others add to it.', async () => {
  const workspaceId = newWorkspaceId();
  const note = entries.tailNotes();
  const { commands } = await underFaults(
    () => undefined,
    async () => {
      for (let batch = 0; batch < 10; batch++) await note(workspaceId, { bytes: 100, oldest });
    },
  );
  expect(commands).toEqual(['UpdateItem']);
  await entries.tailNotes()(workspaceId, { bytes: 1, oldest: '2030-01-02T00:00:00.000Z' });
  expect(await entryOf(workspaceId)).toMatchObject({ bytes: 101, since: oldest });
});

test('A function that could not write an entry writes it with the next batch.', async () => {
  const workspaceId = newWorkspaceId();
  const note = entries.tailNotes();
  const dying = () =>
    underFaults(
      () => 'dead-before',
      () => note(workspaceId, { bytes: 100, oldest }),
    );
  await expect(dying()).rejects.toThrow('injected death');
  await note(workspaceId, { bytes: 50, oldest });
  expect(await entryOf(workspaceId)).toMatchObject({ bytes: 50 });
});

test('An entry of an empty tail is kept while a function may rely on it, and is removed afterwards.', async () => {
  const workspaceId = newWorkspaceId();
  await grow(workspaceId, entries.tailNotes());
  for await (const piece of tail.readTail(workspaceId)) await tail.deleteTailPiece(piece);
  await entries.settleTail(await agedEntry(workspaceId, 9 * 60_000));
  expect(await entryOf(workspaceId)).toMatchObject({ bytes: 0 });
  await entries.settleTail(await agedEntry(workspaceId, elevenMinutes));
  expect(await entryOf(workspaceId)).toBeUndefined();
});

test('An entry has the rest of a partly sealed tail, however old it is.', async () => {
  const workspaceId = newWorkspaceId();
  const note = entries.tailNotes();
  await grow(workspaceId, note);
  const [first] = await Array.fromAsync(tail.readTail(workspaceId));
  const left = await grow(workspaceId, note, '2030-01-05T00:00:00.000Z');
  if (first) await tail.deleteTailPiece(first);
  await entries.settleTail(await agedEntry(workspaceId, elevenMinutes));
  expect(await entryOf(workspaceId)).toMatchObject({ bytes: left, since: '2030-01-05T00:00:00.000Z' });
});

test('An entry that was written since it was read stays as it is.', async () => {
  const workspaceId = newWorkspaceId();
  await entries.tailNotes()(workspaceId, { bytes: 7, oldest });
  const outdated = await agedEntry(workspaceId, elevenMinutes);
  await entries.tailNotes()(workspaceId, { bytes: 3, oldest });
  await entries.settleTail(outdated);
  expect(await entryOf(workspaceId)).toMatchObject({ bytes: 10 });
});

test.for<Fault>(['lost-before', 'lost-after'])(
  'A piece that is written while the entry is removed gets an entry again: %s.',
  async (fault) => {
    const workspaceId = newWorkspaceId();
    await entries.tailNotes()(workspaceId, { bytes: 7, oldest });
    const entry = await agedEntry(workspaceId, elevenMinutes);
    let written = false;
    const writing = async () => {
      if (!written) await tail.writeTail(workspaceId, 'AbCdEfGhIjK', [newRow()]);
      written = true;
    };
    await underFaults(
      ({ command }) => (command === 'DeleteItem' && !written ? fault : undefined),
      () => entries.settleTail(entry),
      writing,
    );
    expect(await entryOf(workspaceId)).toMatchObject({ since: oldest });
  },
);
