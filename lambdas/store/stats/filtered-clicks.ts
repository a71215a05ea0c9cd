import type { Click } from '../../core/click/click.ts';
import { daysOf } from '../../core/click/day.ts';
import { type ClickFilter, passes, tooManyClicks } from '../../core/click/filter.ts';
import type { Collected, Range } from '../../core/click/statistics.ts';
import { readsPerRequest } from '../../core/limits.ts';
import type { Link } from '../../core/link/link.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { epochOf } from '../clicks/counts.ts';
import { toRecordedClick } from '../clicks/list.ts';
import { clicksOf } from '../table/keys.ts';
import { query } from '../table/reads.ts';

const iso = (instant: number): string => new Date(instant).toISOString();

/**
 * The days of a link's clicks that pass a filter, counted from their records, so that they are of no other clicks than
 * those of the range. Eventually consistent, for half the price.
 *
 * @param most how many records to read, erased ones included.
 * @throws RequestError `too_much_to_read`
 */
export async function filteredDaysOfLink(
  { id, clickEpoch }: Pick<Link, 'id' | 'clickEpoch'>,
  range: Range,
  filter: ClickFilter,
  most = readsPerRequest.clicks,
): Promise<Collected> {
  const clicks: Pick<Click, 'at' | keyof ClickFilter>[] = [];
  let read = 0;
  const partitions = clicksOf(id);
  await inParallel(partitions, partitions.length, async (pk) => {
    // A position begins with the time, so none of `to` itself is in between.
    for await (const item of query({ pk, between: [iso(range.from), iso(range.to)] }, { consistent: false })) {
      if (++read > most) throw tooManyClicks();
      const click = toRecordedClick(id, item);
      if (epochOf(item) >= clickEpoch && passes(click, filter)) clicks.push(click);
    }
  });
  return { days: daysOf(clicks), range };
}
