import { type FocusEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { watched } from '../service/watched.ts';
import { Icon } from './icons.tsx';

// Short messages at the bottom, with actions. They stay while they are hovered or focused; a progress message stays
// until the work ends.

type Action = { readonly label: string; readonly run: () => void };

type Toast = {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'plain';
  readonly action?: Action;
  /** A second action. */
  readonly other?: Action;
  /** Whether it stays until the page removes it. */
  readonly isKept?: boolean;
};

type More = Partial<Pick<Toast, 'tone' | 'action' | 'other' | 'isKept'>>;

const shownFor = 10_000;
/** How long a message stays at least after the pointer or the focus has left it. */
const leastMs = 1_000;
/** More would cover the page. */
const mostToasts = 3;

let toasts: readonly Toast[] = [];
let made = 0;
const toastsWatch = watched(() => toasts);

function set(next: readonly Toast[]): void {
  toasts = next;
  toastsWatch.emit();
}

/** The newest messages, and all that must stay. */
function withNew(added: Toast): readonly Toast[] {
  const room = Math.max(1, mostToasts - toasts.filter(({ isKept }) => isKept).length);
  const passing = [...toasts, added].filter(({ isKept }) => !isKept).slice(-room);
  return [...toasts, added].filter((one) => one.isKept || passing.includes(one));
}

/** Shows a message. @returns a function that removes it. */
export function toast(text: string, more: More = {}): () => void {
  const id = ++made;
  set(withNew({ id, text, tone: 'plain', ...more }));
  return () => dismiss(id);
}

/** Shows a progress message until the work is done. */
export function progressToast(first: string, action?: Action) {
  const id = ++made;
  const shown = (text: string, more?: Action): Toast => ({
    id,
    text,
    tone: 'plain',
    isKept: true,
    ...(more && { action: more }),
  });
  set(withNew(shown(first, action)));
  return {
    say: (text: string, more?: Action): void => set(toasts.map((one) => (one.id === id ? shown(text, more) : one))),
    end: (): void => dismiss(id),
  };
}

const dismiss = (id: number): void => set(toasts.filter((one) => one.id !== id));

/** Runs the newest "Undo" that is shown. @returns whether there was one. */
export function undoNewest(): boolean {
  const newest = toasts.findLast(({ action }) => action?.label === 'Undo');
  if (!newest) return false;
  dismiss(newest.id);
  newest.action?.run();
  return true;
}

export function Toasts() {
  const shown = toastsWatch.useValue();
  return (
    <section className="toasts" aria-label="Messages" aria-live="polite">
      {shown.map((one) => (
        <ToastView key={one.id} {...one} />
      ))}
    </section>
  );
}

function ToastView({ id, text, tone, action, other, isKept }: Toast) {
  const [isHeld, hold] = useState(false);
  /** Somebody who reads the result may still want to undo it. */
  const [isRead, setRead] = useState(false);
  const left = useRef(shownFor);
  const before = useRef<EventTarget>(null);
  useEffect(() => {
    if (isHeld || isKept || isRead) return;
    const since = Date.now();
    const timer = setTimeout(() => dismiss(id), left.current);
    return () => {
      clearTimeout(timer);
      left.current = Math.max(leastMs, left.current - (Date.now() - since));
    };
  }, [id, isHeld, isKept, isRead]);
  const holding = {
    onMouseEnter: () => hold(true),
    onMouseLeave: () => hold(false),
    onFocus: ({ currentTarget, relatedTarget }: FocusEvent) => {
      hold(true);
      if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget;
    },
    onBlur: () => hold(false),
  };
  /** Removes the message. After a key press, the focus returns to where it was, or to the page's content. */
  const leave = ({ detail: clicks }: MouseEvent) => {
    dismiss(id);
    if (clicks > 0) return;
    const there = before.current instanceof HTMLElement && before.current.isConnected ? before.current : undefined;
    (there ?? document.getElementById('content'))?.focus({ preventScroll: true });
  };
  return (
    <div className={`toast ${tone}`} {...holding}>
      {tone !== 'plain' && <Icon name={tone === 'good' ? 'check' : 'alert'} />}
      <span className="toast-text">{text}</span>
      {[action, other].map(
        (one) =>
          one && (
            <button
              key={one.label}
              type="button"
              className="link-button"
              onClick={(event) => {
                if (action && one === other) setRead(true);
                else leave(event);
                one.run();
              }}
            >
              {one.label}
            </button>
          ),
      )}
      {!isKept && (
        <button type="button" className="icon-button" aria-label="Dismiss" onClick={leave}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}
