import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import type { Change } from './change.tsx';
import { Dialog } from './dialog.tsx';

type FootProps = { readonly onClose: () => void; readonly keep?: string; readonly children?: ReactNode };

/** The end of a dialog: leave everything as it is, or what `children` do. */
export const Foot = ({ onClose, keep = 'Cancel', children }: FootProps) => (
  <p className="actions end">
    <Button onClick={onClose}>{keep}</Button>
    {children}
  </p>
);

type FormDialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly change: Pick<Change, 'isBusy' | 'note'>;
  /** What the button says that sends the form, and what it says meanwhile. */
  readonly action: string;
  readonly busy?: string;
  /** Whether there is enough to send it. */
  readonly isReady?: boolean;
  readonly onSubmit: () => unknown;
  readonly children: ReactNode;
};

/** A form in a dialog. Enter sends it. */
export const FormDialog = ({ title, onClose, change, action, busy = 'Saving…', isReady = true, ...props }: FormDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <form
      className="stack wide-gap"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isBusy) void props.onSubmit();
      }}
    >
      {props.children}
      {change.note}
      <Foot onClose={onClose}>
        <Button kind="primary" isSubmit disabled={change.isBusy || !isReady}>
          {change.isBusy ? busy : action}
        </Button>
      </Foot>
    </form>
  </Dialog>
);
