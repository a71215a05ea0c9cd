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
