import { useState } from 'react';
import { trimmed } from '../../../lambdas/core/invisible.ts';
import { type FilterChip, FilterChips, tagChips } from '../parts/filter/filter-chips.tsx';
import { OwnRange } from '../parts/filter/own-range.tsx';
import { useChange } from '../parts/kit/change.tsx';
import { Field } from '../parts/kit/field.tsx';
import { FormDialog } from '../parts/kit/form-dialog.tsx';
import { Select } from '../parts/kit/select.tsx';
import { stateNames } from '../parts/link/state.ts';
import { ownZone } from '../parts/time.ts';
import { type Filter, noFilter } from '../service/address.ts';
import { go } from '../service/location.ts';
import { useDomains, useMe, useTags } from '../service/queries.ts';
import { daysOf, periodOf } from '../statistics/ranges.ts';
import { type Preset, presetNames, rangeIn, writtenRange } from '../statistics/view.ts';
import { periodName } from '../statistics/words.ts';

// The parts of a list's filters that most lists don't need.

/** The name of a range in the address; '' means all clicks. */
export function rangeName(text: string): string {
  if (text === '') return 'All clicks';
  const range = rangeIn(text);
  return typeof range === 'string' ? presetNames[range] : periodName(periodOf(range, Date.now(), ownZone()), ownZone());
}

/** A choice of the clicks by which the list is sorted. */
export function RangePicker({ range, onChoose }: { readonly range: string; readonly onChoose: (range: string) => void }) {
  const [isOpen, open] = useState(false);
  const { clickDays = Number.POSITIVE_INFINITY } = useMe().data?.limits ?? {};
  const chosen = range && writtenRange(rangeIn(range));
  const offered = [...new Set(['', ...(Object.keys(presetNames) as Preset[]), chosen])];
  const today = daysOf('today', Date.now(), ownZone()).to;
  return (
    <>
      <Select
        aria-label="Count the clicks of"
        value={chosen}
        options={[...offered.map((one) => [one, rangeName(one)] as const), ['own', 'Custom…']]}
        onChoose={(one) => (one === 'own' ? open(true) : onChoose(one))}
      />
      {isOpen && (
        <OwnRange
          days={daysOf(rangeIn(range), Date.now(), ownZone())}
          today={today}
          most={clickDays}
          onClose={() => open(false)}
          onChoose={(days) => onChoose(writtenRange(days))}
        />
      )}
    </>
  );
}

/** Asks for the day since which links have had no click. */
export function DayDialog({ onChoose, onClose }: { readonly onChoose: (day: string) => void; readonly onClose: () => void }) {
  const [day, setDay] = useState('');
  return (
    <FormDialog
      title="No click since"
      onClose={onClose}
      change={useChange(undefined)}
      action="Show"
      isReady={/^20/.test(day)}
      run={async () => {
        onChoose(day);
        return {};
      }}
    >
      <Field label="Day">
        {(props) => <input {...props} type="date" value={day} onChange={(event) => setDay(event.target.value)} />}
      </Field>
    </FormDialog>
  );
}

type ChipsProps = {
  readonly filter: Filter;
  /** The names of the filters by last click and by expiry, and of the order. */
  readonly unclicked: string;
  readonly expiring: string;
  readonly order: string;
  readonly onChange: (change: Partial<Filter>) => void;
};

export function Chips({ filter, unclicked, expiring, order, onChange }: ChipsProps) {
  const tags = useTags();
  const domains = useDomains();
  const isKnown = !domains.data || domains.data.some(({ domain }) => domain === filter.domain);
  const { q, domain, state, isArchived, sort, range } = filter;
  const unsorted = { sort: undefined, range: '', order: 'desc' } as const;
  const chips: readonly FilterChip<Filter>[] = [
    ...(trimmed(q) ? [{ text: `“${trimmed(q)}”`, without: { q: '' } }] : []),
    ...(domain ? [{ text: isKnown ? domain : 'Unknown domain', without: { domain: undefined } }] : []),
    ...(state ? [{ text: stateNames[state], without: { state: undefined } }] : []),
    ...(isArchived ? [{ text: 'Archived', without: { isArchived: false } }] : []),
    ...(filter.unclicked ? [{ text: unclicked, without: { unclicked: '' } }] : []),
    ...(filter.expiring ? [{ text: expiring, without: { expiring: '' } }] : []),
    ...tagChips(filter.tags, tags.data),
    ...(sort ? [{ text: `${order}: ${rangeName(range)}`, without: unsorted }] : []),
  ];
  return (
    <FilterChips
      chips={chips}
      onChange={onChange}
      onClear={() => go({ filter: { ...noFilter, ...(!sort && { order: filter.order }) } })}
    >
      {sort && filter.order === 'asc' && <li className="small">Links without a click come last.</li>}
    </FilterChips>
  );
}
