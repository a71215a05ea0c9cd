import type { APIGatewayProxyResult } from 'aws-lambda';
import { RequestError } from '../core/errors.ts';
import { type ApiEvent, header, receivedAt } from '../http/api-event.ts';
import { bodyText } from '../http/parse-body.ts';
import { problem, reply } from '../http/reply.ts';
import { readLogoutToken } from '../outbound/logout-token.ts';
import { ProviderError } from '../outbound/provider.ts';
import { loggedRequest } from '../runtime/logged-request.ts';
import { logOut } from '../store/sign-ins/logouts.ts';
import { callOf } from './stage-provider.ts';

/** The longest body, in characters. The longest valid token is far shorter. */
const longestBody = 16_384;

/**
 * `POST /sign-in/back-channel-logout`: the provider reports that it has signed somebody out (OpenID Connect
 * Back-Channel Logout 1.0, section 2.5). Every failure is a 400, as section 2.8 requires. The log says why.
 */
export async function logOutByProvider(event: ApiEvent): Promise<APIGatewayProxyResult> {
  try {
    const told = await readLogoutToken(callOf(event), logoutTokenIn(event));
    const ended = await logOut(told, receivedAt(event));
    if (!ended) throw new ProviderError('refused', 'the token was used before');
    const [person] = ended.map(({ personId }) => personId);
    console.info({ message: 'the provider has signed somebody out', ...loggedRequest(), person, sessions: ended.length });
    return reply(200);
  } catch (error) {
    if (!(error instanceof ProviderError || error instanceof RequestError)) throw error;
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    console.warn({ message: 'a logout by the provider failed', ...loggedRequest(), reason });
    const detail = 'The logout token could not be accepted. The log of the service says why.';
    return problem(new RequestError('bad_request', detail), event.requestContext.requestId);
  }
}

/** The token in the posted form. @throws ProviderError, RequestError */
function logoutTokenIn(event: ApiEvent): string {
  const mediaType = header(event, 'Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/x-www-form-urlencoded') throw new ProviderError('refused', 'the body is not a form');
  const body = bodyText(event);
  if (body.length > longestBody) throw new ProviderError('refused', 'the body is too long');
  const [token, ...more] = new URLSearchParams(body).getAll('logout_token');
  if (token === undefined || more.length > 0) throw new ProviderError('refused', 'the form has no logout_token, or several');
  return token;
}
