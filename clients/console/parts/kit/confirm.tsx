import type { ReactNode } from 'react';
import type { Permission } from '../../../../lambdas/core/key/permissions.ts';
import type { Say } from '../../service/patience.ts';
import type { Done } from '../actions.ts';
import { Button } from '../button.tsx';
import { useChange } from './change.tsx';
import { Dialog } from './dialog.tsx';
import { Foot } from './form-dialog.tsx';

type ConfirmProps = {
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** What the button says, such as "Delete tag". */
  readonly action: string;
  /** The permission that it needs, if any. */
  readonly permission: Permission | undefined;
  /** What the other button says, which changes nothing. */
  readonly keep?: string;
  readonly run: (say: Say) => Promise<Done | undefined>;
  readonly onClose: () => void;
  /** Replaces the usual note for some errors. */
  readonly onError?: (error: unknown) => ReactNode;
};

/** Asks before something is deleted or ended, and says what that means. */
export function Confirm({ title, children, action, keep = 'Keep', permission, run, onClose, onError }: ConfirmProps) {
  const change = useChange(permission);
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {(change.error !== undefined && onError?.(change.error)) || change.note}
      <Foot onClose={onClose} keep={keep}>
        <Button kind="bad" disabled={change.isBusy} onClick={async () => (await change.run(run)) && onClose()}>
          {action}
        </Button>
      </Foot>
    </Dialog>
  );
}
