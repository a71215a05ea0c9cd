import type { Item } from './client.ts';
import type { Expression } from './conditions.ts';

/** What an update does to a field besides setting it. */
type Part = { readonly [part]: 'ADD' | 'DELETE' | 'SET'; readonly text: (field: string) => string; readonly values: Item };
const part = Symbol('part');

/** Adds to a number, or members to a set. An absent number counts as 0. */
export const plus = (value: number | ReadonlySet<string>): Part => adding('ADD', value);

/** Takes members out of a set. The field is gone once the set is empty. */
export const minus = (value: ReadonlySet<string>): Part => adding('DELETE', value);

const adding = (verb: 'ADD' | 'DELETE', value: unknown): Part => ({
  [part]: verb,
  text: (field) => `#${field} :${field}`,
  values: { '': value },
});

/** Sets a field that is absent, and leaves the value of any other. */
export const unlessSet = (value: unknown): Part => ({
  [part]: 'SET',
  text: (field) => `#${field} = if_not_exists(#${field}, :${field})`,
  values: { '': value },
});

/** Sets a field to what another one has before the update; to `-` if that is absent. */
export const formerly = (other: string): Part => ({
  [part]: 'SET',
  text: (field) => `#${field} = if_not_exists(#${other}, :none)`,
  values: { none: '-' },
});

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && part in value;

/**
 * An update of fields: `set({ name: 'A', color: null, revision: plus(1) })`. The functions without the SDK, which start the
 * most often, write theirs as texts, and do without this.
 *
 * @param fields null removes a field; undefined leaves it as it is; any other value replaces it, unless it says what else
 *   happens, as `plus` does.
 */
export function set(fields: Readonly<Record<string, unknown>>): Expression {
  const clauses = { SET: [] as string[], REMOVE: [] as string[], ADD: [] as string[], DELETE: [] as string[] };
  const values: Item = {};
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (value === null) clauses.REMOVE.push(`#${field}`);
    else if (isPart(value)) {
      clauses[value[part]].push(value.text(field));
      for (const [name, one] of Object.entries(value.values)) values[`:${name || field}`] = one;
    } else {
      clauses.SET.push(`#${field} = :${field}`);
      values[`:${field}`] = value;
    }
  }
  const text = Object.entries(clauses).flatMap(([verb, parts]) => (parts.length > 0 ? `${verb} ${parts.join(', ')}` : []));
  return { text: text.join(' '), values };
}
