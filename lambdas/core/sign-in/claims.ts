import { RuleError } from '../errors.ts';
import { parseEmail } from '../member/email.ts';
import { checkText } from '../text.ts';
import type { JoinRule, SignIn } from './sign-in.ts';

/** What a provider says about a person who has signed in, in its ID token and its answer about them. */
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
 * @returns undefined if the provider does not say their email address, or something else cannot be.
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

/** Some providers say it in words. */
function verified(claim: unknown): boolean | undefined {
  if (claim === true || claim === 'true') return true;
  return claim === undefined || claim === null ? undefined : false;
}

/** A name, or else the user name. Not one with an email address in it: nobody has verified that. */
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

/** The rules by which the provider's word lets a person in. */
export const rulesFor = (claims: Claims, { join = [] }: Pick<SignIn, 'join'>): readonly JoinRule[] =>
  join.filter(({ claim, equals }) => {
    // Not what a claim named `constructor` would inherit.
    const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
    return Array.isArray(value) ? value.includes(equals) : value === equals;
  });
