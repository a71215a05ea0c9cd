import { useState } from 'react';
import { useKeys } from '../keys/list.ts';
import { useMembers } from '../members/list.ts';
import { actorName } from '../parts/actor.ts';
import { OwnRange } from '../parts/filter/own-range.tsx';
import { Select } from '../parts/kit/select.tsx';
import { useMay } from '../service/queries.ts';
import { dayOf, type HistoryView, mostDays, spans, timesOf } from './view.ts';
import { type Entry, spanText } from './words.ts';

type FiltersProps = {
  readonly view: HistoryView;
  readonly setView: (change: Partial<HistoryView>) => void;
  readonly entries: readonly Entry[];
};

/** Changed by, and when. */
export const Filters = ({ view, setView, entries }: FiltersProps) => (
  <div className="range">
    <ActorPicker view={view} setView={setView} entries={entries} />
    <SpanPicker view={view} setView={setView} />
  </div>
);

/** Everybody who appeared in this workspace's history since the page was loaded. */
const seen = new Map<string, string>();

type Someone = { readonly id: string; readonly name: string };

/** The members and keys that this person may see, and others who have changed something. */
function ActorPicker({ view: { actor }, setView, entries }: FiltersProps) {
  const { data: members = [] } = useMembers(useMay('members:read'));
  const { data: keys = [] } = useKeys(useMay('keys:read'));
  for (const entry of entries) {
    const { id, type } = entry.actor;
    if (type !== 'service') seen.set(id ?? type, actorName(entry));
  }
  const people = members.map(({ id, name, email }) => ({ id, name: name ?? email }));
  const programs = keys.map(({ id, name, prefix }) => ({ id, name: name ?? `${prefix}…` }));
  const known = new Set([...people, ...programs].map(({ id }) => id));
  const others = [...seen].filter(([id]) => !known.has(id)).map(([id, name]) => ({ id, name }));
  const isMissing = actor !== undefined && !known.has(actor) && !seen.has(actor);
  return (
    <select
      aria-label="Changed by"
      className="fitting actor"
      value={actor ?? ''}
      onChange={(event) => setView({ actor: event.target.value || undefined })}
    >
      <option value="">Anyone</option>
      {isMissing && <option value={actor}>{actor === 'operator' ? 'The operator' : 'Somebody else'}</option>}
      <Group label="Members" all={people} />
      <Group label="API keys" all={programs} />
      <Group label="Others" all={others} />
    </select>
  );
}

const Group = ({ label, all }: { readonly label: string; readonly all: readonly Someone[] }) =>
  all.length === 0 ? null : (
    <optgroup label={label}>
      {all.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </optgroup>
  );

const spanNames = { '7d': 'Last 7 days', '30d': 'Last 30 days', '90d': 'Last 90 days', all: 'All time' } as const;

function SpanPicker({ view: { span }, setView }: Omit<FiltersProps, 'entries'>) {
  const [isOpen, open] = useState(false);
  const own = typeof span === 'string' ? undefined : span;
  const [now] = useState(Date.now);
  const today = dayOf(now);
  const begin = timesOf(own === undefined && span !== 'all' ? span : '30d', now).from ?? now;
  return (
    <>
      <Select
        aria-label="When"
        className="fitting"
        value={typeof span === 'string' ? span : 'shown'}
        options={[
          ...(own ? [['shown', spanText(own)] as const] : []),
          ...(Object.keys(spans) as (keyof typeof spans)[]).map((name) => [name, spanNames[name]] as const),
          ['own', 'Custom…'],
        ]}
        onChoose={(chosen) => (chosen === 'own' ? open(true) : chosen !== 'shown' && setView({ span: chosen }))}
      />
      {isOpen && (
        <OwnRange
          days={own ?? { from: dayOf(begin), to: today }}
          today={today}
          most={mostDays}
          onClose={() => open(false)}
          onChoose={(days) => setView({ span: days })}
        />
      )}
    </>
  );
}
