import { type ReactNode, useState } from 'react';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';

type SheetProps = {
  readonly title: string;
  /** The name of the button. */
  readonly label: string;
  readonly children: ReactNode;
};

/** A button that only phones have. It opens what does not fit into the page, as a sheet at the bottom. */
export function Sheet({ title, label, children }: SheetProps) {
  const [isOpen, open] = useState(false);
  const close = () => open(false);
  return (
    <>
      <Button className="phone-only" aria-haspopup="dialog" onClick={() => open(true)}>
        {label}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={close} className="dialog sheet">
          {children}
          <Button kind="primary" onClick={close}>
            Done
          </Button>
        </Dialog>
      )}
    </>
  );
}
