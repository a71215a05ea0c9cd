import { ProblemError } from '../../typescript/problem.ts';
import { type Made, type RequestId, recording } from './changes.ts';
import { isUnsure, SaidError, UnsureError } from './failures.ts';
import { checking, patiently, type Say, untilAnswered, type Wait, waitFor } from './patience.ts';
import type { Link } from './types.ts';

/** Something with an entity tag, such as a link, a domain or a webhook; the tag is '' for an entry of a list. */
export type Tagged<T> = { readonly value: T; readonly etag: string };

export type Saved<T> =
  /** `former`: the former values of the changed fields; somebody else may have set some of the new ones already. */
  | { readonly kind: 'saved'; readonly version: Tagged<T>; readonly former: object; readonly made: Made }
  /** Somebody else has changed the same fields meanwhile, which are named. */
  | { readonly kind: 'clash'; readonly version: Tagged<T>; readonly names: readonly string[] };

/** The answer to a change. */
export type Patched<T> = Tagged<T> & { readonly response?: Response };

/** The calls that saving needs, as `service/resources.ts` makes them. */
export type Calls<T> = {
  readonly get: () => Promise<Tagged<T>>;
  readonly patch: (body: object, etag: string, headers?: RequestId) => Promise<Patched<T>>;
};

/** A link with its settings under the names that requests use. */
export const withSettings = (link: Link): Link => ({
  ...link,
  ...{ customSlug: link.shortCode, tagIds: link.tags.map(({ id }) => id) },
});

/** How often a change is retried because somebody else has changed other fields meanwhile. */
const mostMerges = 5;
/** How often it checks the current version because there was no answer. */
const mostLost = 3;

/** The service writes addresses as browsers do. */
const written = (_name: string, it: unknown): unknown =>
  typeof it === 'string' && /^https?:/i.test(it) && URL.canParse(it) ? new URL(it).href : it;

/** The same text for values that the service treats as equal. */
const textOf = (thing: object, name: string): string => JSON.stringify((thing as Record<string, unknown>)[name] ?? null, written);

/**
 * Saves changes of fields, without undoing what somebody else has saved since. If there is no answer, it checks whether
 * they were made, and retries if they were not.
 *
 * @param changes the new values by the names of the fields, which the thing has under the same names.
 * @param say called with what it waits for.
 * @throws ProblemError, for example for a field that breaks a rule; UnsureError if nobody answers.
 */
export async function saveSettings<T extends object>(
  changes: object,
  loaded: Tagged<T>,
  { get, patch }: Calls<T>,
  say: Say,
  wait: Wait = waitFor,
): Promise<Saved<T>> {
  const names = Object.keys(changes);
  let base = loaded;
  let before = loaded.value;
  let merges = 0;
  let lost = 0;
  const record = recording();
  for (;;) {
    const { etag } = base;
    try {
      if (etag !== '') {
        const version = await patiently(() => record.send((headers) => patch(changes, etag, headers)), say, { wait });
        const changed = names.filter((name) => textOf(before, name) !== textOf(version.value, name));
        const former = Object.fromEntries(changed.map((name) => [name, (before as Record<string, unknown>)[name] ?? null]));
        return { kind: 'saved', version, former, made: record.made() };
      }
    } catch (error) {
      if (error instanceof ProblemError && error.status === 412) {
        if (merges++ === mostMerges) throw error;
      } else if (isUnsure(error)) {
        if (lost++ === mostLost) throw new UnsureError(error);
        say(checking);
        await wait(1_000 * lost);
      } else throw error;
    }
    const current = await untilAnswered(() => get(), say, { wait });
    const theirs = names.filter((name) => {
      const now = textOf(current.value, name);
      return now !== textOf(loaded.value, name) && now !== textOf(changes, name);
    });
    if (theirs.length > 0) return { kind: 'clash', version: current, names: theirs };
    base = current;
    // Otherwise, a request without an answer may have made the change.
    if (!record.isUnsure()) before = current.value;
  }
}

/**
 * Undoes a change, unless somebody has changed the same thing again since, even to the same values.
 *
 * @param former the former values of the fields.
 * @param changed the version that the change has made.
 * @throws SaidError if somebody has; UnsureError
 */
export async function takeBack<T extends object>(
  former: object,
  changed: Tagged<T>,
  { get, patch }: Calls<T>,
  say: Say,
  wait: Wait = waitFor,
): Promise<Tagged<T>> {
  const record = recording();
  try {
    return await untilAnswered(() => record.send((headers) => patch(former, changed.etag, headers)), say, { wait });
  } catch (error) {
    if (!(error instanceof ProblemError && error.status === 412)) throw error;
    const current = record.isUnsure() ? await untilAnswered(() => get(), say, { wait }) : undefined;
    // An attempt without an answer has undone it.
    if (current && Object.keys(former).every((name) => textOf(current.value, name) === textOf(former, name))) return current;
    throw new SaidError('Not undone: it has been changed again since.');
  }
}
