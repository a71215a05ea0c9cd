/** What becomes of the keys that a removed member made. */
export const keysOfRemoved = ['revoke', 'keep'] as const;

export type RemovalOptions = {
  readonly keys: (typeof keysOfRemoved)[number];
  /** How long the item stays for the history, which names the member by it, in days. */
  readonly keptDays: number;
};
