import { useState } from 'react';
import { SaidError } from '../../service/failures.ts';
import { type OwnDays, ownDays } from '../days.ts';
import { useChange } from '../kit/change.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';

type OwnRangeProps = {
  readonly days: OwnDays;
  readonly today: string;
  /** The most days. */
  readonly most: number;
  readonly onClose: () => void;
  readonly onChoose: (days: OwnDays) => void;
};

/** Asks for the first and the last day. */
export function OwnRange({ days, today, onClose, onChoose, most }: OwnRangeProps) {
  const [{ from, to }, set] = useState(days);
  const choose = async () => {
    const range = ownDays(from, to, most);
    if (range && to <= today) {
      onChoose(range);
      return {};
    }
    throw new SaidError(
      from === '' || to === ''
        ? 'Enter both days.'
        : to > today
          ? 'The last day must not be after today.'
          : from > to
            ? 'The first day must not be after the last one.'
            : `Choose at most ${most} days, from the year 2000 on.`,
    );
  };
  const shared = { type: 'date', max: today };
  return (
    <FormDialog title="Choose days" onClose={onClose} change={useChange(undefined)} action="Show" run={choose}>
      <div className="own-range">
        <TextField {...shared} label="First day" value={from} onText={(day) => set({ from: day, to })} />
        <TextField {...shared} label="Last day" value={to} onText={(day) => set({ from, to: day })} />
      </div>
    </FormDialog>
  );
}
