import { type ComponentProps, type ReactNode, useId } from 'react';
import { Icon } from '../icons.tsx';
import { Select } from './select.tsx';

type Below = { readonly id: string; readonly message: string | undefined; readonly hint?: ReactNode };

/** The error of the field with that id, or else a hint. */
export const Below = ({ id, message, hint }: Below) => (
  <p id={`${id}-below`} className={message === undefined ? 'small' : 'field-error'}>
    {message === undefined ? (
      hint
    ) : (
      <>
        <Icon name="alert" /> This {message}.
      </>
    )}
  </p>
);

/** What a control needs so that its label and `Below` belong to it. */
export const describedBy = (id: string, message: string | undefined) =>
  ({ id, 'aria-invalid': message !== undefined || undefined, 'aria-describedby': `${id}-below` }) as const;

export type Described = ReturnType<typeof describedBy>;

type About = {
  readonly label: string;
  /** Its error, such as "must start with https://". */
  readonly message?: string | undefined;
  readonly hint?: ReactNode;
};

type FieldProps = About & { readonly className?: string; readonly children: (described: Described) => ReactNode };

/** A field with its label, and below it its error, or else a hint. */
export function Field({ label, message, hint, className, children }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id} className={className}>
        {label}
      </label>
      {children(describedBy(id, message))}
      <Below id={id} message={message} hint={hint} />
    </div>
  );
}

type TextFieldProps = About &
  Omit<ComponentProps<'input'>, 'value' | 'onChange'> & {
    readonly value: string;
    readonly onText: (text: string) => void;
    /** Values that the browser suggests. */
    readonly suggested?: readonly string[] | undefined;
  };

export function TextField({ label, message, hint, onText, suggested, ...props }: TextFieldProps) {
  const list = useId();
  return (
    <Field label={label} message={message} hint={hint}>
      {(described) => (
        <>
          <input
            autoComplete="off"
            list={suggested && list}
            {...props}
            {...described}
            onChange={(event) => onText(event.target.value)}
          />
          {suggested && <Suggested id={list} values={suggested} />}
        </>
      )}
    </Field>
  );
}

/** The browser's suggestions for a field whose `list` is this id. */
export const Suggested = ({ id, values }: { readonly id: string; readonly values: readonly string[] }) => (
  <datalist id={id}>
    {values.map((value) => (
      <option key={value} value={value} />
    ))}
  </datalist>
);

type SelectFieldProps<Value extends string | number> = About &
  Pick<ComponentProps<typeof Select<Value>>, 'value' | 'options' | 'onChoose'>;

export const SelectField = <Value extends string | number>({ value, options, onChoose, ...about }: SelectFieldProps<Value>) => (
  <Field {...about}>{(described) => <Select {...described} value={value} options={options} onChoose={onChoose} />}</Field>
);

type SwitchProps = { readonly label: string; readonly isOn: boolean; readonly onSwitch: (isOn: boolean) => void };

export const Check = ({
  label,
  isOn,
  onSwitch,
  ...props
}: SwitchProps & Omit<ComponentProps<'input'>, 'checked' | 'onChange'>) => (
  <label className="check">
    <input type="checkbox" {...props} checked={isOn} onChange={(event) => onSwitch(event.target.checked)} />
    {label}
  </label>
);

type ChecksProps = About & {
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly chosen: readonly string[];
  readonly onChoose: (values: readonly string[]) => void;
  readonly className?: string;
};

/** Values to tick, at least one. */
export const Checks = ({ label, message, hint, choices, chosen, onChoose, className }: ChecksProps) => (
  <fieldset className="plain stack">
    <legend className="label">{label}</legend>
    <div className={className}>
      {choices.map(([value, text]) => (
        <Check
          key={value}
          label={text}
          isOn={chosen.includes(value)}
          onSwitch={(isOn) => onChoose(isOn ? [...chosen, value] : chosen.filter((one) => one !== value))}
        />
      ))}
    </div>
    {chosen.length === 0 && <p className="field-error">Choose at least one.</p>}
    {message && <p className="field-error">These {message}.</p>}
    {hint && <p className="small">{hint}</p>}
  </fieldset>
);
