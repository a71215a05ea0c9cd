import { useEffect, useRef } from 'react';
import { watched } from '../service/watched.ts';

// Keys that work on the whole page. None has Ctrl, Alt or Meta, none works in fields or while a text is composed, and
// all of them can be switched off (WCAG 2.1.4).

const place = 'links-keys';
let areOn = localStorage.getItem(place) !== 'off';
const areOnWatch = watched(() => areOn);

export function switchKeys(on: boolean): void {
  areOn = on;
  localStorage.setItem(place, on ? 'on' : 'off');
  areOnWatch.emit();
}

export const useKeysAreOn = areOnWatch.useValue;

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && (target as HTMLInputElement).type !== 'checkbox'));

/** Whether a key press is for the page: a single key outside of fields. */
export const isPageKey = (event: Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'isComposing' | 'target'>): boolean =>
  areOn && !event.altKey && !event.ctrlKey && !event.metaKey && !event.isComposing && !isField(event.target);

/** The key of an event, such as `n` or `?`. On keyboards without Latin letters, the Latin letter of that key. */
export const pressed = ({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string => {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  const isOtherScript = letter !== undefined && /^(?!\p{Script=Latin})\p{L}$/u.test(key);
  return isOtherScript ? letter.toLowerCase() : key.length === 1 ? key.toLowerCase() : key;
};

const isUnderDialog = (): boolean => document.querySelector('dialog[open]') !== null;

/** How long the second key of `G L` may take. */
const sequenceMs = 1_500;

/** The last two pressed keys, set before anything handles the last one. */
let before = { key: '', at: 0 };
let last = before;
window.addEventListener(
  'keydown',
  (event) => {
    // Modifiers such as Shift do not interrupt a sequence.
    if (/^(Shift|Control|Alt|Meta|AltGraph)$/.test(event.key)) return;
    [before, last] = [last, { key: isPageKey(event) ? pressed(event) : '', at: Date.now() }];
  },
  { capture: true },
);

/** The sequence that the last key ends, such as `g l`; undefined if it ends none. */
const sequence = (): string | undefined =>
  before.key !== '' && last.at - before.at < sequenceMs ? `${before.key} ${last.key}` : undefined;

/**
 * Whether the last key is the second one of a sequence such as `G L`, which belongs to the page, whatever has the
 * focus.
 */
export const isInSequence = (): boolean => sequence()?.startsWith('g ') ?? false;

/** Runs the function of a key, or of a sequence such as `g l`, unless a dialog is open. */
export function usePageKeys(keys: Readonly<Record<string, () => void>>): void {
  const kept = useRef(keys);
  kept.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isPageKey(event) || isUnderDialog()) return;
      const run = kept.current[sequence() ?? ''] ?? kept.current[pressed(event)];
      if (!run) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** What Esc ends: first layers beside the page, and the newest of a kind first. */
type Layer = { readonly isBeside: boolean; readonly end: () => void };
let layers: readonly Layer[] = [];
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || isUnderDialog()) return;
  const layer = layers.findLast(({ isBeside }) => isBeside) ?? layers.at(-1);
  if (!layer) return;
  event.preventDefault();
  layer.end();
});

/**
 * Ends something at Esc, unless a newer layer inside it ends first.
 *
 * @param of the `page`, such as its filters, or what is `beside` it, such as the panel of a link
 */
export function useEscape(run: () => void, isOn = true, of: 'page' | 'beside' = 'page'): void {
  const kept = useRef(run);
  kept.current = run;
  useEffect(() => {
    if (!isOn) return;
    const layer: Layer = { isBeside: of === 'beside', end: () => kept.current() };
    layers = [...layers, layer];
    return () => {
      layers = layers.filter((one) => one !== layer);
    };
  }, [isOn, of]);
}
