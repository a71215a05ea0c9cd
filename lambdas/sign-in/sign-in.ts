import middy from '@middy/core';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { notFound, RequestError } from '../core/errors.ts';
import { clearingCookie, sessionCookie } from '../core/sign-in/cookies.ts';
import { accessLog } from '../http/access-log.ts';
import { type ApiEvent, header, type Internal, type Middleware, pathParameter, receivedAt } from '../http/api-event.ts';
import { finishResponse } from '../http/finish-response.ts';
import { parseBody } from '../http/parse-body.ts';
import { reply } from '../http/reply.ts';
import { withinInvocation } from '../runtime/deadline.ts';
import { asLoggedRequest, loggedRequest } from '../runtime/logged-request.ts';
import { createSignInKey } from '../store/api-keys/sign-in-keys.ts';
import { acceptInvitation } from '../store/members/joining.ts';
import { membershipsOf } from '../store/members/memberships.ts';
import { getPerson } from '../store/people/people.ts';
import {
  endSession,
  endSessionOf,
  endSessions,
  findSession,
  listSessions,
  type SignInSession,
} from '../store/sign-ins/sign-ins.ts';
import { logOutByProvider } from './back-channel.ts';
import { begin, finish } from './callback.ts';
import { cookiesOf } from './request-cookies.ts';
import { continueAt } from './stage-provider.ts';

// Signing in, and what signed-in people may do without an API key: see who they are, get a key of a workspace for a
// quarter of an hour, accept an invitation, and sign out. A cookie identifies the person, so each request that changes
// something must come from a page of the console.

/** Makes a handler that goes through the same steps as the endpoints of the API do. */
function steps<B extends z.core.$ZodType>(
  handle: (event: ApiEvent, body: z.output<B>) => Promise<APIGatewayProxyResult>,
  { body, isVisit = false }: { body?: B; isVisit?: boolean } = {},
) {
  return middy<ApiEvent, APIGatewayProxyResult, Error, Context, Internal>()
    .use(accessLog())
    .use(finishResponse())
    .use(isVisit ? [] : requireOwnPage())
    .use(body ? parseBody(body) : [])
    .handler((event: ApiEvent) => handle(event, event.parsedBody as z.output<B>));
}

/**
 * Refuses requests that change something unless they come from a page of this origin. Browsers state this in each
 * request, and pages can't change it (https://www.w3.org/TR/fetch-metadata/). A short domain under the same name is
 * only
 * `same-site`, which is refused.
 */
const requireOwnPage = (): Middleware => ({
  before: function requireOwnPageBefore({ event }) {
    if (event.httpMethod === 'GET' || header(event, 'Sec-Fetch-Site') === 'same-origin') return;
    throw new RequestError('forbidden', 'This request must come from a page of the console, in a current browser.');
  },
});

/** The session of a request. @throws RequestError `unauthorized` */
async function sessionOf(event: ApiEvent): Promise<SignInSession> {
  const session = await findSession(cookiesOf(event).get(sessionCookie), receivedAt(event));
  if (!session) throw signedOut();
  return session;
}

const signedOut = () => new RequestError('unauthorized', 'You are not signed in, or your session has ended. Sign in again.');

/** The session and its person. @throws RequestError `unauthorized`, also if the person was erased */
async function signedIn(event: ApiEvent) {
  const session = await sessionOf(event);
  const person = await getPerson(session.personId);
  if (!person) throw signedOut();
  return { session, person };
}

/** `GET /sign-ins/current`: who is signed in, and which workspaces they are members of. */
async function show(event: ApiEvent): Promise<APIGatewayProxyResult> {
  const { session, person } = await signedIn(event);
  const { id, email, emailVerified = null, name } = person;
  const memberships = await membershipsOf(id);
  const workspaces = memberships.map(({ workspaceId, workspaceName, memberId, role, state }) => {
    return { id: workspaceId, name: workspaceName, memberId, role, state };
  });
  return reply(200, { person: { id, email, emailVerified, name }, endsAt: session.endsAt, workspaces });
}

const keyRequest = z.strictObject({ workspaceId: z.string() });

/**
 * `POST /sign-ins/current/keys`: makes a key of a workspace, with the person's permissions there, for a quarter of an
 * hour.
 */
