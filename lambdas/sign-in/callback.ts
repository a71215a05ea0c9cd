import type { APIGatewayProxyResult } from 'aws-lambda';
import { unexpectedError } from '../core/alarms.ts';
import { RequestError } from '../core/errors.ts';
import { newRequestToken } from '../core/ids.ts';
import { signInAttempts } from '../core/limits.ts';
import { addressName } from '../core/sign-in/address.ts';
import { attemptSeconds, localPath, readAnswered, readAttempt, writeAnswered, writeAttempt } from '../core/sign-in/attempt.ts';
import { identityIn, placesFor } from '../core/sign-in/claims.ts';
import { attemptCookie, attemptsIn, clearingCookie, crowdedOut, sessionCookie, settingCookie } from '../core/sign-in/cookies.ts';
import { proofIn } from '../core/sign-in/proof.ts';
import { signInIdOf } from '../core/sign-in/session.ts';
import { type ApiEvent, header, receivedAt } from '../http/api-event.ts';
import { clientSecret } from '../outbound/client-secret.ts';
import { beginSignIn, finishSignIn, ProviderError } from '../outbound/provider.ts';
import { instant } from '../runtime/instant.ts';
import { loggedRequest } from '../runtime/logged-request.ts';
import { memory } from '../runtime/memory.ts';
import { stackOf } from '../runtime/stack.ts';
import { takeSlotAt } from '../store/limits/request-limits.ts';
import { addressLimitKey } from '../store/table/keys.ts';
import { admit } from './admit.ts';
import { type Outcome, outcomePage } from './outcome-page.ts';
import { cookiesOf } from './request-cookies.ts';
import { callOf, rootOf, signInSetting } from './stage-provider.ts';

// The two addresses that a person's browser visits: the one that redirects to the provider, and the one that the
// provider redirects back to. Their responses are pages for people.

/** Redirects a person, without a referrer. */
const redirect = (location: string, cookies: readonly string[] = []): APIGatewayProxyResult => ({
  statusCode: 302,
  headers: {
    Location: location,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  },
  multiValueHeaders: { 'Set-Cookie': [...cookies] },
  body: '',
});

/** Ends a visit with a page. */
class Refused extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome, detail: string) {
    super(detail);
    this.outcome = outcome;
  }
}

/**
 * Until when an address has no attempts left, by the gateway's clock. So a flood from one address causes no table
 * calls.
 */
const refusals = memory<number>({ forMs: signInAttempts.windowSeconds * 1_000, most: 1_000 });

/**
 * Counts an attempt of the sender's address, before any other work. A request that another page embeds, such as an
 * image or a frame, is refused without counting: it would use up the attempts of whoever looks at that page
 * (https://www.w3.org/TR/fetch-metadata/).
 *
 * @throws Refused `busy` or `embedded`
 */
async function takeAttempt(event: ApiEvent, step: 'begin' | 'finish'): Promise<void> {
  if ((header(event, 'Sec-Fetch-Dest') ?? 'document') !== 'document')
    throw new Refused('embedded', 'another page loads the address');
  const name = addressName(event.requestContext.identity?.sourceIp ?? '');
  const [at, now, remembered] = [receivedAt(event), instant(), `${name} ${step}`];
  const busy = () => new Refused('busy', 'too many attempts from one address');
  if (at < (refusals.get(remembered, now)?.value ?? 0)) throw busy();
  const slot = await takeSlotAt(addressLimitKey(name, step), newRequestToken(), at, signInAttempts, false);
  if (slot.passed) return;
  refusals.set(remembered, at + slot.resetSeconds * 1_000, now);
  throw busy();
}

/**
 * `GET /sign-in`: redirects to the provider. With `prompt=login`, the provider asks who the person is even if it knows.
 */
export const begin = (event: ApiEvent): Promise<APIGatewayProxyResult> =>
  withPages(event, [], async () => {
    await takeAttempt(event, 'begin');
    const { return: wanted, prompt } = event.queryStringParameters ?? {};
    const cookies = cookiesOf(event);
    const options = { asksAgain: prompt === 'login', replaces: signInIdOf(cookies.get(sessionCookie) ?? '') };
    const { attempt, location } = await beginSignIn(callOf(event), localPath(wanted), options);
    return redirect(location, [
      ...crowdedOut(cookies).map(clearingCookie),
      settingCookie(attemptCookie(attempt.state), writeAttempt(attempt), attemptSeconds),
    ]);
  });

