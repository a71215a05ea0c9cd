import type { Person } from './person.ts';

/** What a workspace knows about a member from their provider. */
export type Profile = Partial<Said> & Pick<Said, 'email' | 'name'>;

/** The same for somebody who has signed in. */
type Said = {
  readonly email: string;
  /** Whether the provider had verified the address; undefined if it does not say, or if nobody has signed in yet. */
  readonly emailVerified: boolean | undefined;
  /** When the person signed in with that address, in ISO 8601. */
  readonly emailAt: string;
  readonly name: string | null;
  readonly lastSignedInAt: string;
};

/** The profile from a person's latest sign-in. */
export const profileOf = ({ email, emailVerified, name, lastSignedInAt }: Person): Said => ({
  email,
  emailVerified,
  emailAt: lastSignedInAt,
  name,
  lastSignedInAt,
});

/**
 * A member's profile after a sign-in: the name of the latest sign-in, and the address of the latest sign-in with a
 * verified address, or of the latest sign-in if none had one. So sign-ins can be noted in any order, and repeatedly.
 *
 * @returns the same object if the sign-in changes nothing.
 */
export function afterSignIn(known: Profile, said: Said): Profile {
  const isLatest = isBefore(known.lastSignedInAt, said.lastSignedInAt);
  const [was, is] = [known.emailVerified === true, said.emailVerified === true];
  const hasAddress = was === is ? isBefore(known.emailAt, said.emailAt) : is;
  if (!isLatest && !hasAddress) return known;
  const { name, lastSignedInAt } = isLatest ? said : known;
  const { email, emailVerified, emailAt } = hasAddress ? said : known;
  return { email, emailVerified, emailAt, name, lastSignedInAt };
}

const isBefore = (one = '', other = ''): boolean => one < other;

/** An address as people read it, marked if the provider has not verified it. */
export const shownEmail = ({
  email,
  emailVerified,
}: {
  readonly email: string;
  readonly emailVerified?: boolean | null | undefined;
}) => (emailVerified === true ? email : `${email} (not verified)`);

type Addressed = Parameters<typeof shownEmail>[0] & { readonly state: string };

/** The address of a member as people read it. An invitation's is not marked, because an owner has entered it. */
export const emailOf = (member: Addressed): string => (member.state === 'invited' ? member.email : shownEmail(member));

export const nameOf = ({ name, ...member }: Addressed & { readonly name?: string | null | undefined }): string =>
  name ?? emailOf(member);
