import type { Claims } from './claims.ts';
import { providerSessionHash } from './identity-hash.ts';

/**
 * What an ID token says about the sign-in, so that the provider can end the session: OpenID Connect Back-Channel Logout
 * 1.0, section 2.1. The client has checked the other claims.
 */
export const proofIn = ({ iss, iat, sid }: Claims) => ({
  issuedAt: Number(iat),
  providerSession: typeof sid === 'string' ? providerSessionHash(String(iss), sid) : undefined,
});
