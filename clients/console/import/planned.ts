import { tagsPerLink } from '../../../lambdas/core/limits.ts';
import { foldTagName } from '../../../lambdas/core/tag/tag.ts';
import type { PlannedRow } from '../../migration/plan.ts';

/** The rows, each of whose links also gets a tag, if it has space for it. */
export function withTag(rows: readonly PlannedRow[], tag: string): readonly PlannedRow[] {
  if (tag === '') return rows;
  return rows.map((row) => {
    if (!row.link || row.link.tags.some((name) => foldTagName(name) === foldTagName(tag))) return row;
    if (row.link.tags.length === tagsPerLink) {
      return { ...row, notes: [...row.notes, `it has ${tagsPerLink} tags already, and does not get "${tag}"`] };
    }
    return { ...row, link: { ...row.link, tags: [...row.link.tags, tag] } };
  });
}
