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

/** What had the focus last. A button that is disabled while it works loses the focus before its dialog opens. */
let lastFocused: EventTarget | null = null;
document.addEventListener('focusin', ({ target }) => {
  lastFocused = target;
});

/**
 * Whether an event is the dialog's own: React also passes on those of dialogs that were opened in it, as in a sheet.
 */
const isOwn = ({ target, currentTarget }: SyntheticEvent): boolean => target === currentTarget;

/** A dialog above the page. The browser keeps the focus in it, and it comes back afterwards. */
export function Dialog({ title, onClose, children, isClosable = true, className = 'dialog' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const before = document.activeElement === document.body ? lastFocused : document.activeElement;
    element.current?.showModal();
    // The browser would focus the button that closes it. A form gets the focus in its first field; not on phones, where
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
      // Browsers close it at the second Esc, even if the page prevented the first.
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