/** The query that the provider has added to the address. */
const queryOf = ({ multiValueQueryStringParameters: sent }: ApiEvent): URLSearchParams =>
  new URLSearchParams(
    Object.entries(sent ?? {}).flatMap(([name, values]) => (values ?? []).map((value) => [name, value] as [string, string])),
  );

/**
 * `GET /sign-in/callback`: the provider redirects people here, with a code. Without the cookie of the same attempt, the
 * provider isn't called: the visit comes from another browser, or is an attack that would sign a person in as somebody
 * else. A person who returns to an attempt that has signed them in is redirected again.
 */
export async function finish(event: ApiEvent): Promise<APIGatewayProxyResult> {
  const query = queryOf(event);
  const name = attemptCookie(query.get('state') ?? '');
  const cookies = cookiesOf(event);
  const cookie = cookies.get(name) ?? '';
  const answered = readAnswered(cookie);
  if (answered) return redirect(`${rootOf(event)}${answered.returnTo}`);
  const attempt = readAttempt(cookie, receivedAt(event));
  // An attempt of this browser ends here, whatever the result. Others stay as they are.
  return withPages(event, attempt ? [clearingCookie(name)] : [], async () => {
    if (!attempt || attempt.state !== query.get('state')) throw new Refused('expired', 'no attempt of this browser');
    await takeAttempt(event, 'finish');
    const signIn = signInSetting();
    const secret = signIn.clientSecretArn === undefined ? undefined : await clientSecret(signIn.clientSecretArn);
    const claims = await finishSignIn(callOf(event), attempt, query.toString(), secret);
    const identity = identityIn(claims, signIn);
    if (!identity) throw new Refused('noAddress', 'the provider names no email address');
    // Browsers don't send the session's cookie with the provider's redirect, but the attempts' cookies have its id.
    const earlier = attemptsIn(cookies).flatMap((one) => readAnswered(one)?.signInId ?? []);
    const replaces = [...earlier, ...(attempt.replaces === undefined ? [] : [attempt.replaces])];
    const options = { hours: signIn.sessionHours, replaces, proof: proofIn(claims) };
    const { secret: sessionSecret, session } = await admit(identity, placesFor(claims, signIn), receivedAt(event), options);
    console.info({ message: 'somebody signed in', ...loggedRequest(), person: session.personId });
    return redirect(`${rootOf(event)}${attempt.returnTo}`, [
      settingCookie(sessionCookie, sessionSecret, signIn.sessionHours * 3_600),
      settingCookie(name, writeAnswered({ returnTo: attempt.returnTo, signInId: session.id }), attemptSeconds),
    ]);
  });
}

/** Responds with a page if the work fails. The log says why; the page does not. */
async function withPages(
  event: ApiEvent,
  cookies: readonly string[],
  work: () => Promise<APIGatewayProxyResult>,
): Promise<APIGatewayProxyResult> {
  try {
    return await work();
  } catch (error) {
    return outcomePage(logged(error as Error), rootOf(event), event.requestContext.requestId, cookies);
  }
}

/** Logs why somebody was not signed in. */
function logged(error: Error): Outcome {
  const line = { message: 'somebody was not signed in', ...loggedRequest() };
  if (error instanceof Refused) {
    // Anybody can cause these, so they are not warnings.
    console.info({ ...line, reason: error.message });
    return error.outcome;
  }
  if (error instanceof ProviderError) {
    console.warn({ ...line, reason: error.message });
    return error.failure;
  }
  if (error instanceof RequestError && error.code === 'unauthorized') {
    console.info({ ...line, reason: 'the provider has signed the person out meanwhile' });
    return 'refused';
  }
  if (error instanceof RequestError && error.code === 'bad_request') {
    console.info({ ...line, reason: error.message });
    return 'refused';
  }
  if (error instanceof RequestError) {
    console.error({ ...line, reason: error.cause instanceof Error ? error.cause.message : error.message });
    return 'unavailable';
  }
  console.error({ message: unexpectedError, ...loggedRequest(), name: error.name, stack: stackOf(error) });
  return 'failed';
}
