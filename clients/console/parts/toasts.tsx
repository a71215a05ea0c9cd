import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Icon } from './icons.tsx';

// Short messages at the bottom, each with at most one thing to do. They wait while they are hovered or focused.

type Toast = {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'plain';
  readonly action?: { readonly label: string; readonly run: () => void };
};

const shownFor = 10_000;
/** How much longer a message stays at least after somebody has looked at it. */
const leastMs = 1_000;
/** So that they never cover the page. */
const mostToasts = 3;

let toasts: readonly Toast[] = [];
let made = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a message. @returns a function that removes it. */
export function toast(text: string, more: Partial<Pick<Toast, 'tone' | 'action'>> = {}): () => void {
  const id = ++made;
  const added: Toast = { id, text, tone: 'plain', ...more };
  set([...toasts, added].slice(-mostToasts));
  return () => dismiss(id);
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
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <section className="toasts" aria-label="Messages" aria-live="polite">
      {shown.map((one) => (
        <ToastView key={one.id} {...one} />
      ))}
    </section>
  );
}

function ToastView({ id, text, tone, action }: Toast) {
  const [isHeld, hold] = useState(false);
  const left = useRef(shownFor);
  useEffect(() => {
    if (isHeld) return;
    const since = Date.now();
    const timer = setTimeout(() => dismiss(id), left.current);
    return () => {
      clearTimeout(timer);
      left.current = Math.max(leastMs, left.current - (Date.now() - since));
    };
  }, [id, isHeld]);
  const holding = {
    onMouseEnter: () => hold(true),
    onMouseLeave: () => hold(false),
    onFocus: () => hold(true),
    onBlur: () => hold(false),
  };
  return (
    <div className={`toast ${tone}`} {...holding}>
      {tone !== 'plain' && <Icon name={tone === 'good' ? 'check' : 'alert'} />}
      <span className="toast-text">{text}</span>
      {action && (
        <button
          type="button"
          className="link-button"
          onClick={() => {
            dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => dismiss(id)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
