import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Permission } from '../../../../lambdas/core/key/permissions.ts';
import { type Failure, failureOf } from '../../service/failures.ts';
import type { Say } from '../../service/patience.ts';
import { queries } from '../../service/queries.ts';
import type { Me } from '../../service/types.ts';
import { type Done, toastDone } from '../actions.ts';
import { Button } from '../button.tsx';
import { FailureNote, useOnline } from '../failure.tsx';

/** The state of a change that a person makes. */
export type Change = {
  readonly isBusy: boolean;
  /** What it waits for; empty if it does not wait. */
  readonly said: string;
  /** The error of the last run, if it failed, and its texts. */
  readonly error: unknown;
  readonly failure: Failure | undefined;
  /** The errors of fields, by name. */
  readonly wrong: Failure['fields'];
  /** What it waits for, or its progress, with a button to stop it; or an error that no field shows. */
  readonly note: ReactNode;
  /**
   * Makes the change, keeps an error, and shows what `work` returns when it is done.
   *
   * @param work called at once, with a function to say what it waits for. It returns undefined if somebody has to
   * decide something first.
   * @returns whether it is done.
   */
  readonly run: (work: (say: Say) => Promise<Done | undefined>) => Promise<boolean>;
  /** Forgets the error, or part of it. */
  readonly forget: (rest?: (failure: Failure) => Failure | undefined) => void;
};

type Failed = { readonly error: unknown; readonly lacked: Permission | undefined; readonly failure: Failure };

/**
 * Makes changes for forms and buttons: shows that it is busy and why, restores the focus that a disabled button has
 * lost, and shows the error, or that it is done, with Undo.
 *
 * @param permission the permission that the request needs, if any.
 * @param fields the names of the fields that show their own errors.
 */
export function useChange(permission: Permission | undefined, fields: readonly string[] = []): Change {
  const [isBusy, setBusy] = useState(false);
  const [{ said, stop }, setSaid] = useState<{ readonly said: string; readonly stop?: (() => void) | undefined }>({ said: '' });
  const say: Say = (text, end) => setSaid({ said: text, stop: end });
  const [failed, setFailed] = useState<Failed>();
  const isOnline = useOnline();
  // A button that is disabled while it works loses the focus. It gets it back unless the page has moved it meanwhile.
  const focused = useRef<Element>(null);
  useEffect(() => {
    const before = focused.current;
    if (isBusy || !before) return;
    focused.current = null;
    if (document.activeElement === document.body && before instanceof HTMLElement && before.isConnected) before.focus();
  }, [isBusy]);
  const wrong = failed?.failure.fields ?? {};
  const isAtField = Object.keys(wrong).some((name) => fields.includes(name));
  return {
    isBusy,
    said,
    error: failed?.error,
    failure: failed?.failure,
    wrong,
    note: said ? (
      <p role="status">
        {said} {stop && <Button onClick={stop}>Stop</Button>}
      </p>
    ) : failed && !isAtField ? (
      <FailureNote error={failed.error} permission={failed.lacked} />
    ) : null,
    run: async (work) => {
      focused.current = document.activeElement;
      setBusy(true);
      setFailed(undefined);
      try {
        const done = await work(say);
        if (done) toastDone(done);
        return done !== undefined;
      } catch (error) {
        // If they have the permission, the service had another reason, which it names.
        const own = queries.getQueryData<Me>(['me'])?.key.permissions;
        const lacked = permission !== undefined && own?.includes(permission) === false ? permission : undefined;
        setFailed({ error, lacked, failure: failureOf(error, navigator.onLine && isOnline, lacked) });
        return false;
      } finally {
        say('');
        setBusy(false);
      }
    },
    forget: (rest) =>
      setFailed((now) => {
        const failure = now && rest?.(now.failure);
        return failure && { ...now, failure };
      }),
  };
}
