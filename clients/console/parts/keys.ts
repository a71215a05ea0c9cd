import { useEffect, useRef, useSyncExternalStore } from 'react';

// Keys that work on the whole page. None has Ctrl, Alt or Meta, none works in fields or while a text is composed, and all
// of them can be switched off (WCAG 2.1.4).

const place = 'links-keys';
let areOn = localStorage.getItem(place) !== 'off';
const listeners = new Set<() => void>();

export function switchKeys(on: boolean): void {
  areOn = on;
  localStorage.setItem(place, on ? 'on' : 'off');
  for (const listener of listeners) listener();
}

export const useKeysAreOn = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => areOn,
  );

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && (target as HTMLInputElement).type !== 'checkbox'));

/** Whether a key press is one of the page's: a single key outside of fields. */
export const isPageKey = (event: Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'isComposing' | 'target'>): boolean =>
  areOn && !event.altKey && !event.ctrlKey && !event.metaKey && !event.isComposing && !isField(event.target);

const isUnderDialog = (): boolean => document.querySelector('dialog[open]') !== null;

/** How long the second key of `G L` may take. */
const sequenceMs = 1_500;

/** Runs what belongs to a key, or to a sequence such as `g l`, while no dialog is open. */
export function usePageKeys(keys: Readonly<Record<string, () => void>>): void {
  const kept = useRef(keys);
  kept.current = keys;
  useEffect(() => {
    let before = { key: '', at: 0 };
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isPageKey(event) || isUnderDialog()) return;
      const key = event.key.toLowerCase();
      const sequence = Date.now() - before.at < sequenceMs ? `${before.key} ${key}` : key;
      before = { key, at: Date.now() };
      const run = kept.current[sequence] ?? kept.current[key];
      if (!run) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Runs something at Esc, unless something inside has handled it. */
export function useEscape(run: () => void, isOn = true): void {
  const kept = useRef(run);
  kept.current = run;
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || isUnderDialog()) return;
      event.preventDefault();
      kept.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOn]);
}
