import { expect, test } from 'vitest';
import { bodyOf, chunksOf } from '../../../clients/migration/chunks.ts';
import type { PlannedLink } from '../../../clients/migration/planned.ts';
import type { Domain } from '../../../lambdas/core/domain/domain.ts';
import { bytesPerResponse, linksPerRequest } from '../../../lambdas/core/limits.ts';
import type { ImportEntry } from '../../../lambdas/core/link/import.ts';
import { largestResponse } from '../../../lambdas/views/import.ts';

const domain = { host: 'go.example.com', domainId: 'dom_x', status: 'ACTIVE' } as Domain;

test.for([200, 2_048, 3_950, 8_000])(
  'Each request of an import gets a response that is small enough: destinations of %i characters.',
  (length) => {
    const link = {
      url: 'https://example.org/'.padEnd(length, 'x'),
      slug: 'a'.repeat(20),
      title: 'A title',
      redirectType: 'TEMPORARY_302',
      tags: [],
    } as unknown as PlannedLink;
    const entries = Array.from({ length: 2_500 }, (_, position) => ({ link: { ...link, slug: `slug-${position}` }, position }));
    const chunks = chunksOf(entries as never);
    expect(chunks.flat()).toHaveLength(entries.length);
    for (const chunk of chunks) {
      const sent = bodyOf(chunk);
      const there = sent.map((one, index) => ({ ...one, index })) as ImportEntry[];
      expect(largestResponse(sent, there, {}, domain, 'https://{domain}')).toBeLessThanOrEqual(bytesPerResponse);
      expect(chunk.length).toBeLessThanOrEqual(linksPerRequest);
    }
  },
);
