/** For how many days after their last session it is kept what the provider said of a person. */
export const idlePersonDays = 30;

/** Somebody who has signed in, as the provider described them then. */
export type Person = {
  /** `per_` and random characters, made at the first sign-in. It stays the same if the email address changes. */
  readonly id: string;
  /** Who they are to their provider: see `identityHash`. */
  readonly identity: string;
  readonly email: string;
  readonly name: string | null;
  /** Whether the email address is theirs; undefined if the provider does not say. */
  readonly emailVerified: boolean | undefined;
  /** In ISO 8601. */
  readonly lastSignedInAt: string;
};
