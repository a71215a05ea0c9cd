import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Permission } from '../../../../lambdas/core/key/permissions.ts';
import { failureOf } from '../../service/failures.ts';
import type { Say } from '../../service/patience.ts';
import { useMe } from '../../service/queries.ts';
import { FailureNote, useOnline } from '../failure.tsx';

type Action = {
  readonly isBusy: boolean;
  /** What is wrong with fields, by their names. */
  readonly wrong: Readonly<Record<string, string>>;
  /** What else went wrong, or that it is being looked up; empty if nothing is to say. */
  readonly note: ReactNode;
  /** The error of the last run, if it failed. */
  readonly error: unknown;
  /**
   * Runs something that changes something, and keeps what went wrong.
   *
   * @param work is told how to say what it waits for.
   * @returns whether it worked.
   */
  readonly run: (work: (say: Say) => Promise<unknown>) => Promise<boolean>;
  readonly clear: () => void;
};

/**
 * What a form or a button needs to change something, and to say how that went.
 *
 * @param permission what the request needs, if anything.
 * @param fields the names of the fields that show their own errors.
 */
export function useAction(permission: Permission | undefined, fields: readonly string[] = []): Action {
  const [state, setState] = useState<{ isBusy: boolean; said: string; error?: unknown }>({ isBusy: false, said: '' });
  const isOnline = useOnline();
  const { isBusy, said, error } = state;
  // A button that is disabled while it works loses the focus. If the page has not moved it meanwhile, it comes back.
  const focused = useRef<Element>(null);
  useEffect(() => {
    const before = focused.current;
    if (isBusy || !before) return;
    focused.current = null;
    if (document.activeElement === document.body && before instanceof HTMLElement && before.isConnected) before.focus();
  }, [isBusy]);
  // Whoever has it is refused for another reason, which the service names.
  const own = useMe().data?.key.permissions;
  const lacked = permission !== undefined && own?.includes(permission) === false ? permission : undefined;
  const wrong = error === undefined ? {} : failureOf(error, isOnline, lacked).fields;
  const isAtField = Object.keys(wrong).some((name) => fields.includes(name));
  return {
    isBusy,
    wrong,
    error,
    note: said ? (
      <p role="status">{said}</p>
    ) : error !== undefined && !isAtField ? (
      <FailureNote error={error} permission={lacked} />
    ) : null,
    run: async (work) => {
      focused.current = document.activeElement;
      setState({ isBusy: true, said: '' });
      try {
        await work((text) => setState({ isBusy: true, said: text }));
        setState({ isBusy: false, said: '' });
        return true;
      } catch (failed) {
        setState({ isBusy: false, said: '', error: failed });
        return false;
      }
    },
    clear: () => setState({ isBusy: false, said: '' }),
  };
}
