import type { Role } from '../member/roles.ts';

/** Makes people with a certain claim members, without an invitation. */
export type JoinRule = {
  /** The name of a claim of the ID token, such as `hd`, `tid` or `groups`. */
  readonly claim: string;
  /** What the claim must be, or if it is a list, what must be in it. */
  readonly equals: string;
  readonly workspaceId: string;
  readonly role: Role;
};

/**
 * The provider that people sign in with: OpenID Connect Core 1.0, https://openid.net/specs/openid-connect-core-1_0.html
 */
export type SignIn = {
  /** Exactly as the provider's discovery document has it, such as `https://accounts.google.com`. */
  readonly issuer: string;
  readonly clientId: string;
  /**
   * The ARN of a secret of Secrets Manager, whose value is the client's secret. Without it, the client is a public one.
   */
  readonly clientSecretArn?: string;
  /** The requested scopes, separated by spaces: OpenID Connect Core, section 5.4. */
  readonly scope: string;
  /** Whether an address is treated as verified if the provider does not say. */
  readonly trustEmails?: boolean;
  /** Whether *Sign out* also ends the session at the provider, or only here. */
  readonly logout: 'provider' | 'here';
  /** How many hours people stay signed in. */
  readonly sessionHours: number;
  readonly join?: readonly JoinRule[];
};
