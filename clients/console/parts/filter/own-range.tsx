import { useState } from 'react';
import { type OwnDays, ownDays } from '../days.ts';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';

type OwnRangeProps = {
  readonly days: OwnDays;
  readonly today: string;
  /** How many days there may be. */
  readonly most: number;
  readonly onClose: () => void;
  readonly onChoose: (days: OwnDays) => void;
};

/** Asks for the first and the last day. */
export function OwnRange({ days, today, onClose, onChoose, most }: OwnRangeProps) {
  const [{ from, to }, set] = useState(days);
  const [wrong, setWrong] = useState('');
  const submit = () => {
    const range = ownDays(from, to, most);
    if (range && to <= today) return onChoose(range);
    setWrong(
      from === '' || to === ''
        ? 'Enter both days.'
        : to > today
          ? 'The last day must not be after today.'
          : from > to
            ? 'The first day must not be after the last one.'
            : `Choose at most ${most} days, from the year 2000 on.`,
    );
  };
  const note = wrong && (
    <p className="field-error" role="alert">
      {wrong}
    </p>
  );
  const shared = { type: 'date', max: today };
  return (
    <FormDialog title="Choose days" onClose={onClose} change={{ isBusy: false, note }} action="Show" onSubmit={submit}>
      <div className="own-range">
        <TextField {...shared} label="First day" value={from} onText={(day) => set({ from: day, to })} />
        <TextField {...shared} label="Last day" value={to} onText={(day) => set({ from, to: day })} />
      </div>
    </FormDialog>
  );
}
