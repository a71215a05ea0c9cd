import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { interactionPolicy, Provider } from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import { clientId, type ProviderPerson } from './demo-people.ts';

export type RunningProvider = { readonly issuer: string; stop(): Promise<void> };

/**
 * Starts an OpenID provider on this machine, for trying out and testing how people sign in. It lets everybody in as
 * whomever they choose. It keeps nothing when it ends.
 *
 * It runs at `localhost`, a different site from `127.0.0.1`, so that browsers treat it like a provider elsewhere.
 *
 * @param origins the origins of the service. The provider sends people back there, whatever the port (RFC 8252, section
 * 7.3), and reports logouts to the first one.
 * @param reach how it sends requests to the service.
 */
export async function startProvider(
  port: number,
  people: readonly ProviderPerson[],
  origins: readonly string[],
  reach: typeof fetch = fetch,
): Promise<RunningProvider> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://localhost:${(server.address() as { port: number }).port}`;
  const provider = new Provider(issuer, configurationOf(people, origins, reach));
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const isChoice = request.url?.startsWith('/choose/') ?? false;
    if (isChoice) choose(provider, people, request, response).catch(() => response.writeHead(400).end('Start again.'));
    else answer(request, response);
  });
  return {
    issuer,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function configurationOf(people: readonly ProviderPerson[], origins: readonly string[], reach: typeof fetch): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const policy = interactionPolicy.base();
  const { Check } = interactionPolicy;
  // A session of the provider would let a person choose only once.
  const always = new Check('choose', 'somebody has to be chosen', ({ oidc }) =>
    oidc.result ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
  );
  policy.get('login').checks.add(always);
  return {
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: 'none',
        redirect_uris: origins.map((origin) => `${origin}/sign-in/callback`),
        backchannel_logout_uri: `${origins[0]}/sign-in/back-channel-logout`,
        backchannel_logout_session_required: true,
        post_logout_redirect_uris: origins.map((origin) => `${origin}/console`),
        grant_types: ['authorization_code'],
        response_types: ['code'],
        application_type: 'native',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: randomBytes(8).toString('hex') }] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // As most providers do.
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource },
      backchannelLogout: { enabled: true },
    },
    // The library's own dispatcher refuses to reach this machine.
    fetch: (address: string, { dispatcher: _, ...init }: RequestInit & { dispatcher?: unknown }) => reach(address, init),
    interactions: { policy, url: (_: unknown, { uid }: { uid: string }) => `/choose/${uid}` },
    findAccount: (_: unknown, accountId: string) => {
      const person = people.find(({ id }) => id === accountId);
      return (
        person && {
          accountId,
          claims: () => ({ sub: accountId, email: person.email, email_verified: person.emailVerified, name: person.name }),
        }
      );
    },
    // Nobody is asked for consent.
    loadExistingGrant: async ({
      oidc,
    }: {
      oidc: { client: { clientId: string }; session: { accountId: string }; provider: Provider };
    }) => {
      const grant = new oidc.provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 3_600, IdToken: 600, Interaction: 600, Session: 3_600 },
  };
}

/** The page where a visitor chooses who they are. */
async function choose(
  provider: Provider,
  people: readonly ProviderPerson[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await provider.interactionDetails(request, response);
  const chosen = new URL(request.url ?? '', 'http://localhost').searchParams.get('as');
  if (request.method === 'POST') {
    const result =
      chosen === null
        ? { error: 'access_denied', error_description: 'nobody was chosen' }
        : { login: { accountId: chosen, remember: false }, consent: {} };
    return provider.interactionFinished(request, response, result);
  }
  const button = (as: string, text: string) => `<form method="post" action="${as}"><button>${text}</button></form>`;
  const rows = people.map(({ id, name, email }) => button(`?as=${encodeURIComponent(id)}`, `${name} (${email})`));
  const says = 'This provider runs on this machine. It asks for no password.';
  const body = page('Demo sign-in', 'Who are you?', says, [...rows, button('?', 'Cancel')]);
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }).end(body);
}

/**
 * Asks whether a person signs out here, too: the service does not keep the ID token, with which a provider need not
 * ask.
 *
 * @param form the form to which the buttons belong.
 */
async function logoutSource(context: { body: unknown }, form: string): Promise<void> {
  const button = (more: string, text: string) => `<button type="submit" form="op.logoutForm"${more}>${text}</button>`;
  const says = 'You have signed out of Links. Sign out of this provider, too?';
  const rows = [form, button(' name="logout" value="yes"', 'Sign out here, too'), button('', 'Stay signed in')];
  context.body = page('Demo sign-out', 'Sign out', says, rows);
}

const page = (title: string, heading: string, says: string, rows: readonly string[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>:root{color-scheme:light dark}body{font:16px/24px system-ui;max-width:24rem;margin:15vh auto 0;padding:0 16px}
button{font:inherit;padding:8px 16px;margin:0 0 8px;width:100%;text-align:left}</style>
<h1>${heading}</h1>
<p>${says}</p>
${rows.join('\n')}
</html>
`;
