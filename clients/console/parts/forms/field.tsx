import { type ReactNode, useId } from 'react';
import { Icon } from '../icons.tsx';

type Described = { readonly id: string; readonly 'aria-invalid': true | undefined; readonly 'aria-describedby': string };

type FieldProps = {
  readonly label: string;
  /** What is wrong with it, such as "must start with https://". */
  readonly message?: string | undefined;
  readonly hint?: ReactNode;
  readonly children: (described: Described) => ReactNode;
};

/** A field with its label, and below it what is wrong with it, or else a hint. */
export function Field({ label, message, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': message === undefined ? undefined : true, 'aria-describedby': `${id}-below` })}
      <p id={`${id}-below`} className={message === undefined ? 'small' : 'field-error'}>
        {message === undefined ? (
          hint
        ) : (
          <>
            <Icon name="alert" /> This {message}.
          </>
        )}
      </p>
    </div>
  );
}
