import { useEffect, useRef, useState } from 'react';
import { announce } from './announce.ts';
import { Icon } from './icons.tsx';

/**
 * Writes a text to the clipboard. It must be called while a key press or a click is handled. It starts the write at
 * once, even if the text arrives later: Safari refuses a write that starts later.
 *
 * @returns whether the browser has confirmed it; false, too, if the text fails.
 */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  try {
    if (typeof text === 'string') {
      await navigator.clipboard.writeText(text);
    } else {
      const blob = text.then((it) => new Blob([it], { type: 'text/plain' }));
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    }
    return true;
  } catch {
    return false;
  }
}

type CopyProps = {
  readonly text: string;
  /** What is copied, such as "short link", for the button's name. */
  readonly what: string;
  readonly label?: string;
  /** Whether it is the main action of its place. */
  readonly isPrimary?: boolean;
  readonly tabIndex?: number;
};

/**
 * Copies a text, and shows a tick for 2 seconds once the browser has confirmed it; otherwise it says which keys to
 * press.
 */
export function CopyButton({ text, what, label, isPrimary = false, tabIndex }: CopyProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    const isCopied = await copyText(text);
    setState(isCopied ? 'copied' : 'refused');
    announce(isCopied ? 'Copied' : 'The browser does not allow copying. Press Ctrl+C to copy.');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState('idle'), isCopied ? 2_000 : 15_000);
  };
  return (
    <span className="copy">
      <button
        type="button"
        className={isPrimary ? 'button primary' : label ? 'button' : 'icon-button'}
        aria-label={label ? undefined : `Copy ${what}`}
        title={label ? undefined : `Copy ${what}`}
        tabIndex={tabIndex}
        onClick={(event) => {
          event.stopPropagation();
          void copy();
        }}
      >
        <Icon name={state === 'copied' ? 'check' : 'copy'} />
        {label && (state === 'copied' ? 'Copied' : label)}
      </button>
      {state === 'refused' && <SelectedText text={text} onDone={() => setState('idle')} />}
    </span>
  );
}

/** A text that is selected, for browsers that do not let the page copy. */
export function SelectedText({ text, onDone }: { readonly text: string; readonly onDone?: () => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <span className="selected-text">
      <textarea
        ref={field}
        readOnly
        rows={Math.min(3, text.split('\n').length)}
        value={text}
        aria-label="Address to copy"
        onBlur={onDone}
        onClick={(event) => event.stopPropagation()}
      />
      <span>Press Ctrl+C to copy.</span>
    </span>
  );
}
