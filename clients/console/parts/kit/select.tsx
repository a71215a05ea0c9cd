import type { ComponentProps } from 'react';

type SelectProps<Value> = Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
  readonly value: Value | undefined;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChoose: (value: Value) => void;
};

/** A choice of one value. Its name is an `aria-label`, or the label of a field around it. */
export const Select = <Value extends string | number>({ options, onChoose, ...props }: SelectProps<Value>) => (
  <select
    {...props}
    onChange={({ target }) => {
      const [chosen] = options[target.selectedIndex] ?? [];
      if (chosen !== undefined) onChoose(chosen);
    }}
  >
    {options.map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </select>
);
