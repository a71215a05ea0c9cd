import { ProblemError } from '../../typescript/problem.ts';
import { isUnsure, SaidError, UnsureError } from './failures.ts';
import { checking, patiently, type Say, untilAnswered, type Wait, waitFor } from './patience.ts';

/** Something with an entity tag, such as a domain or a webhook. */
export type Tagged<T> = { readonly value: T; readonly etag: string };

export type Saved<T> =
  | { readonly kind: 'saved'; readonly version: Tagged<T>; readonly former: object }
  /** Somebody else has changed the same fields meanwhile, which are named. */
  | { readonly kind: 'clash'; readonly version: Tagged<T>; readonly names: readonly string[] };

type Calls<T> = {
  readonly get: () => Promise<Tagged<T>>;
  readonly patch: (body: object, etag: string) => Promise<Tagged<T>>;
};

/** How often a change is sent again because somebody else has changed other fields in the meantime. */
const mostMerges = 5;
/** How often it looks because there was no answer. */
const mostLost = 3;

const jsonOf = (thing: object, name: string): string => JSON.stringify((thing as Record<string, unknown>)[name]);

/**
 * Saves changes of fields, and never undoes what somebody else has saved since. If there is no answer, it looks whether
 * they were made, and makes them if they were not.
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
  const former = Object.fromEntries(names.map((name) => [name, (loaded.value as Record<string, unknown>)[name] ?? null]));
  let base = loaded;
  let merges = 0;
  let lost = 0;
  for (;;) {
    const { etag } = base;
    try {
      const version = await patiently(() => patch(changes, etag), say, { wait });
      return { kind: 'saved', version, former };
    } catch (error) {
      if (error instanceof ProblemError && error.status === 412) {
        if (merges++ === mostMerges) throw error;
      } else if (isUnsure(error)) {
        if (lost++ === mostLost) throw new UnsureError(error);
        say(checking);
        await wait(1_000 * lost);
      } else throw error;
      const current = await untilAnswered(get, say, { wait });
      const theirs = names.filter((name) => {
        const now = jsonOf(current.value, name);
        return now !== jsonOf(loaded.value, name) && now !== jsonOf(changes, name);
      });
      if (theirs.length > 0) return { kind: 'clash', version: current, names: theirs };
      base = current;
    }
  }
}

/**
 * Takes a change back, unless somebody has changed the same fields again since.
 *
 * @param former what the fields had before.
 * @param changed the version that the change has made.
 * @throws SaidError if somebody has; otherwise like `saveSettings`
 */
export async function takeBack<T extends object>(
  former: object,
  changed: Tagged<T>,
  calls: Calls<T>,
  say: Say,
  wait?: Wait,
): Promise<Tagged<T>> {
  const { kind, version } = await saveSettings(former, changed, calls, say, wait);
  if (kind === 'clash') throw new SaidError('Not undone: it was changed again since.');
  return version;
}
