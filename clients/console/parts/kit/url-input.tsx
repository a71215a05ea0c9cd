import type { ComponentProps } from 'react';
import { completed } from '../../service/destination.ts';

type UrlInputProps = Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'onBlur' | 'onKeyDown'> & {
  readonly value: string;
  readonly onText: (text: string) => void;
};

/**
 * A field for an address. An address without a scheme gets `https://` when somebody leaves the field, or presses Enter.
 */
export function UrlInput({ value, onText, ...props }: UrlInputProps) {
  const complete = () => {
    if (completed(value) !== value.trim()) onText(completed(value));
  };
  return (
    <input
      {...props}
      type="url"
      inputMode="url"
      autoComplete="off"
      value={value}
      onChange={(event) => onText(event.target.value)}
      onBlur={complete}
      onKeyDown={(event) => event.key === 'Enter' && complete()}
    />
  );
}
