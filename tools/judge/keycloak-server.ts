import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once, run, settings } from './programs.ts';
import { answers, startServer } from './server.ts';
import { NotAvailable } from './verdict.ts';

/** A running Keycloak, an OpenID provider, with a realm that only this judge uses. */
export type Keycloak = {
  readonly issuer: string;
  /**
   * Runs `kcadm.sh`, Keycloak's command for administrators. @returns what it prints. @throws Error with what it prints
   */
  readonly admin: (...args: readonly string[]) => Promise<string>;
  readonly log: () => string;
  readonly stop: () => Promise<void>;
};

export const realm = 'links';

/** Where Keycloak is installed. @throws NotAvailable */
async function installed(): Promise<string> {
  if ((await run('java', ['-version'])).code !== 0) throw new NotAvailable('Java');
  const list = 'keycloak.txt';
  const artifact = readFileSync(join(settings, list), 'utf8').trim();
  const folder = await once('keycloak', list, async (at) => {
    const got = await run('mvn', [
      '--batch-mode',
      '--quiet',
      'dependency:unpack',
      `-Dartifact=${artifact}`,
      `-DoutputDirectory=${at}`,
    ]);
    if (got.code === 127) throw new NotAvailable('Maven');
    return got;
  });
  return join(folder, `keycloak-${artifact.split(':')[2]}`);
}

/**
 * Starts Keycloak with an empty realm in memory. The first start builds Keycloak, which takes more than a minute.
 *
 * @param folder for its output and its administrator's configuration.
 * @throws NotAvailable
 */
export async function startKeycloak(folder: string, port: number): Promise<Keycloak> {
  const home = await installed();
  const url = `http://localhost:${port}`;
  const env = { ...process.env, KC_BOOTSTRAP_ADMIN_USERNAME: 'admin', KC_BOOTSTRAP_ADMIN_PASSWORD: 'admin' };
  const args = ['start-dev', '--db=dev-mem', '--http-host=127.0.0.1', `--http-port=${port}`, `--hostname=${url}`];
  const server = await startServer(join(home, 'bin/kc.sh'), args, {
    cwd: folder,
    logFile: join(folder, 'keycloak.log'),
    env,
    isReady: () => answers(`${url}/realms/master`),
    withinSeconds: 300,
  });
  const admin = async (...args: readonly string[]): Promise<string> => {
    const { code, output } = await run(join(home, 'bin/kcadm.sh'), [...args, '--config', join(folder, 'kcadm.json')]);
    if (code !== 0) throw new Error(`kcadm.sh ${args.join(' ')}: ${output.trim()}`);
    return output.trim();
  };
  try {
    await admin('config', 'credentials', '--server', url, '--realm', 'master', '--user', 'admin', '--password', 'admin');
    await admin('create', 'realms', '-s', `realm=${realm}`, '-s', 'enabled=true');
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { issuer: `${url}/realms/${realm}`, admin, ...server };
}
