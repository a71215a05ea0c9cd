import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyOf } from '../../../clients/migration/chunks.ts';
import { ignoredColumns } from '../../../clients/migration/fields.ts';
import { formats } from '../../../clients/migration/formats.ts';
import { linksAsCsv } from '../../../clients/migration/own.ts';
import { planOf } from '../../../clients/migration/plan.ts';
import { rowsOf } from '../../../clients/migration/read.ts';
import { runs } from '../../support/run/proof.ts';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';
import { carried, ownLinks, shown } from '../../support/things/own-links.ts';

const planned = async (csv: string) => {
  const file = join(temporaryFolder(), 'links.csv');
  writeFileSync(file, csv);
  const rows = rowsOf(readFileSync(file), formats.csv);
  expect(ignoredColumns(rows, formats.csv)).toEqual([]);
  return planOf(rows, formats.csv, undefined);
};

const defaults = {
  title: null,
  description: null,
  image: null,
  notes: null,
  rules: [],
  variants: [],
  startsAt: null,
  expiresAt: null,
  expiredUrl: null,
  maxClicks: null,
  managedBy: null,
  metaPixelId: null,
  googleTagId: null,
  webhookUrls: null,
  externalId: null,
};

test('Every link that the CSV of an export has is planned with all fields that it had, and nothing is altered.', async () => {
  await fc.assert(
    fc.asyncProperty(ownLinks(5), async (links) => {
      const rows = await planned(linksAsCsv(links.map(shown)));
      const read = rows.map(({ link, notes, reason }) => {
        if (!link) throw new Error(reason);
        const [{ customSlug, tagNames = [], ...body } = {}] = bodyOf([{ position: 0, link, leftOut: '' }]);
        const all = { ...defaults, ...body, shortCode: customSlug, aliases: link.aliases ?? [], tags: tagNames };
        return { ...all, notes };
      });
      expect(read).toEqual(links.map((link) => ({ ...carried(link), notes: [] })));
    }),
    { numRuns: runs(60) },
  );
});

test('Each row of an export of links has the link_id of exports of clicks, which the import ignores.', async () => {
  const links = fc
    .sample(ownLinks(3), { numRuns: 2, seed: 1 })
    .flat()
    .map((link, n) => ({ ...shown({ ...link, shortCode: `s${n}` }), id: `lnk_${n}` }));
  const cells = parse(linksAsCsv(links), { columns: true }) as Record<string, string>[];
  expect(cells.map((row) => row.link_id)).toEqual(links.map(({ id }) => id));
  expect(JSON.stringify(await planned(linksAsCsv(links)))).not.toContain('lnk_');
});

test('A link with a password or a used-up cap is refused, because it would be open to everybody.', async () => {
  const [link] = fc.sample(ownLinks(1), { numRuns: 1, seed: 1 }).flat();
  if (!link) throw new Error('there is no link');
  const some = [{ hasPassword: true }, { maxClicks: 5, clickCount: 5 }, { maxClicks: 5, clickCount: 2 }];
  const rows = await planned(linksAsCsv(some.map((more, position) => ({ ...shown(link), shortCode: `s${position}`, ...more }))));
  expect(rows.map(({ reason, link, notes }) => reason ?? [link?.maxClicks, notes])).toEqual([
    'it has a password, which is not in the file, and would be open to everybody',
    'it has reached its visit limit there',
    [3, ['its limit of 5 visits becomes the 3 that are left']],
  ]);
});

test.for([
  ['aliases', 'fine', 'aliases need a slug'],
  ['is_active', 'perhaps', 'is_active must be true or false'],
  ['variants', '{}', 'variants must be a list in JSON'],
  ['rules', '[', 'rules must be a list in JSON'],
  ['aliases', 'fine|a//b', 'aliases must have'],
])('A row whose %s is %s is refused by name.', async ([column, value, reason = '']) => {
  const [row] = await planned(`url,${column}\nhttps://example.org/,"${value}"\n`);
  expect(row?.reason).toEqual(expect.stringContaining(reason));
});
