import { expect } from 'vitest';
import { changeRecord, deliver } from '../history.ts';
import { type Answer, answerOf, insert, linkWithTags, plenty, put, type Scenarios, store } from './scenario.ts';

/** The link's item, without knowing where it is. */
const itemOf = async (linkId: string) =>
  (await store.getItem({ pk: `LINK#${linkId.slice('lnk_'.length, -6)}`, sk: 'LINK' })) ?? {};

const entriesOf = (linkId: string) => Array.fromAsync(store.query({ pk: `HISTORY#${linkId}`, between: ['0', 'Z'] }));

const byKey = `key_${'k'.repeat(43)} request-1 Tests`;

/** Records changes. Somebody else records the same ones: Lambda may deliver a batch twice at once. */
function recording(record: (budget: number) => Promise<Answer>, check: () => Promise<void>) {
  return {
    act: record,
    check,
    meanwhile: () => record(plenty),
    checkBoth: async ({ status }: Answer) => {
      expect(status).toBe(200);
      await check();
    },
  };
}

/** The recording of changes. */
export const historyScenarios: Scenarios = {
  'record-changes: a batch': {
    calls: [insert],
    arrange: async () => {
      const { id } = await linkWithTags();
      const item = await itemOf(id);
      const records = ['One', 'Two'].map((title) => changeRecord(item, { ...item, title, by: byKey }));
      return recording(
        (budget) => answerOf(budget, () => deliver(records, budget)),
        async () => {
          const titles = (await entriesOf(id)).map(({ changes }) => (changes as { title: { to: string } }).title.to);
          expect(titles).toEqual(['One', 'Two']);
        },
      );
    },
  },
  'record-changes: a change that cannot be read': {
    calls: [put, insert],
    arrange: async () => {
      const { id } = await linkWithTags();
      const item = await itemOf(id);
      const bad = changeRecord(item, { ...item, url: 7, by: byKey });
      const records = [bad, changeRecord(item, { ...item, title: 'Good', by: byKey })];
      return recording(
        (budget) => answerOf(budget, () => deliver(records, budget)),
        async () => {
          expect(await entriesOf(id)).toHaveLength(1);
          const notes = await Array.fromAsync(store.query({ gsi1pk: 'FAILURES' }));
          const sequenceNumber = bad.dynamodb?.SequenceNumber;
          expect(notes.filter(({ pk }) => pk === `FAILURE#record-changes#-#${sequenceNumber}`)).toHaveLength(1);
        },
      );
    },
  },
};
