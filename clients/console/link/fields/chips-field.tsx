import { type KeyboardEvent, useId, useState } from 'react';
import { Chip } from '../../parts/kit/chip.tsx';
import { Suggested } from '../../parts/kit/field.tsx';

type ChipsFieldProps = {
  readonly label: string;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  /** The offered values. Others can be typed: the service decides. */
  readonly choices: readonly { readonly value: string; readonly name: string }[];
  /** Normalises a typed value, for example to capitals. */
  readonly written: (text: string) => string;
  readonly placeholder: string;
  readonly message: string | undefined;
};

/** Whether an input came from a key, and not from a choice of the list. */
const isKeyInput = (event: Event): boolean =>
  /^(insertText|insertComposition|delete)/.test((event as InputEvent).inputType ?? '');

/**
 * A list of values. Enter, a comma or leaving the field ends the typed value; Backspace in an empty field removes the
 * last one. A typed value belongs to the list at once, so that saving from within the field does not lose it.
 */
export function ChipsField({ label, values, onChange, choices, written, placeholder, message }: ChipsFieldProps) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly chips: readonly string[] }>({ text: '', chips: [] });
  const { text } = typed;
  const id = useId();
  const codeOf = (typed: string): string =>
    choices.find(({ name }) => name.toLowerCase() === typed.trim().toLowerCase())?.value ?? written(typed.trim());
  const nameOf = (value: string): string => choices.find((choice) => choice.value === value)?.name ?? value;
  const withText = (chips: readonly string[], last: string) => [
    ...new Set([...chips, ...(last.trim() === '' ? [] : [codeOf(last)])]),
  ];
  // Other values may have replaced the typed one.
  const isTyped = text.trim() !== '' && JSON.stringify(values) === JSON.stringify(withText(typed.chips, text));
  const chips = isTyped ? typed.chips : values;
  const type = (entered: string, isByKey: boolean) => {
    const parts = entered.split(',');
    const last = parts.pop() ?? '';
    const ended = [...new Set([...chips, ...parts.map(codeOf).filter((value) => value !== '')])];
    // Typing Niger must not end the value: it may become Nigeria.
    const isChosen = !isByKey && choices.some(({ name }) => name === last);
    setTyped({ text: isChosen ? '' : last.trimStart(), chips: ended });
    onChange(withText(ended, last));
  };
  const end = () => setTyped({ text: '', chips: [] });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && text.trim() !== '') {
      event.preventDefault();
      end();
    } else if (event.key === 'Backspace' && text === '' && chips.length > 0) {
      event.preventDefault();
      onChange(chips.slice(0, -1));
    }
  };
  return (
    <div className="chips-field">
      {chips.map((value) => (
        <Chip key={value} remove={`Remove ${nameOf(value)}`} onRemove={() => onChange(values.filter((one) => one !== value))}>
          {nameOf(value)}
        </Chip>
      ))}
      <input
        aria-label={label}
        aria-invalid={message !== undefined || undefined}
        aria-describedby={message === undefined ? undefined : `${id}-wrong`}
        list={`${id}-choices`}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={isTyped ? text : ''}
        onChange={(event) => type(event.target.value, isKeyInput(event.nativeEvent))}
        onKeyDown={onKeyDown}
        onBlur={end}
      />
      <Suggested id={`${id}-choices`} values={choices.filter(({ value }) => !values.includes(value)).map(({ name }) => name)} />
      {message !== undefined && (
        <p id={`${id}-wrong`} className="field-error">
          This {message}.
        </p>
      )}
    </div>
  );
}
