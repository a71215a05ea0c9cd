import type { ReactNode } from 'react';
import type { Say } from '../../service/patience.ts';
import type { Done } from '../actions.ts';
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
  readonly change: Change;
  /** What `useEdited` knows, if the form changes something with an entity tag. */
  readonly edited?: { readonly hasConflict: boolean; readonly conflict: ReactNode };
  /** What the button says that sends the form, and what it says meanwhile. */
  readonly action: string;
  readonly busy?: string;
  /** Whether there is enough to send it. */
  readonly isReady?: boolean;
  /** What it does. If it returns something, the dialog closes. */
  readonly run: (say: Say) => Promise<Done | undefined>;
  readonly children: ReactNode;
};

/** A form in a dialog. Enter sends it. */
export const FormDialog = ({ change, edited, busy = 'Saving…', isReady = true, title, onClose, ...props }: FormDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <form
      className="stack wide-gap"
      noValidate
      onSubmit={async (event) => {
        event.preventDefault();
        if (!change.isBusy && (await change.run(props.run))) onClose();
      }}
    >
      {props.children}
      {edited?.conflict}
      {change.note}
      <Foot onClose={onClose}>
        <Button kind="primary" isSubmit disabled={change.isBusy || !isReady || edited?.hasConflict}>
          {change.isBusy ? busy : props.action}
        </Button>
      </Foot>
    </form>
  </Dialog>
);
