import type { Made } from '../service/changes.ts';
import type { Say, Wait } from '../service/patience.ts';
import { saveSettings, type Tagged } from '../service/settings.ts';
import type { Link, Versioned } from '../service/types.ts';
import { bodyOf, type Clash, changedFields, type Values, valuesOf } from './fields/fields.ts';

export type Saved =
  | { readonly kind: 'saved'; readonly version: Versioned; readonly made: Made }
  /** Both have changed the same fields: somebody has to choose. */
  | { readonly kind: 'clash'; readonly version: Versioned; readonly values: Values; readonly clashes: readonly Clash[] };

/** The calls that saving needs, as `service/links.ts` has them. */
type Calls = {
  readonly get: (id: string) => Promise<Versioned>;
  readonly patch: (id: string, body: object, etag: string) => Promise<Versioned & { readonly response?: Response }>;
};

/** A link with its settings under the names that requests have for them. */
const settingsIn = <Answer extends Versioned>({ link, ...answer }: Answer): Tagged<Link> & Omit<Answer, 'link'> => ({
  ...answer,
  value: { ...link, ...{ customSlug: link.shortCode, tagIds: link.tags.map(({ id }) => id) } },
});

/** Saves what differs from the version that was loaded. @throws what `saveSettings` does */
export async function save(values: Values, loaded: Versioned, calls: Calls, say: Say = () => {}, wait?: Wait): Promise<Saved> {
  const before = valuesOf(loaded.link);
  const names = changedFields(values, before);
  const { id } = loaded.link;
  const saved = await saveSettings<Link>(
    bodyOf(values, names),
    settingsIn(loaded),
    {
      get: async () => settingsIn(await calls.get(id)),
      patch: async (body, etag) => settingsIn(await calls.patch(id, body, etag)),
    },
    say,
    wait,
  );
  const version = { link: saved.version.value, etag: saved.version.etag };
  if (saved.kind === 'saved') return { kind: 'saved', version, made: saved.made };
  const theirs = valuesOf(version.link);
  const of = (from: Values, name: string) => from[name] ?? null;
  return {
    kind: 'clash',
    version,
    values: { ...theirs, ...Object.fromEntries(names.map((name) => [name, of(values, name)])) },
    clashes: saved.names.map((name) => ({
      name,
      before: of(before, name),
      mine: of(values, name),
      theirs: of(theirs, name),
    })),
  };
}
