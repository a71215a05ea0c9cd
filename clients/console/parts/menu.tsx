import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';

const marginPx = 8;

/** Shows a button's popover below it, or above it if there is no room, within the window. */
export function showBeside(button: HTMLElement, opened: HTMLElement): void {
  opened.showPopover();
  const { width, height } = opened.getBoundingClientRect();
  const at = button.getBoundingClientRect();
  const hasRoom = at.bottom + height + marginPx <= window.innerHeight;
  const left = Math.max(marginPx, Math.min(at.left, window.innerWidth - width - marginPx));
  const top = hasRoom ? at.bottom + 4 : Math.max(marginPx, at.top - height - 4);
  Object.assign(opened.style, { left: `${left}px`, top: `${top}px` });
}

/**
 * Arrows, Home and End move the focus among these elements, and wrap around. @returns whether the key is one of them
 */
export function moveFocus(event: KeyboardEvent, all: readonly HTMLElement[]): boolean {
  const at = all.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: Math.max(at, 0) - 1, Home: 0, End: -1 }[event.key];
  if (next === undefined) return false;
  event.preventDefault();
  all.at(next % all.length)?.focus();
  return true;
}

export type MenuItem = {
  readonly label: string;
  readonly run?: () => void;
  readonly href?: string;
  /** The key that does the same on a focused row. */
  readonly hint?: string;
  readonly isBad?: boolean;
  /** Whether the item stands for what the page shows now. */
  readonly isCurrent?: boolean;
};

type MenuProps = {
  /** The name of the button. */
  readonly label: string;
  readonly button: ReactNode;
  readonly items: readonly MenuItem[];
  readonly className?: string;
  readonly tabIndex?: number;
};

/** A button that opens a menu, with the usual keys: arrows, Home, End and Esc. */
export function Menu({ label, button, items, className = 'icon-button', tabIndex }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  /** Whether the menu was shown when somebody pressed its button. */
  const wasPressed = useRef(false);
  const id = useId();
  const isShown = () => menu.current?.matches(':popover-open') ?? false;
  const close = (isFocused = true) => {
    setOpen(false);
    if (isFocused) opener.current?.focus();
  };
  const show = () => {
    if (!menu.current || !opener.current) return;
    showBeside(opener.current, menu.current);
    menu.current.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it opens, not when it is drawn again
  useEffect(() => {
    if (isOpen) show();
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const all = [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    if (!moveFocus(event, all) && (event.key === 'Escape' || event.key === 'Tab')) {
      event.preventDefault();
      close();
    }
  };
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        tabIndex={tabIndex}
        onPointerDown={() => {
          wasPressed.current = isShown();
        }}
        onClick={(event) => {
          event.stopPropagation();
          // The browser may already have hidden it at the same press.
          const wasShown = wasPressed.current || isShown();
          wasPressed.current = false;
          if (wasShown || !isOpen) setOpen(!wasShown);
          // Browsers hide a menu that moves in the document, without an event.
          else show();
        }}
      >
        {button}
      </button>
      {isOpen && (
        <div
          ref={menu}
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          className="menu"
          popover="auto"
          onKeyDown={onKeyDown}
          onToggle={(event) => event.newState === 'closed' && setOpen(false)}
          onClick={(event) => event.stopPropagation()}
        >
          {items.map((item) => (
            <MenuRow key={item.label} {...item} onDone={close} />
          ))}
        </div>
      )}
    </>
  );
}

function MenuRow({
  label,
  run,
  href,
  hint,
  isBad,
  isCurrent,
  onDone,
}: MenuItem & { readonly onDone: (isFocused?: boolean) => void }) {
  const content = (
    <>
      <span>{label}</span>
      {hint && <kbd>{hint}</kbd>}
    </>
  );
  if (href) {
    return (
      <a role="menuitem" tabIndex={-1} href={href} target="_blank" rel="noopener noreferrer" onClick={() => onDone()}>
        {content}
      </a>
    );
  }
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={isBad ? 'bad' : undefined}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => {
        onDone();
        run?.();
      }}
    >
      {content}
    </button>
  );
}
