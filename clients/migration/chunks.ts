import { linksPerRequest } from '../../lambdas/core/limits.ts';
import type { Schemas } from '../typescript/client.ts';
import { bodyOfLink, type PlannedLink } from './planned.ts';
import type { Entry } from './results.ts';
import type { UsedTemplate } from './template.ts';
import { sha256 } from './text.ts';

/** The most bytes of links in a bulk request. The function's event may have 6 MB, in which the body is escaped JSON. */
const mostBytes = 4_000_000;

const encoder = new TextEncoder();

const hasSlug = ({ link }: Entry): boolean => link.slug !== undefined;

/**
 * Splits entries into bulk requests. Those without slugs are separate, because their `Idempotency-Key` is made
 * differently.
 */
export const chunksOf = (entries: readonly Entry[]): Entry[][] => [
  ...inChunks(entries.filter(hasSlug)),
  ...inChunks(entries.filter((entry) => !hasSlug(entry))),
];

function inChunks(entries: readonly Entry[]): Entry[][] {
  const chunks: Entry[][] = [];
  const fits = roomOfChunk();
  for (const entry of entries) {
    if (!fits(entry.link) || chunks.length === 0) chunks.push([]);
    chunks.at(-1)?.push(entry);
  }
  return chunks;
}

/**
 * Counts links into bulk requests. @returns whether the next link fits into the current one; else it begins another.
 */
export function roomOfChunk(): (link: PlannedLink) => boolean {
  let [links, bytes] = [0, 0];
  return (link) => {
    const size = encoder.encode(JSON.stringify(link)).length;
    const fits = links < linksPerRequest && bytes + size <= mostBytes;
    [links, bytes] = fits ? [links + 1, bytes + size] : [1, size];
    return fits;
  };
}

/** The links of a chunk, as a bulk request takes them. */
export const bodyOf = (chunk: readonly Entry[]): Schemas['ImportLink'][] => chunk.map(({ link }) => bodyOfLink(link));

/**
 * The `Idempotency-Key` of a chunk.
 *
 * For links with slugs, it differs in every run. Their slugs prevent duplicates, and the response of an earlier run
 * would be stale if a link has been deleted or its host unblocked since.
 *
 * For links without slugs, it stays the same as long as the file, the domain, the template, the position and the links
 * do. Nothing else prevents duplicates.
 *
 * @param fingerprint identifies the file's content.
 * @param runId identifies the run.
 */
export async function keyOf(
  chunk: readonly Entry[],
  {
    fingerprint,
    runId,
    domain,
    template,
  }: { fingerprint: string; runId: string; domain: string; template?: UsedTemplate | undefined },
): Promise<string> {
  const [first] = chunk;
  const kind = first && hasSlug(first) ? runId : fingerprint;
  const text = JSON.stringify([kind, domain, first?.position, bodyOf(chunk), template?.id]);
  return `import-${await sha256(encoder.encode(text))}`;
}
