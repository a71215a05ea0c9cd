/** What to do with the keys that a removed member made. */
export const keysOfRemoved = ['revoke', 'keep'] as const;

export type RemovalOptions = {
  readonly keys: (typeof keysOfRemoved)[number];
  /** How many days the item is kept, so that the history can show the member's name. */
  readonly keptDays: number;
};
