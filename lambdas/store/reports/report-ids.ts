import { createHash } from 'node:crypto';
import { toBase62 } from '../../core/base62.ts';
import type { Report } from '../../core/report/report.ts';

/**
 * The id of a report, derived from what is reported, so that reporting it again adds nothing to the queue.
 *
 * @param parts what distinguishes the report from others.
 */
export const reportIdOf = (...parts: readonly string[]): string =>
  `rep_${toBase62(createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24), 16)}`;

/** The position of a report in the queue. */
export const positionOf = ({ createdAt, id }: Pick<Report, 'createdAt' | 'id'>): string => `${createdAt}#${id}`;
