import type { ReactNode } from 'react';
import type { Say } from '../../service/patience.ts';
import type { Done } from '../actions.ts';
import { Button } from '../button.tsx';
import type { Change } from './change.tsx';
import { Dialog } from './dialog.tsx';

type FootProps = { readonly onClose: () => void; readonly keep?: string; readonly children?: ReactNode };

/** The foot of a dialog: a button that changes nothing, and the actions in `children`. */
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
  /** From `useEdited`, if the form changes something with an entity tag. */
  readonly edited?: { readonly hasConflict: boolean; readonly conflict: ReactNode };
  /** The text of the button that sends the form; `busy` replaces it meanwhile. */
  readonly action: string;
  readonly busy?: string;
  /** Whether the form is complete enough to send. */
  readonly isReady?: boolean;
  /** Sends the form. If it returns something, the dialog closes. */
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
