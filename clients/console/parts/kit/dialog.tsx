import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import { IconButton } from '../button.tsx';

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Whether Esc and a button close it. Otherwise it stays until the page removes it. */
  readonly isClosable?: boolean;
  readonly className?: string;
};

/** What had the focus last. A button that is disabled while it works loses it before its dialog opens. */
let lastFocused: EventTarget | null = null;
document.addEventListener('focusin', ({ target }) => {
  lastFocused = target;
});

/** Whether an event is the dialog's own: React hands on those of a dialog that was opened in it, as a sheet has them. */
const isOwn = ({ target, currentTarget }: SyntheticEvent): boolean => target === currentTarget;

/** A dialog above the page. The browser keeps the focus in it, and it comes back afterwards. */
export function Dialog({ title, onClose, children, isClosable = true, className = 'dialog' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const before = document.activeElement === document.body ? lastFocused : document.activeElement;
    element.current?.showModal();
    // The browser gives the focus to the button that closes it. People open a form to fill it in; not on phones, where
    // a keyboard would cover it.
    const field = element.current?.querySelector<HTMLElement>('form :is(input, select, textarea):enabled');
    if (field && !window.matchMedia('(pointer: coarse)').matches) field.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      // What opened it may be gone, such as a key that was replaced.
      else document.getElementById('content')?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={element}
      className={className}
      aria-labelledby={titleId}
      closedby={isClosable ? 'closerequest' : 'none'}
      onCancel={(event) => {
        if (!isOwn(event)) return;
        event.preventDefault();
        if (isClosable) onClose();
      }}
      // Browsers close it at the second Esc, whatever the page says about the first.
      onClose={(event) => {
        if (!isOwn(event)) return;
        if (isClosable) onClose();
        else event.currentTarget.showModal();
      }}
    >
      <header className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        {isClosable && <IconButton icon="close" label="Close" onClick={onClose} />}
      </header>
      {children}
    </dialog>
  );
}
