import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Permission } from '../../../../lambdas/core/key/permissions.ts';
import { type Failure, failureOf } from '../../service/failures.ts';
import type { Say } from '../../service/patience.ts';
import { queries } from '../../service/queries.ts';
import type { Me } from '../../service/types.ts';
import { type Done, toastDone } from '../actions.ts';
import { Button } from '../button.tsx';
import { FailureNote, useOnline } from '../failure.tsx';

/** Something that a person changes, and how that goes. */
export type Change = {
  readonly isBusy: boolean;
  /** What it waits for; empty if nothing is to say. */
  readonly said: string;
  /** The error of the last run, if it failed, and what it says. */
  readonly error: unknown;
  readonly failure: Failure | undefined;
  /** What is wrong with fields, by their names. */
  readonly wrong: Failure['fields'];
  /** What it waits for or how far it is, with what stops it; or what went wrong that no field shows. */
  readonly note: ReactNode;
  /**
   * Changes something, keeps what went wrong, and shows what `work` returns when it is done.
   *
   * @param work is told how to say what it waits for. It is called at once. It returns undefined if somebody has to decide
   *   something first.
   * @returns whether it is done.
   */
  readonly run: (work: (say: Say) => Promise<Done | undefined>) => Promise<boolean>;
  /** Forgets what went wrong, or some of it. */
  readonly forget: (rest?: (failure: Failure) => Failure | undefined) => void;
};

type Failed = { readonly error: unknown; readonly lacked: Permission | undefined; readonly failure: Failure };

/**
 * What every form and button needs to change something, and to say how that goes: it says that it is busy and what for, gives
 * the focus back that a disabled button has lost, and shows what went wrong, or that it is done, with Undo.
 *
 * @param permission what the request needs, if anything.
 * @param fields the names of the fields that show their own errors.
 */
export function useChange(permission: Permission | undefined, fields: readonly string[] = []): Change {
  const [isBusy, setBusy] = useState(false);
  const [{ said, stop }, setSaid] = useState<{ readonly said: string; readonly stop?: (() => void) | undefined }>({ said: '' });
  const say: Say = (text, end) => setSaid({ said: text, stop: end });
  const [failed, setFailed] = useState<Failed>();
  const isOnline = useOnline();
  // A button that is disabled while it works loses the focus. If the page has not moved it meanwhile, it comes back.
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
        // Somebody who has the permission is refused for another reason, which the service names.
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
