/** How many days after a person's last session their profile is deleted. */
export const idlePersonDays = 30;

/** Somebody who has signed in, as the provider described them then. */
export type Person = {
  /** `per_` and random characters, made at the first sign-in. It stays the same if the email address changes. */
  readonly id: string;
  /** Identifies them at their provider: see `identityHash`. */
  readonly identity: string;
  readonly email: string;
  readonly name: string | null;
  /** Whether the provider has verified the email address; undefined if it does not say. */
  readonly emailVerified: boolean | undefined;
  /** In ISO 8601. */
  readonly lastSignedInAt: string;
};
