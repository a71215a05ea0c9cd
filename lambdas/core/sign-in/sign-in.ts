import { RuleError } from '../errors.ts';
import { type Role, roles } from '../member/roles.ts';

/** Lets people in whose provider says something about them, without an invitation. */
export type JoinRule = {
  /** The name of a claim of the ID token, such as `hd`, `tid` or `groups`. */
  readonly claim: string;
  /** What the claim must be, or if it is a list, what must be in it. */
  readonly equals: string;
  readonly workspaceId: string;
  readonly role: Role;
};

/** With which provider people sign in: OpenID Connect Core 1.0, https://openid.net/specs/openid-connect-core-1_0.html */
export type SignIn = {
  /** Exactly as the provider's discovery document has it, such as `https://accounts.google.com`. */
  readonly issuer: string;
  readonly clientId: string;
  /** The ARN of a secret of Secrets Manager, whose value is the client's secret. Without it, the client is a public one. */
  readonly clientSecretArn?: string;
  /** Whether an address counts as verified if the provider does not say. */
  readonly trustEmails?: boolean;
  readonly join?: readonly JoinRule[];
};

/** How many bytes the setting may have: a function's environment has 4 kB at most. */
const mostBytes = 3_000;

/**
 * Checks what an operator has set.
 *
 * @param isAllowed whether the issuer may be at this URL, which is https or, on a laptop, http.
 * @throws RuleError
 */
export function checkSignIn(signIn: SignIn, isAllowed: (issuer: URL) => boolean): SignIn {
  const { issuer, clientId, clientSecretArn, join = [] } = signIn;
  const refuse = (what: string): never => {
    throw new RuleError('invalid_sign_in', what);
  };
  const url = URL.parse(issuer);
  if (!url || !isAllowed(url) || url.search || url.hash || url.username || issuer.includes('/.well-known/')) {
    refuse(`issuer ${JSON.stringify(issuer)} must be the https URL that the provider calls its issuer`);
  }
  if (!clientId.trim()) refuse('clientId is empty');
  if (clientSecretArn !== undefined && !/^arn:aws[\w-]*:secretsmanager:[\w-]+:\d{12}:secret:[\w/+=.@-]+$/.test(clientSecretArn)) {
    refuse('clientSecretArn must be the ARN of a secret of Secrets Manager');
  }
  for (const { claim, equals, workspaceId, role } of join) {
    if (!claim || !equals) refuse('join: each rule needs a claim and what it equals');
    if (!/^ws_[0-9A-Za-z]+$/.test(workspaceId)) refuse(`join: ${JSON.stringify(workspaceId)} is not the id of a workspace`);
    if (!roles.includes(role)) refuse(`join: ${JSON.stringify(role)} is not a role: use ${roles.join(', ')}`);
  }
  if (Buffer.byteLength(JSON.stringify(signIn)) > mostBytes) refuse(`has more than ${mostBytes.toLocaleString('en-US')} bytes`);
  return signIn;
}
