import type { Item } from './client.ts';
import { maybeNumber } from './fields.ts';

/**
 * A condition or update. `#name` stands for the attribute with that name, or with the name that `names` maps it to.
 * `:name` stands for the value with that name.
 */
export type Expression = { readonly text: string; readonly values?: Item; readonly names?: Readonly<Record<string, string>> };

/**
 * A write's condition failed, and this attempt wrote nothing.
 *
 * `items` has an entry for each write of the call: the item for which its condition failed, else undefined. If there
 * was no item, the entry is `{}` in a transaction and undefined for a single write. `isAmbiguous` says that an earlier
 * attempt of the same write may have been executed.
 */
export class ConditionFailed extends Error {
  readonly items: readonly (Item | undefined)[];
  readonly isAmbiguous: boolean;

  constructor(items: readonly (Item | undefined)[], isAmbiguous = false) {
    super('a condition of the write did not hold');
    this.name = 'ConditionFailed';
    this.items = items;
    this.isAmbiguous = isAmbiguous;
  }

  /**
   * The item for which the write at that index failed. `{}` if a transaction found no item there.
   *
   * @throws this failure if a single write found no item, or if another write failed
   */
  held(index = 0): Item {
    const item = this.items[index];
    if (!item) throw this;
    return item;
  }
}

/**
 * Returns the result of a write, or the result of `otherwise` if its condition fails. @throws other errors unchanged
 */
export async function ifConditionFails<T, U>(
  write: Promise<T>,
  otherwise: (failed: ConditionFailed) => U | Promise<U>,
): Promise<T | U> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return otherwise(error);
  }
}

/** A write's failed condition; undefined if the write is done. @throws other errors unchanged */
export const failedCondition = (write: Promise<unknown>): Promise<ConditionFailed | undefined> =>
  ifConditionFails(
    write.then(() => undefined),
    (failed) => failed,
  );

export const isAbsent: Expression = { text: 'attribute_not_exists(pk)' };

export const isPresent: Expression = { text: 'attribute_exists(pk)' };

export const has = (name: string): Expression => ({ text: `attribute_exists(#${name})` });

/** Also holds if there is no item. */
export const lacks = (name: string): Expression => ({ text: `attribute_not_exists(#${name})` });

/**
 * The attribute has that value. The placeholder is specific to this condition, so that an update beside it may set the
 * attribute to another value.
 */
export const is = (name: string, value: unknown): Expression => ({
  text: `#${name} = :is_${name}`,
  values: { [`:is_${name}`]: value },
});

/** The attribute has the number that was read, or is still absent. */
export function hasStill(name: string, item: Item): Expression {
  const value = maybeNumber(item, name);
  return value === undefined ? lacks(name) : is(name, value);
}

/** The set has the member already, or fewer than `most`. So adding it again does not fail. */
export const hasRoomFor = (name: string, member: string, most: number): Expression =>
  any(
    lacks(name),
    { text: `size(#${name}) < :most`, values: { ':most': most } },
    { text: `contains(#${name}, :member)`, values: { ':member': member } },
  );

/** The item still has that revision. An item without a revision is at revision 0. */
export const isAtRevision = (revision: number): Expression =>
  revision === 0 ? any(is('revision', 0), lacks('revision')) : is('revision', revision);

/** The workspace exists, and is not being deleted. */
export const isLiveWorkspace: Expression = {
  text: 'attribute_exists(pk) AND attribute_not_exists(#deletingSince)',
};

export const all = (...conditions: readonly Expression[]): Expression => joined(conditions, 'AND');

export const any = (...conditions: readonly Expression[]): Expression => joined(conditions, 'OR');

function joined(conditions: readonly Expression[], operator: 'AND' | 'OR'): Expression {
  const [first] = conditions;
  if (first && conditions.length === 1) return first;
  return { text: conditions.map(({ text }) => `(${text})`).join(` ${operator} `), ...placeholdersOf(conditions) };
}

/**
 * The values and names of expressions, for one request.
 *
 * @throws Error if two of them use a placeholder for different meanings
 */
export const placeholdersOf = (
  expressions: readonly (Expression | undefined)[],
): Required<Pick<Expression, 'values' | 'names'>> => ({
  values: mergedEntries(expressions.map((expression) => expression?.values)),
  names: mergedEntries(expressions.map((expression) => expression?.names)),
});

function mergedEntries<T>(parts: readonly (Readonly<Record<string, T>> | undefined)[]): Record<string, T> {
  const all: Record<string, T> = {};
  for (const [placeholder, meaning] of parts.flatMap((part) => Object.entries(part ?? {}))) {
    if (placeholder in all && all[placeholder] !== meaning)
      throw new Error(`the placeholder ${placeholder} stands for two values`);
    all[placeholder] = meaning;
  }
  return all;
}

/** What an update does to a field other than setting it. */
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
 * An update of fields: `set({ name: 'A', color: null, revision: plus(1) })`. The functions without the SDK, which start
 * the most often, write theirs as texts instead.
 *
 * @param fields null removes a field; undefined leaves it as it is; any other value replaces it, unless it says what
 *   else happens, as `plus` does.
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
