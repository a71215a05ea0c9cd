import type { ReactNode } from 'react';
import type { Permission } from '../../../../lambdas/core/key/permissions.ts';
import type { Say } from '../../service/patience.ts';
import { Dialog } from '../dialog.tsx';
import { Button } from '../kit/button.tsx';
import { useAction } from './action.tsx';

type ConfirmProps = {
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** What the button says, such as "Delete tag". */
  readonly action: string;
  /** What it needs, if anything. */
  readonly permission: Permission | undefined;
  /** What the button says that leaves everything as it is. */
  readonly keep?: string;
  readonly run: (say: Say) => Promise<unknown>;
  readonly onClose: () => void;
  /** What to say and do about an error that is not the usual one. */
  readonly onError?: (error: unknown) => ReactNode;
};

/** Asks before something ends, and says what that means. */
export function Confirm({ title, children, action, keep = 'Keep', permission, run, onClose, onError }: ConfirmProps) {
  const { isBusy, note, error, run: carryOut } = useAction(permission);
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {(error !== undefined && onError?.(error)) || note}
      <p className="actions end">
        <Button onClick={onClose}>{keep}</Button>
        <Button kind="bad" disabled={isBusy} onClick={() => carryOut(run).then((isDone) => isDone && onClose())}>
          {action}
        </Button>
      </p>
    </Dialog>
  );
}
