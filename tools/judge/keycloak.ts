import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPort } from '../../local/net/ports.ts';
import { chromiumPath, startChromium } from '../browser/chromium.ts';
import { type Keycloak, realm, startKeycloak } from './keycloak-server.ts';
import { type People, type Place, walk } from './keycloak-walk.ts';
import { project, run } from './programs.ts';
import { type Server, startServer } from './server.ts';
import { judged, newTrials } from './steps.ts';
import { type Judge, NotAvailable } from './verdict.ts';

/** Everybody at Keycloak has the same password. */
const password = 'correct horse battery staple';
const group = 'editors';

/**
 * Signs people in to a laptop's service with Keycloak, as an example of an outside provider: in Chromium, with a client
 * that has a secret.
 */
export const keycloak: Judge = async (folder) => {
  if (!chromiumPath) throw new NotAvailable('Chromium');
  const [port, keycloakPort] = [await findPort(0), await findPort(0)];
  const provider = await startKeycloak(folder, keycloakPort);
  const running: { stop(): Promise<void> }[] = [provider];
  try {
    const { client, clientSecret } = await makeClient(provider, port);
    const people = await makePeople(provider);
    const place = await startLaptop(folder, port, { issuer: provider.issuer, clientId: 'links', clientSecret });
    running.push(place);
    const browser = await startChromium();
    running.push({ stop: () => browser.close() });
    const trials = newTrials();
    await walk({ trials, browser, keycloak: provider, client, people, password, group, place });
    return judged(trials.results, {}, 'tools/judge/keycloak.ts');
  } finally {
    for (const one of running.reverse()) await one.stop();
  }
};

/** The options with which `kcadm.sh` sets fields. */
const set = (fields: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(fields).flatMap(([name, value]) => [
    '-s',
    `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ]);

/** Makes the client as docs/deploy.md says, with a mapper for groups. */
async function makeClient({ admin }: Keycloak, port: number) {
  const page = `http://127.0.0.1:${port}`;
  const client = await admin(
    'create',
    'clients',
    ...['-r', realm, '-i'],
    ...set({
      clientId: 'links',
      publicClient: false,
      standardFlowEnabled: true,
      directAccessGrantsEnabled: false,
      redirectUris: [`${page}/sign-in/callback`],
      attributes: {
        'pkce.code.challenge.method': 'S256',
        'post.logout.redirect.uris': `${page}/console`,
        'backchannel.logout.url': `${page}/sign-in/back-channel-logout`,
        'backchannel.logout.session.required': 'true',
      },
    }),
  );
  const { value } = JSON.parse(await admin('get', `clients/${client}/client-secret`, '-r', realm)) as { value: string };
  await admin(
    'create',
    `clients/${client}/protocol-mappers/models`,
    ...['-r', realm],
    ...set({
      name: 'groups',
      protocol: 'openid-connect',
      protocolMapper: 'oidc-group-membership-mapper',
      config: { 'claim.name': 'groups', 'full.path': 'false', 'id.token.claim': 'true' },
    }),
  );
  return { client, clientSecret: value };
}

/** Makes users, only some of them with a verified address, and the group that a rule lets in. */
async function makePeople({ admin }: Keycloak): Promise<People> {
  // Keycloak omits the claim for users without groups, so everybody is in a group that no rule is about.
  for (const name of [group, 'everybody']) await admin('create', 'groups', '-r', realm, '-s', `name=${name}`);
  const make = async (username: string, more: object = {}) => {
    const email = `${username}@links.example`;
    const user = {
      ...{ username, email, firstName: username, lastName: 'Example', enabled: true },
      credentials: [{ type: 'password', value: password, temporary: false }],
      ...more,
    };
    return { username, email, id: await admin('create', 'users', '-r', realm, '-i', ...set(user)) };
  };
  return {
    olga: await make('olga', { emailVerified: true }),
    eva: await make('eva'),
    gia: await make('gia', { emailVerified: true, groups: [`/${group}`, '/everybody'] }),
    hal: await make('hal', { emailVerified: true, groups: [`/${group}`, '/everybody'] }),
    ida: await make('ida', { emailVerified: true }),
  };
}

/**
 * Starts the laptop's service with a file of settings, and again with a rule for its demo workspace, whose id is known
 * only after the first start.
 */
async function startLaptop(folder: string, port: number, signIn: object): Promise<Place> {
  const dataDir = join(folder, 'data');
  const file = join(folder, 'sign-in.json');
  let server: Server | undefined;
  const start = async (given: object): Promise<void> => {
    await server?.stop();
    writeFileSync(file, JSON.stringify(given));
    const args = ['bin/local.ts', '--port', String(port), '--data-dir', dataDir, '--sign-in-settings', file];
    const logFile = join(folder, `laptop-${Date.now()}.log`);
    const isReady = (log: string) => /^ready /m.test(log);
    server = await startServer(process.execPath, args, { cwd: project, logFile, isReady, withinSeconds: 120 });
  };
  await start(signIn);
  const { workspaceId } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as { workspaceId: string };
  const rules = [{ claim: 'groups', equals: group, workspaceId, role: 'editor' }];
  const settings = { ...signIn, join: rules };
  await start(settings);
  return {
    url: `http://127.0.0.1:${port}`,
    workspaceId,
    log: () => readFileSync(join(dataDir, 'functions.log'), 'utf8'),
    operate: async (...args) => {
      const command = ['bin/admin.ts', ...args, '--workspace', workspaceId, '--data-dir', dataDir, '--json'];
      const { code, output, stdout } = await run(process.execPath, command, { cwd: project });
      if (code !== 0) throw new Error(output.trim());
      return JSON.parse(stdout);
    },
    restart: () => start(settings),
    stop: async () => server?.stop(),
  };
}
