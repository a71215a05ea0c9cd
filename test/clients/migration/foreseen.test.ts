import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { readerOf } from '../../../clients/migration/api.ts';
import { batchesOf } from '../../../clients/migration/batches.ts';
import { runDry } from '../../../clients/migration/dry-run.ts';
import { formats } from '../../../clients/migration/formats.ts';
import { planOf } from '../../../clients/migration/plan.ts';
import { rowsOf } from '../../../clients/migration/read.ts';
import type { Result } from '../../../clients/migration/results.ts';
import { runImport } from '../../../clients/migration/run.ts';
import { linksClient } from '../../../clients/typescript/client.ts';
import { csvOf } from '../../../lambdas/core/csv.ts';
import { runs } from '../../support/run/proof.ts';
import { type Service, useService } from '../../support/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

/** Cells that are fine, on the edge, or wrong. A cell is usually empty, so that most rows have at most one that is wrong. */
const cellsOf: Readonly<Record<string, readonly string[]>> = {
  url: [
    ...Array.from({ length: 9 }, (_, index) => `https://example.org/${index || ''}`),
    `https://example.org/${'x'.repeat(10_000)}`,
    'ftp://example.org/',
  ],
  slug: ['a', 'B', 'c/d', 'there', 'a b', 'api', ...Array.from({ length: 9 }, () => '')],
  title: ['Title', 'x'.repeat(257)],
  description: ['x'.repeat(1_024), 'x'.repeat(1_025)],
  image: ['https://example.org/i.png', 'i.png'],
  notes: ['x'.repeat(1_000), 'x'.repeat(1_001), 'x'.repeat(200_000)],
  tags: ['News', 'a/b|***'],
  redirect_type: ['301', '307', '303'],
  starts_at: ['2031-01-01', '2031-02-30'],
  expires_at: ['2030-12-31', '2030-12-30', 'soon'],
  expired_url: ['https://example.org/late', 'late'],
  max_clicks: ['5', '0', '9007199254740993'],
  is_active: ['false', 'no'],
  forward_path: ['true'],
  external_id: ['one', 'other', 'two words', 'x'.repeat(300)],
  managed_by: ['me@go.example.com', 'me'],
  meta_pixel_id: ['12', 'x'],
  google_tag_id: ['G-A1', 'g-a1'],
  webhook_urls: ['https://hooks.example.org/', 'ftp://example.org/'],
  utm_source: ['mail', 'x'.repeat(1_025)],
  variants: ['[]', '[{"id":"a","url":"https://example.org/a","weight":1}]', '[{"id":"A"}]'],
  rules: [
    '[{"if":{"os":["ios"]},"url":"https://example.org/ios"}]',
    '[{"if":{"os":["amiga"]},"url":"https://example.org/"}]',
    '[{"if":{},"url":"https://example.org/"}]',
    '[5]',
  ],
};
const names = Object.keys(cellsOf);
/** The weight of an empty cell, if it isn't 25. */
const weightOf: Readonly<Record<string, number>> = { url: 0, slug: 0, external_id: 1 };
const row = fc.tuple(
  ...names.map((name) =>
    fc.oneof(
      { weight: weightOf[name] ?? 25, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.constantFrom(...(cellsOf[name] ?? [])) },
    ),
  ),
);

test('A dry run foresees for each row what the import does, and why.', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 20, maxLength: 30 }), async (rows) => {
      const { key, domain, call } = await service.newWorkspace();
      await call('POST', '/links', { domain, url: 'https://example.org/', customSlug: 'there', externalId: 'other' });
      const file = Buffer.from(csvOf([names, ...rows]));
      const planned = planOf(rowsOf(file, formats.csv), formats.csv, undefined);
      const client = linksClient({ baseUrl: service.baseUrl, apiKey: key, wait: async () => {} });
      const isStopped = () => false;
      const foreseen: Result[] = [];
      const dry = await runDry({
        reader: readerOf(client),
        domain,
        batches: batchesOf(planned),
        isStopped,
        onProgress: () => {},
        onResults: (more) => void foreseen.push(...more),
      });
      expect(dry).toBeUndefined();
      const fingerprint = randomUUID();
      const run = { client, domain, rows: planned, fingerprint, runId: randomUUID(), isStopped, onProgress: () => {} };
      const { results, failure } = await runImport(run);
      expect(failure).toBeUndefined();
      const told = foreseen
        .toSorted((one, other) => one.row.line - other.row.line)
        .map(({ outcome, reason, row }) => [
          row.line,
          outcome === 'would_create' ? 'created' : outcome,
          outcome === 'refused' ? reason : '',
        ]);
      expect(told).toEqual(results.map(({ outcome, reason, row }) => [row.line, outcome, outcome === 'refused' ? reason : '']));
    }),
    { numRuns: runs(6), endOnFailure: true },
  );
});
