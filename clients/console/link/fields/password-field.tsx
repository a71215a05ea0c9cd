import { useState } from 'react';
import { Button } from '../../parts/kit/button.tsx';
import type { Value } from './fields.ts';

type Described = { readonly id: string; readonly 'aria-invalid': boolean | undefined; readonly 'aria-describedby': string };

type PasswordProps = {
  readonly hasPassword: boolean;
  readonly value: Value;
  readonly onChange: (value: string | null) => void;
  readonly described: Described;
};

/** A password is never shown. It can be set, changed and removed. */
export function PasswordField({ hasPassword, value, onChange, described }: PasswordProps) {
  const [isChanging, change] = useState(false);
  if (value === null) {
    return (
      <p>
        It is removed when you save.{' '}
        <Button kind="link" onClick={() => onChange('')}>
          Keep it
        </Button>
      </p>
    );
  }
  if (hasPassword && !isChanging) {
    return (
      <p>
        Set.{' '}
        <Button kind="link" id={described.id} onClick={() => change(true)}>
          Change
        </Button>{' '}
        <Button kind="link" onClick={() => onChange(null)}>
          Remove
        </Button>
      </p>
    );
  }
  return (
    <input
      {...described}
      type="password"
      autoComplete="new-password"
      value={String(value)}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
