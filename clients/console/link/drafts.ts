import type { Values } from './fields/fields.ts';

// Unsaved changes. They survive closing the form or the tab for 7 days, in this browser only.

const keptMs = 7 * 24 * 60 * 60_000;

export type Draft = {
  readonly at: number;
  readonly changed: Values;
  /** The former values of the changed fields, so that others' later changes are not overwritten. */
  readonly before: Values;
};

/** Where drafts are kept: the browser's `localStorage`. */
type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const nameOf = (id: string): string => `links-draft:${id}`;

/** @param id the id of the link, or of the workspace for a new link. */
export function readDraft(place: Place, id: string, now = Date.now()): Draft | undefined {
  try {
    const draft = JSON.parse(place.getItem(nameOf(id)) ?? 'null') as Draft | null;
    if (draft === null || typeof draft.at !== 'number' || !draft.changed || !draft.before) return undefined;
    if (now - draft.at < keptMs) return draft;
  } catch {
    // An unreadable draft is useless, and is deleted.
  }
  dropDraft(place, id);
  return undefined;
}

/**
 * Stores changes, except for a password: no secret is left behind. Without changes, it deletes the draft.
 *
 * @param names the names of the changed fields
 * @param before the values before the changes
 */
export function writeDraft(
  place: Place,
  id: string,
  values: Values,
  names: readonly string[],
  before: Values,
  now = Date.now(),
): void {
  const kept = names.filter((name) => name !== 'password');
  const of = (from: Values): Values => Object.fromEntries(kept.map((name) => [name, from[name] ?? null]));
  try {
    if (kept.length === 0) dropDraft(place, id);
    else place.setItem(nameOf(id), JSON.stringify({ at: now, changed: of(values), before: of(before) } satisfies Draft));
  } catch {
    // The browser's storage is full. The changes are still in the form.
  }
}

export const dropDraft = (place: Place, id: string): void => place.removeItem(nameOf(id));
