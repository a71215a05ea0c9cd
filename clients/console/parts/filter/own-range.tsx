import { useId, useState } from 'react';
import { type OwnDays, ownDays } from '../days.ts';
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
  const [wrong, setWrong] = useState('');
  const id = useId();
  const submit = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const [from, to] = [String(data.get('from')), String(data.get('to'))];
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
  const field = (name: 'from' | 'to', label: string) => (
    <div className="field">
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <input
        id={`${id}-${name}`}
        name={name}
        type="date"
        defaultValue={days[name]}
        max={today}
        aria-invalid={wrong !== '' || undefined}
        aria-describedby={`${id}-wrong`}
      />
    </div>
  );
  return (
    <FormDialog title="Choose days" onClose={onClose} change={{ isBusy: false, note: null }} action="Show" onSubmit={submit}>
      <div className="own-range">
        {field('from', 'First day')}
        {field('to', 'Last day')}
      </div>
      <p id={`${id}-wrong`} className="field-error" role="alert">
        {wrong}
      </p>
    </FormDialog>
  );
}
