import { ProblemError } from '../../typescript/problem.ts';
import { isUnsure } from '../service/failures.ts';
import type { Versioned } from '../service/types.ts';
import { bodyOf, type Clash, changedFields, formerBody, merge, type Values, valuesOf } from './fields.ts';

/** How often a change is sent again because somebody else has changed other fields in the meantime. */
const mostMerges = 5;

export type Saved =
  | { readonly kind: 'saved'; readonly version: Versioned; readonly undo: () => Promise<unknown> }
  /** Both have changed the same fields: somebody has to choose. */
  | { readonly kind: 'clash'; readonly version: Versioned; readonly values: Values; readonly clashes: readonly Clash[] };

/** The calls that saving needs, as `service/links.ts` has them. */
type Calls = {
  readonly get: (id: string) => Promise<Versioned>;
  readonly patch: (id: string, body: object, etag: string) => Promise<Versioned>;
};

/**
 * Saves what differs from the version that was loaded, and never undoes what somebody else has saved since. If there is no
 * answer, it looks whether the change was made, and makes it if it was not.
 *
 * @param onUnsure called before it looks.
 * @throws ProblemError, for example for a field that breaks a rule.
 */
export async function save(
  values: Values,
  loaded: Versioned,
  { get, patch }: Calls,
  onUnsure: () => void = () => {},
): Promise<Saved> {
  const own = changedFields(values, valuesOf(loaded.link));
  const former = formerBody(loaded.link, own);
  let base = loaded;
  let mine = values;
  for (let merges = 0; ; merges++) {
    const before = valuesOf(base.link);
    try {
      const version = await patch(base.link.id, bodyOf(mine, changedFields(mine, before)), base.etag);
      return { kind: 'saved', version, undo: () => patch(version.link.id, former, version.etag) };
    } catch (error) {
      const isOvertaken = error instanceof ProblemError && error.status === 412;
      if (!(isOvertaken || isUnsure(error)) || merges === mostMerges) throw error;
      if (!isOvertaken) onUnsure();
      const current = await get(base.link.id);
      const merged = merge(mine, before, valuesOf(current.link));
      if (merged.clashes.length > 0) return { kind: 'clash', version: current, ...merged };
      base = current;
      mine = merged.values;
    }
  }
}
