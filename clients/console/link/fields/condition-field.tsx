import { parametersPerRule } from '../../../../lambdas/core/limits.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { localValue } from '../../parts/time.ts';
import { ChipsField } from './chips-field.tsx';
import { countries, devices, languages, systems } from './names.ts';
import { type ConditionName, type ConditionValue, conditionKinds, instantOf, isKnown, type Parameter } from './routing.ts';

export const conditionLabels: Readonly<Record<ConditionName, string>> = {
  country: 'Country is',
  device: 'Device is',
  os: 'Operating system is',
  language: 'Language is',
  after: 'From',
  before: 'Until',
  query: 'URL parameter is',
};

type ConditionProps = {
  readonly condition: ConditionValue;
  readonly label: string;
  readonly message: string | undefined;
  readonly onChange: (value: unknown) => void;
};

/** The values of a visit that make a condition true. */
export function ConditionField({ condition: { name, value }, label, message, onChange }: ConditionProps) {
  const shared = { label, message, onChange };
  if (!isKnown(name)) return <span className="small">Set through the API. You cannot edit it here.</span>;
  switch (conditionKinds[name]) {
    case 'countries':
      return (
        <ChipsField
          {...shared}
          values={value as readonly string[]}
          choices={countries()}
          written={(text) => text.toUpperCase()}
          placeholder="Germany, AT"
        />
      );
    case 'languages':
      return (
        <ChipsField
          {...shared}
          values={value as readonly string[]}
          choices={languages()}
          written={(text) => text.toLowerCase()}
          placeholder="German, de-at"
        />
      );
    case 'choices':
      return <Choices {...shared} chosen={value as readonly string[]} choices={name === 'device' ? devices : systems} />;
    case 'time':
      return (
        <span className="stack">
          <input
            type="datetime-local"
            aria-label={label}
            aria-invalid={message !== undefined || undefined}
            value={localValue((value as string) || null)}
            onChange={(event) => onChange(instantOf(event.target.value))}
          />
          <Wrong message={message} />
        </span>
      );
    default:
      return <Parameters {...shared} pairs={value as readonly Parameter[]} />;
  }
}

const Wrong = ({ message }: { readonly message: string | undefined }) =>
  message === undefined ? null : <p className="field-error">This {message}.</p>;

type Shared = Pick<ConditionProps, 'label' | 'message'>;

type ChoicesProps = Shared & {
  readonly chosen: readonly string[];
  readonly choices: readonly { readonly value: string; readonly name: string }[];
  readonly onChange: (values: readonly string[]) => void;
};

/** Values to tick. Unknown values stay chosen. */
const Choices = ({ label, message, chosen, choices, onChange }: ChoicesProps) => (
  <div role="group" aria-label={label} className="ticks">
    {choices.map(({ value, name }) => (
      <label key={value} className="check">
        <input
          type="checkbox"
          checked={chosen.includes(value)}
          aria-invalid={message !== undefined || undefined}
          onChange={(event) => onChange(event.target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))}
        />
        {name}
      </label>
    ))}
    <Wrong message={message} />
  </div>
);

type ParametersProps = Shared & {
  readonly pairs: readonly Parameter[];
  readonly onChange: (pairs: readonly Parameter[]) => void;
};

const Parameters = ({ label, message, pairs, onChange }: ParametersProps) => (
  <div role="group" aria-label={label} className="stack">
    {pairs.map(([name, value], index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: names change while somebody types
      <span key={index} className="pair">
        <input
          aria-label={`${label}, name ${index + 1}`}
          aria-invalid={message !== undefined || undefined}
          placeholder="ref"
          autoComplete="off"
          value={name}
          onChange={(event) => onChange(pairs.with(index, [event.target.value, value]))}
        />
        <span aria-hidden="true">=</span>
        <input
          aria-label={`${label}, value ${index + 1}`}
          placeholder="mail"
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(pairs.with(index, [name, event.target.value]))}
        />
        <IconButton
          icon="close"
          label={`${label}: remove parameter ${index + 1}`}
          disabled={pairs.length === 1}
          onClick={() => onChange(pairs.toSpliced(index, 1))}
        />
      </span>
    ))}
    {pairs.length < parametersPerRule && (
      <p>
        <Button kind="link" onClick={() => onChange([...pairs, ['', '']])}>
          Add a parameter
        </Button>
      </p>
    )}
    <Wrong message={message} />
  </div>
);
