import { useState } from 'react';
import { Button, IconButton } from '../parts/button.tsx';
import { OwnRange } from '../parts/filter/own-range.tsx';
import { ScopePickers } from '../parts/filter/scope-pickers.tsx';
import { Select } from '../parts/kit/select.tsx';
import { Sheet } from '../parts/kit/sheet.tsx';
import { knowsZone, ownZone } from '../parts/time.ts';
import { useMe } from '../service/queries.ts';
import { daysOf, nextRange, type Period } from './ranges.ts';
import { type Preset, presetNames, type StatsView } from './view.ts';
import { periodName } from './words.ts';

/** Changes the view, which is in the address. */
export type SetView = (change: Partial<StatsView>) => void;

type ControlsProps = {
  readonly view: StatsView;
  readonly setView: SetView;
};

type RangeProps = ControlsProps & {
  readonly period: Period;
  readonly now: number;
  readonly zone: string;
  /** Whether the view is of one link, so that no domain or tags can be chosen. */
  readonly isOfLink: boolean;
};

/** The range, the previous and next ones, and the zone of its days. */
export function RangeControls({ view, setView, period, now, zone, isOfLink }: RangeProps) {
  const [isOpen, open] = useState(false);
  const { clickDays = Number.POSITIVE_INFINITY } = useMe().data?.limits ?? {};
  const [earlier, later] = ([-1, 1] as const).map((direction) => nextRange(view.range, direction, now, zone));
  const presets = (
    <fieldset className="segments">
      <legend className="hidden">Range</legend>
      {(Object.keys(presetNames) as Preset[]).map((preset) => (
        <Button
          kind="bare"
          key={preset}
          aria-pressed={view.range === preset}
          onClick={() => setView({ range: preset, interval: undefined })}
        >
          {presetNames[preset]}
        </Button>
      ))}
      <Button kind="bare" aria-pressed={typeof view.range !== 'string'} onClick={() => open(true)}>
        Custom…
      </Button>
    </fieldset>
  );
  const zones = <ZonePicker view={view} setView={setView} />;
  return (
    <div className="range">
      <div className="range-steps">
        <IconButton
          icon="chevron"
          className="icon-button back"
          label="Earlier"
          title="Earlier (←)"
          onClick={() => setView({ range: earlier ?? view.range })}
        />
        <strong className="range-name">{periodName(period, zone)}</strong>
        <IconButton
          icon="chevron"
          className="icon-button forward"
          label="Later"
          title="Later (→)"
          disabled={later === undefined}
          onClick={() => setView({ range: later ?? view.range })}
        />
      </div>
      <div className="range-fields">
        {zones}
        {presets}
      </div>
      <Sheet title="Range and filters" label="Filters">
        {presets}
        {zones}
        {!isOfLink && <ScopePickers scope={view} onChange={setView} />}
      </Sheet>
      {isOpen && (
        <OwnRange
          days={daysOf(view.range, now, zone)}
          today={daysOf('today', now, zone).to}
          most={clickDays}
          onClose={() => open(false)}
          onChoose={(range) => setView({ range, interval: undefined })}
        />
      )}
    </div>
  );
}

/** All zones, with the reader's own and UTC first. */
const allZones = (): readonly string[] => [...new Set([ownZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])];

function ZonePicker({ view, setView }: ControlsProps) {
  const own = ownZone();
  const chosen = view.zone ?? own;
  const [all] = useState(allZones);
  const lacks = (zone: string) => (zone === own && !knowsZone() ? ' (your browser knows no time zone)' : '');
  return (
    <Select
      aria-label="Time zone"
      className="fitting zone"
      value={chosen}
      options={(all.includes(chosen) ? all : [chosen, ...all]).map((zone) => [
        zone,
        `${zone.replaceAll('_', ' ')}${lacks(zone)}`,
      ])}
      onChoose={(zone) => setView({ zone: zone === own ? undefined : zone })}
    />
  );
}
