import { ProblemError } from '../../typescript/problem.ts';
import { isUnsure, UnsureError } from '../service/failures.ts';
import { checking, patiently, type Say, untilAnswered, type Wait, waitFor } from '../service/patience.ts';
import { type Tagged, takeBack } from '../service/settings.ts';
import type { Link, Versioned } from '../service/types.ts';
import { bodyOf, type Clash, changedFields, formerBody, merge, type Values, valuesOf } from './fields/fields.ts';

/** How often a change is sent again because somebody else has changed other fields in the meantime. */
const mostMerges = 5;
/** Pauses before it looks whether a change without an answer was made. */
const pauses: readonly number[] = [1_000, 2_000, 4_000];

export type Saved =
  | { readonly kind: 'saved'; readonly version: Versioned; readonly undo: (say?: Say) => Promise<unknown> }
  /** Both have changed the same fields: somebody has to choose. */
  | { readonly kind: 'clash'; readonly version: Versioned; readonly values: Values; readonly clashes: readonly Clash[] };

/** The calls that saving needs, as `service/links.ts` has them. */
type Calls = {
  readonly get: (id: string) => Promise<Versioned>;
  readonly patch: (id: string, body: object, etag: string) => Promise<Versioned>;
};

/** A link with its settings under the names that requests have for them. */
const settingsIn = ({ link, etag }: Versioned): Tagged<Link> => ({
  value: { ...link, ...{ customSlug: link.shortCode, tagIds: link.tags.map(({ id }) => id) } },
  etag,
});

/**
 * Saves what differs from the version that was loaded, and never undoes what somebody else has saved since. If there is no
 * answer, it looks whether the change was made, and makes it if it was not.
 *
 * @param say called with what it waits for.
 * @throws ProblemError, for example for a field that breaks a rule; UnsureError if nobody answers.
 */
export async function save(
  values: Values,
  loaded: Versioned,
  { get, patch }: Calls,
  say: Say = () => {},
  wait: Wait = waitFor,
): Promise<Saved> {
  const own = changedFields(values, valuesOf(loaded.link));
  const former = formerBody(loaded.link, own);
  let base = loaded;
  let mine = values;
  let merges = 0;
  let lost = 0;
  for (;;) {
    const { link, etag } = base;
    const before = valuesOf(link);
    try {
      const body = bodyOf(mine, changedFields(mine, before));
      const version = await patiently(() => patch(link.id, body, etag), say, { wait });
      const calls = {
        get: async () => settingsIn(await get(link.id)),
        patch: async (them: object, tag: string) => settingsIn(await patch(link.id, them, tag)),
      };
      return { kind: 'saved', version, undo: (tell = () => {}) => takeBack(former, settingsIn(version), calls, tell, wait) };
    } catch (error) {
      if (error instanceof ProblemError && error.status === 412) {
        if (merges++ === mostMerges) throw error;
      } else if (isUnsure(error)) {
        const pause = pauses[lost++];
        if (pause === undefined) throw new UnsureError(error);
        say(checking);
        await wait(pause);
      } else throw error;
      const current = await untilAnswered(() => get(link.id), say, { wait });
      const merged = merge(mine, before, valuesOf(current.link));
      if (merged.clashes.length > 0) return { kind: 'clash', version: current, ...merged };
      base = current;
      mine = merged.values;
    }
  }
}