async function makeKey(event: ApiEvent, { workspaceId }: z.output<typeof keyRequest>): Promise<APIGatewayProxyResult> {
  const { id: signInId, personId, endsAt } = await sessionOf(event);
  // No workspace has such an id, and DynamoDB would refuse a key that is too long.
  if (!/^ws_[0-9A-Za-z]{16}$/.test(workspaceId)) throw notFound('workspace of yours');
  const wanted = { personId, signInId, signInEndsAt: endsAt, workspaceId, receivedAt: receivedAt(event) };
  const { key, expiresAt } = await createSignInKey(wanted);
  return reply(201, { key, expiresAt });
}

const invitation = z.strictObject({ secret: z.string() });

/** `POST /sign-ins/current/invitations`: accepts an invitation. */
async function accept(event: ApiEvent, { secret }: z.output<typeof invitation>): Promise<APIGatewayProxyResult> {
  const { person } = await signedIn(event);
  const { workspaceId, memberId, role, state } = await acceptInvitation(person, secret, receivedAt(event));
  const who = { person: person.id, workspaceId, member: memberId, state };
  console.info({ message: 'somebody accepted an invitation', ...loggedRequest(), ...who });
  return reply(200, { workspaceId, role, state });
}

/**
 * `DELETE /sign-ins/current`: signs out, and says where to sign out at the provider, too. The keys of the session end
 * within a minute. A retry gets the same response.
 */
async function signOut(event: ApiEvent): Promise<APIGatewayProxyResult> {
  const session = await findSession(cookiesOf(event).get(sessionCookie), receivedAt(event));
  if (session) await endSession(session.id);
  return forgotten(reply(200, { continueAt: await continueAt(event) }));
}

/** The response, with a header that deletes the session's cookie. */
const forgotten = (response: APIGatewayProxyResult): APIGatewayProxyResult => ({
  ...response,
  multiValueHeaders: { 'Set-Cookie': [clearingCookie(sessionCookie)] },
});

/** `GET /sign-ins`: the sessions of the person, newest first. */
async function list(event: ApiEvent): Promise<APIGatewayProxyResult> {
  const { session } = await signedIn(event);
  const sessions = await listSessions(session.personId, receivedAt(event));
  const signIns = sessions.map(({ id, createdAt, endsAt }) => ({ id, createdAt, endsAt, isCurrent: id === session.id }));
  return reply(200, { signIns });
}

/** `DELETE /sign-ins/{id}`: ends one session of the person. */
async function endOne(event: ApiEvent): Promise<APIGatewayProxyResult> {
  const session = await sessionOf(event);
  const id = pathParameter(event, 'id');
  if (!(await endSessionOf(session.personId, id, receivedAt(event)))) throw notFound('session of yours');
  return id === session.id ? forgotten(reply(204)) : reply(204);
}

/** `DELETE /sign-ins`: signs the person out everywhere. The response is the same as for the current session. */
async function endAll(event: ApiEvent): Promise<APIGatewayProxyResult> {
  const { personId } = await sessionOf(event);
  await endSessions(personId, receivedAt(event));
  return forgotten(reply(200, { continueAt: await continueAt(event) }));
}

const handlers = {
  'GET /sign-in': steps(begin, { isVisit: true }),
  'GET /sign-in/callback': steps(finish, { isVisit: true }),
  'POST /sign-in/back-channel-logout': steps(logOutByProvider, { isVisit: true }),
  'GET /sign-ins': steps(list),
  'DELETE /sign-ins': steps(endAll),
  'DELETE /sign-ins/{id}': steps(endOne),
  'GET /sign-ins/current': steps(show),
  'DELETE /sign-ins/current': steps(signOut),
  'POST /sign-ins/current/keys': steps(makeKey, { body: keyRequest }),
  'POST /sign-ins/current/invitations': steps(accept, { body: invitation }),
} as const;
const unknown = steps(async () => {
  throw notFound('address');
});

export const handler = (event: ApiEvent, context: Context): Promise<APIGatewayProxyResult> => {
  const answer = handlers[`${event.httpMethod} ${event.resource}` as keyof typeof handlers] ?? unknown;
  const { requestId } = event.requestContext;
  return withinInvocation(context, () => asLoggedRequest({ requestId }, () => answer(event, context)));
};
