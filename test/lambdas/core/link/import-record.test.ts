import { expect, test } from 'vitest';
import { listedError } from '../../../../lambdas/core/host/listed-hosts.ts';
import { tagsPerLink, variantsPerLink } from '../../../../lambdas/core/limits.ts';
import { blockedError, shortDomainError } from '../../../../lambdas/core/link/destination.ts';
import {
  externalIdTaken,
  linkDeleted,
  noTags,
  notWritten,
  slugTaken,
  tagsOfEntry,
  urlRefused,
} from '../../../../lambdas/core/link/import.ts';
import { bytesPerFailure, largestRecord, recordedResults } from '../../../../lambdas/core/link/import-record.ts';

const url = 'https://example.org/';
const ids = Array.from({ length: tagsPerLink }, (_, index) => `tag_${index}`.padEnd(16, '0'));
const names = ids.map((_, index) => `name ${index}`);
const byId = new Map(ids.map((id, index) => [id, { id, name: `name ${index}`, color: 'blue' as const }]));
const idOf = new Map(names.map((name, index) => [name, `tag_other_${index}`]));

test('No failure of a valid entry is larger than `bytesPerFailure`.', () => {
  const path = `/variants/${variantsPerLink.most - 1}/url`;
  const failures = [
    ...[slugTaken, externalIdTaken, linkDeleted, notWritten],
    ...[shortDomainError(), blockedError(), listedError()].map((error) => urlRefused(error, path)),
    tagsOfEntry({ index: 0, url, tagNames: names }, { byId, idOf: new Map([...idOf].slice(0, -1)) }),
    tagsOfEntry({ index: 0, url, tagIds: ids, tagNames: names }, { byId, idOf }),
    tagsOfEntry({ index: 0, url, tagIds: ids }, noTags),
  ];
  const sizes = failures.map((failure) => {
    expect(failure).toEqual({ code: expect.any(String), message: expect.any(String) });
    return Buffer.byteLength(JSON.stringify(JSON.stringify(failure)));
  });
  expect(Math.max(...sizes)).toBeLessThanOrEqual(bytesPerFailure);
});

test('A record is at most as large as computed before the import writes anything.', () => {
  const entries = Array.from({ length: 1_000 }, (_, index) => ({ index, url, tagIds: ids }));
  const created = Object.fromEntries(
    entries.map(({ index }) => [index, { id: `lnk_${'a'.repeat(30)}`, shortCode: 'a'.repeat(20), tagIds: ids }]),
  );
  const failed = Object.fromEntries(entries.map(({ index }) => [index, urlRefused(listedError(), '/variants/9/url')]));
  for (const results of [created, failed]) {
    const record = recordedResults(results, { byId, idOf: new Map() });
    expect(Buffer.byteLength(JSON.stringify(record))).toBeLessThanOrEqual(largestRecord(entries, { byId, idOf: new Map() }));
  }
});
