import type { Made } from '../service/changes.ts';
import type { Say, Wait } from '../service/patience.ts';
import { type Calls, saveSettings, type Tagged, withSettings } from '../service/settings.ts';
import type { Link } from '../service/types.ts';
import { bodyOf, type Clash, changedFields, type Values, valuesOf } from './fields/fields.ts';

export type Saved =
  | { readonly kind: 'saved'; readonly version: Tagged<Link>; readonly made: Made }
  /** Both have changed the same fields, so the person has to choose. */
  | { readonly kind: 'clash'; readonly version: Tagged<Link>; readonly values: Values; readonly clashes: readonly Clash[] };

/** Saves what differs from the loaded version. @throws what `saveSettings` throws */
export async function save(
  values: Values,
  { value, etag }: Tagged<Link>,
  calls: Calls<Link>,
  say: Say = () => {},
  wait?: Wait,
): Promise<Saved> {
  const before = valuesOf(value);
  const names = changedFields(values, before);
  const saved = await saveSettings<Link>(bodyOf(values, names), { value: withSettings(value), etag }, calls, say, wait);
  if (saved.kind === 'saved') return saved;
  const theirs = valuesOf(saved.version.value);
  const of = (from: Values, name: string) => from[name] ?? null;
  return {
    ...saved,
    values: { ...theirs, ...Object.fromEntries(names.map((name) => [name, of(values, name)])) },
    clashes: saved.names.map((name) => ({ name, before: of(before, name), mine: of(values, name), theirs: of(theirs, name) })),
  };
}
