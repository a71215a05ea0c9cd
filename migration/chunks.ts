import { createHash } from 'node:crypto';
import { linksPerRequest } from '../lambdas/domain/limits.ts';
import type { Entry } from './results.ts';

/** Links an import at most has: a limit of the service, and so many bytes of the 6 MB that a request may have. */
const mostBytes = 4_000_000;

const hasSlug = ({ link }: Entry): boolean => link.slug !== undefined;

/** The imports that entries make: those without slugs by themselves, since their keys are of another kind. */
export const chunksOf = (entries: readonly Entry[]): Entry[][] => [
  ...inChunks(entries.filter(hasSlug)),
  ...inChunks(entries.filter((entry) => !hasSlug(entry))),
];

function inChunks(entries: readonly Entry[]): Entry[][] {
  const chunks: Entry[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const size = Buffer.byteLength(JSON.stringify(entry.link));
    if (bytes + size > mostBytes || chunks.at(-1)?.length === linksPerRequest) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)?.push(entry);
    bytes += size;
  }
  return chunks;
}

/** The links of a chunk as an import takes them. */
export const bodyOf = (chunk: readonly Entry[]) =>
  chunk.map(({ link }) => ({
    url: link.url,
    redirectType: link.redirectType,
    ...(link.slug !== undefined && { customSlug: link.slug }),
    ...(link.title !== undefined && { title: link.title }),
  }));

/**
 * The `Idempotency-Key` of a chunk. Of links with slugs another one for every run: that they are there is told by the slugs, and an answer of an
 * earlier run would be out of date where one was deleted since, or its host is no longer blocked. Of links without, known again as long as the
 * file, the domain, the place and the links are the same: nothing else keeps them from being made twice.
 *
 * @param fingerprint another one for every file.
 * @param runId another one for every run.
 */
export function keyOf(
  chunk: readonly Entry[],
  { fingerprint, runId, domain }: { fingerprint: string; runId: string; domain: string },
): string {
  const [first] = chunk;
  const kind = first && hasSlug(first) ? runId : fingerprint;
  const text = JSON.stringify([kind, domain, first?.place, bodyOf(chunk)]);
  return `import-${createHash('sha256').update(text).digest('hex')}`;
}
