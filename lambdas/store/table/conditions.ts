import type { Item } from './client.ts';

/**
 * A condition or update: `#name` stands for the attribute of that name, or of the name that `names` has for it, `:name` for the
 * value of that name.
 */
export type Expression = { readonly text: string; readonly values?: Item; readonly names?: Readonly<Record<string, string>> };

/**
 * A write's condition did not hold, and this attempt wrote nothing.
 * `items` has an entry for each write of the call: what the table held where its condition failed, else undefined.
 * `isAmbiguous` says that an earlier attempt of the same write failed in a way that leaves open whether it was executed.
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

  /** What the table held at the write in that place, counted from 0. @throws this failure if there was nothing, or another write failed. */
  held(place = 0): Item {
    const item = this.items[place];
    if (!item) throw this;
    return item;
  }
}

/** Gives what a write returns, or what `otherwise` makes of its failed condition. @throws everything else as it came. */
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

/** A write's failed condition; undefined once the write is done. @throws everything else as it came. */
export const failedCondition = (write: Promise<unknown>): Promise<ConditionFailed | undefined> =>
  ifConditionFails(
    write.then(() => undefined),
    (failed) => failed,
  );

/** There is no item under the key. */
export const isAbsent: Expression = { text: 'attribute_not_exists(pk)' };

/** There is an item under the key. */
export const isPresent: Expression = { text: 'attribute_exists(pk)' };

/** The item has the attribute. */
export const has = (name: string): Expression => ({ text: `attribute_exists(#${name})` });

/** The item, if there is one, doesn't have the attribute. */
export const lacks = (name: string): Expression => ({ text: `attribute_not_exists(#${name})` });

/** The attribute has that value. Its placeholder is its own, so that the update beside it may set the attribute to another value. */
export const is = (name: string, value: unknown): Expression => ({
  text: `#${name} = :is_${name}`,
  values: { [`:is_${name}`]: value },
});

/** Nobody has changed what the item counts revisions of. An item without a revision is at the first, 0. */
export const isAtRevision = (revision: number): Expression =>
  revision === 0 ? any(is('revision', 0), lacks('revision')) : is('revision', revision);

/** All of the conditions hold. */
export const all = (...conditions: readonly Expression[]): Expression => joined(conditions, 'AND');

/** At least one of the conditions holds. */
export const any = (...conditions: readonly Expression[]): Expression => joined(conditions, 'OR');

function joined(conditions: readonly Expression[], operator: 'AND' | 'OR'): Expression {
  const [first] = conditions;
  if (first && conditions.length === 1) return first;
  return { text: conditions.map(({ text }) => `(${text})`).join(` ${operator} `), ...merged(conditions) };
}

/** The values and names of expressions that go together. @throws Error if they mean different things by the same placeholder. */
export const merged = (expressions: readonly (Expression | undefined)[]): Required<Pick<Expression, 'values' | 'names'>> => ({
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
