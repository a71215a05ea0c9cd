import { useState } from 'react';
import { useOnline } from '../parts/failure.tsx';
import { type Failure, failureOf } from '../service/failures.ts';
import type { Value, Values } from './fields/fields.ts';
import { withoutChanged } from './form-failures.ts';

/** What is in a form, and what the service says about it. */
export function useFields(initial: () => Values) {
  const [values, setValues] = useState(initial);
  const [failure, setFailure] = useState<Failure>();
  // Counts the failures: each moves the focus to what is wrong, and nothing else does.
  const [failures, setFailures] = useState(0);
  const isOnline = useOnline();
  return {
    values,
    setValues,
    failure,
    failures,
    onChange: (name: string, value: Value) => {
      setFailure((now) => now && withoutChanged(now, name, values[name] ?? null, value));
      setValues((now) => ({ ...now, [name]: value }));
    },
    fail: (error: unknown) => {
      setFailure(failureOf(error, isOnline, 'links:write'));
      setFailures((before) => before + 1);
    },
    clear: () => setFailure(undefined),
  };
}
