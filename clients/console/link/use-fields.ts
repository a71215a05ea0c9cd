import { useState } from 'react';
import { useChange } from '../parts/kit/change.tsx';
import type { Value, Values } from './fields/fields.ts';
import { withoutChanged } from './form-failures.ts';

/** The values of a form, and the errors from the service. */
export function useFields(initial: () => Values) {
  const [values, setValues] = useState(initial);
  const change = useChange('links:write');
  return {
    values,
    setValues,
    change,
    onChange: (name: string, value: Value) => {
      change.forget((failure) => withoutChanged(failure, name, values[name] ?? null, value));
      setValues((now) => ({ ...now, [name]: value }));
    },
  };
}
