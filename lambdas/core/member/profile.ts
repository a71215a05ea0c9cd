import type { Person } from './person.ts';

/** What a workspace knows of a member by what their provider has said. */
export type Profile = Partial<Said> & Pick<Said, 'email' | 'name'>;

/** The same of somebody who has signed in. */
type Said = {
  readonly email: string;
  /** Whether the provider had verified the address; undefined if it does not say, or if nobody has signed in yet. */
  readonly emailVerified: boolean | undefined;
  /** When the person signed in with that address, in ISO 8601. */
  readonly emailAt: string;
  readonly name: string | null;
  readonly lastSignedInAt: string;
};

/** What somebody's latest sign-in says. */
export const profileOf = ({ email, emailVerified, name, lastSignedInAt }: Person): Said => ({
  email,
  emailVerified,
  emailAt: lastSignedInAt,
  name,
  lastSignedInAt,
});

/**
 * What is known of a member once a sign-in is noted: the name of the latest sign-in, and the address of the latest one whose
 * address was verified. Only of somebody who never had a verified one, it is the latest address. So it makes no difference
 * in which order sign-ins are noted, or how often.
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

/** An address as people read it: it stands by itself only if the provider has verified it. */
export const shownEmail = ({
  email,
  emailVerified,
}: {
  readonly email: string;
  readonly emailVerified?: boolean | null | undefined;
}) => (emailVerified === true ? email : `${email} (not verified)`);

type Addressed = Parameters<typeof shownEmail>[0] & { readonly state: string };

/** The address of a member as people read it. That of an invitation is an owner's word, and nobody's claim. */
export const emailOf = (member: Addressed): string => (member.state === 'invited' ? member.email : shownEmail(member));

/** What a member is called. */
export const nameOf = ({ name, ...member }: Addressed & { readonly name?: string | null | undefined }): string =>
  name ?? emailOf(member);
