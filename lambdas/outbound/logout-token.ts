import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import type { Claims } from '../core/sign-in/claims.ts';
import { type LoggedOut, loggedOutIn } from '../core/sign-in/logout.ts';
import { instant } from '../runtime/instant.ts';
import { discover, fetchFor, type ProviderCall, ProviderError, reporting } from './provider.ts';

/** Whether the provider may sign with an algorithm: as for ID tokens, not with one that uses a shared secret. */
const isAsymmetric = (algorithm: string): boolean => /^((RS|PS|ES)\d{3}|EdDSA|Ed25519)$/.test(algorithm);

/**
 * Reads from a logout token whom the provider has signed out: OpenID Connect Back-Channel Logout 1.0, section 2.6. The
 * claims are checked before the signature, so that a text that cannot be a token doesn't make us fetch the provider's
 * keys.
 *
 * @throws ProviderError
 */
export const readLogoutToken = (call: ProviderCall, token: string): Promise<LoggedOut> =>
  reporting(async () => {
    const { signIn, receivedAt } = call;
    const told = loggedOutIn(decodeJwt(token) as Claims, signIn, receivedAt);
    if (typeof told === 'string') throw new ProviderError('refused', told);
    const metadata = await discover(call, instant());
    if (told.issuer !== metadata.issuer) throw new ProviderError('refused', 'the token is from another issuer');
    const algorithms = (metadata.id_token_signing_alg_values_supported ?? ['RS256']).filter(isAsymmetric);
    // The times are checked above.
    await jwtVerify(token, async (header, input) => createLocalJWKSet(await keysOf(call, metadata.jwks_uri))(header, input), {
      algorithms,
      currentDate: new Date(told.issuedAt * 1_000),
    });
    return told;
  });

/** The keys that the provider publishes now. */
async function keysOf(call: ProviderCall, address: string | undefined): Promise<JSONWebKeySet> {
  if (address === undefined) throw new ProviderError('unavailable', 'the provider publishes no jwks_uri');
  const answer = await fetchFor(call)(address, {
    method: 'GET',
    headers: { accept: 'application/json' },
    body: undefined,
    redirect: 'manual',
  });
  if (answer.status !== 200) throw new ProviderError('unavailable', `GET ${address}: the provider answers with ${answer.status}`);
  try {
    return (await answer.json()) as JSONWebKeySet;
  } catch {
    throw new ProviderError('unavailable', `GET ${address}: the answer is not JSON`);
  }
}
