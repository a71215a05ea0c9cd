import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import type { Described } from '../../parts/kit/field.tsx';
import type { Value } from './fields.ts';

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
        The password is removed when you save.{' '}
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
