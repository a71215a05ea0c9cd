import { RuleError } from '../errors.ts';
import { parseEmail } from '../member/email.ts';
import { higherRole, type Role } from '../member/roles.ts';
import { checkText } from '../text.ts';
import type { JoinRule, SignIn } from './sign-in.ts';

/** What a provider says about a person who has signed in, in its ID token and its userinfo response. */
export type Claims = Readonly<Record<string, unknown>>;

/** Somebody as their provider knows them. `issuer` and `subject` identify them, whatever else changes. */
export type Identity = {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  /** Undefined if the provider does not say. */
  readonly emailVerified: boolean | undefined;
  readonly name: string | null;
};

/** The longest name, in characters. */
const nameLength = 128;
/** The longest subject: OpenID Connect Core, section 2. Some providers allow more. */
const subjectLength = 512;

/**
 * Reads who has signed in.
 *
 * @returns undefined if the email address is missing, or a claim is invalid.
 */
export function identityIn(claims: Claims, { trustEmails = false }: Pick<SignIn, 'trustEmails'>): Identity | undefined {
  const { iss: issuer, sub: subject } = claims;
  const email = typeof claims.email === 'string' ? obeying(() => parseEmail(String(claims.email))) : undefined;
  if (typeof issuer !== 'string' || typeof subject !== 'string' || subject === '' || subject.length > subjectLength)
    return undefined;
  if (email === undefined) return undefined;
  return {
    issuer,
    subject,
    email,
    emailVerified: verified(claims.email_verified) ?? (trustEmails || undefined),
    name: nameIn(claims),
  };
}

/** Some providers send a string. */
function verified(claim: unknown): boolean | undefined {
  if (claim === true || claim === 'true') return true;
  return claim === undefined || claim === null ? undefined : false;
}

/** A name, or else the user name. Names that contain an email address are ignored, because nobody has verified it. */
function nameIn({ name, preferred_username: username }: Claims): string | null {
  for (const claim of [name, username]) {
    const text = typeof claim === 'string' ? claim.replace(/[\s\p{Cc}]+/gu, ' ').trim() : '';
    const obeyed = obeying(() => checkText(text, nameLength));
    if (obeyed && !/\S@\S/.test(obeyed)) return obeyed;
  }
  return null;
}

/** A text that obeys its rules; undefined if it does not. */
function obeying(rule: () => string): string | undefined {
  try {
    return rule();
  } catch (error) {
    if (error instanceof RuleError) return undefined;
    throw error;
  }
}

/** A person's place in a workspace by the rules of the stage. */
export type Place = {
  readonly workspaceId: string;
  /** The highest role of the rules that let the person in; undefined if none does. */
  readonly role: Role | undefined;
  /**
   * Whether the provider's claims decide all other rules of the workspace. If a claim is missing, the answer is
   * unknown, and the person keeps what they have.
   */
  readonly isKnown: boolean;
};

/** A person's places in all workspaces that the stage's rules name. */
export function placesFor(claims: Claims, { join = [] }: Pick<SignIn, 'join'>): readonly Place[] {
  return [...Map.groupBy(join, ({ workspaceId }) => workspaceId)].map(([workspaceId, rules]) => {
    const fitting = rules.filter((rule) => lets(claims, rule));
    return {
      workspaceId,
      role: fitting
        .map(({ role }) => role)
        .reduce<Role | undefined>((one, other) => (one ? higherRole(one, other) : other), undefined),
      isKnown: rules.every((rule) => fitting.includes(rule) || isPresent(claims, rule.claim)),
    };
  });
}

/** A claim. Inherited properties, such as `constructor`, are not claims. */
const claimIn = (claims: Claims, name: string): unknown => (Object.hasOwn(claims, name) ? claims[name] : undefined);

function lets(claims: Claims, { claim, equals }: JoinRule): boolean {
  const value = claimIn(claims, claim);
  return Array.isArray(value) ? value.includes(equals) : value === equals;
}

/**
 * Whether a claim is present and complete. If somebody has many groups, Entra omits them and says where they are:
 * https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference#groups-overage-claim
 */
function isPresent(claims: Claims, name: string): boolean {
  const value = claimIn(claims, name);
  const elsewhere = claimIn(claims, '_claim_names');
  if (typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name)) return false;
  if (name === 'groups' && claimIn(claims, 'hasgroups') !== undefined) return false;
  return Array.isArray(value) || ['string', 'number', 'boolean'].includes(typeof value);
}
