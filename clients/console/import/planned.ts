import { tagNameLength, tagsPerLink } from '../../../lambdas/core/limits.ts';
import { foldTagName } from '../../../lambdas/core/tag/tag.ts';
import type { PlannedRow } from '../../migration/planned.ts';

/** Adds a tag to the link of each row that has room for it. */
export function withTag(rows: readonly PlannedRow[], tag: string): readonly PlannedRow[] {
  return rows.map((row) => {
    if (!row.link || row.link.tags.some((name) => foldTagName(name) === foldTagName(tag))) return row;
    if (row.link.tags.length === tagsPerLink) {
      return { ...row, notes: [...row.notes, `it has ${tagsPerLink} tags already, and does not get "${tag}"`] };
    }
    return { ...row, link: { ...row.link, tags: [...row.link.tags, tag] } };
  });
}

/** The name of a file without its extension. */
const stemOf = (fileName: string): string => fileName.replace(/\.[^.]*$/, '');

/** The name of an import's report, after the imported file. */
export const reportName = (fileName: string): string => `report of ${stemOf(fileName) || 'import'}.csv`;

/** A tag that is named after a file, and that no link has. @param taken the names of all tags */
export function tagAfter(fileName: string, taken: readonly string[]): string {
  const words = stemOf(fileName)
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}_-]+/gu, ' ')
    .trim();
  const known = new Set(taken.map(foldTagName));
  for (let n = 1; ; n++) {
    const end = n === 1 ? '' : ` ${n}`;
    // Some letters fold to several, so only half of the allowed length is used.
    const name = `${[...(words || 'import')]
      .slice(0, tagNameLength / 2)
      .join('')
      .trim()}${end}`;
    if (!known.has(foldTagName(name))) return name;
  }
}
