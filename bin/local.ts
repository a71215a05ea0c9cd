import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { asAuthor } from '../lambdas/runtime/author.ts';
import type { SettingsInput } from '../lib/stages/settings.ts';
import { readLaptopSignIn } from '../lib/stages/stages.ts';
import { holdDataFolder } from '../local/data-folder.ts';
import { findPort } from '../local/net/ports.ts';
import { startService } from '../local/service.ts';
import { synthesise } from '../local/template/synth.ts';
import { seedDemo } from './local/demo.ts';
import { clientId, demoPeople } from './local/demo-people.ts';
import { seedSample } from './local/sample-data.ts';
import { dataDirOption, withOneLineErrors } from './shared/arguments.ts';
import { localServiceOf } from './shared/target.ts';

// `npm start`: synthesises the app and serves it on this machine until a signal stops it.

const project = join(import.meta.dirname, '..');

await main().catch((error: Error) => end(error.message));

async function main(): Promise<void> {
  // The data include keys and password hashes, so only the owner may read what this process and its children create.
  process.umask(0o077);
  const settings = readSettings();
  const { dataDir, inMemory } = settings;
  const stopOn = stopOnSignals();

  const held = holdDataFolder(dataDir);
  process.on('exit', held.release);
  const port = await findPort(settings.port);
  const issuer = settings.signIn ? (await startDemoProvider(port, settings.port)).issuer : undefined;
  const signIn = issuer === undefined ? settings.ownSignIn : { issuer, clientId };
  const service = await startService({
    outdir: await synthesise(project, dataDir, {
      port: String(port),
      ...(signIn && { signIn: JSON.stringify(signIn) }),
      ...(settings.managedDomains && { managedDomains: 'true' }),
    }),
    dataDir,
    port,
    inMemory,
    secrets: settings.secrets,
    onFailure: (error) => end(error.message),
    ...(process.env.FUNCTION_LOG === 'stderr' && { log: (line: string) => console.error(line) }),
  });
  stopOn(service);

  // The schedule would make the first secrets after an hour, as on AWS, but somebody who tries the service should not
  // wait.
  await service.invoke('rotate-day-secrets', {});
  const { baseUrl } = service;
  const reached = localServiceOf(service);
  const operator = { actor: { type: 'operator', id: null, name: 'start' }, requestId: null } as const;
  const lines = await asAuthor(operator, () => seedDemo({ baseUrl, dataDir, issuer, ...reached }));
  publish(join(dataDir, 'service.json'), { pid: process.pid, baseUrl, ...reached });
  if (settings.hasSample) lines.push(...(await asAuthor(operator, () => seedSample({ baseUrl }))));
  for (const line of lines) console.log(line);
  console.log(`ready ${baseUrl}`);
}

/**
 * Starts a provider with which the demo people can sign in. It takes the next port, to be the same one at each start:
 * at another address, it would be another provider with other people.
 */
async function startDemoProvider(port: number, wanted: number) {
  // Only this needs the package.
  const { startProvider } = await import('./local/provider.ts');
  const origins = ['127.0.0.1', 'localhost'].map((host) => `http://${host}:${port}`);
  return startProvider(await findPort(wanted === 0 ? 0 : port + 1), demoPeople, origins);
}

type Settings = {
  readonly port: number;
  readonly dataDir: string;
  readonly inMemory: boolean;
  readonly managedDomains: boolean;
  /** Whether to start a provider with the demo people. */
  readonly signIn: boolean;
  /** The operator's own provider, with which people sign in instead. */
  readonly ownSignIn: SettingsInput['signIn'];
  readonly secrets: Readonly<Record<string, string>>;
  readonly hasSample: boolean;
};

/** A flag overrides the environment variable, which overrides the default. An empty variable is ignored. */
function readSettings(): Settings {
  const program = withOneLineErrors(new Command('npm start --'))
    .description('Run the service on this machine, with a demo workspace, until Ctrl-C stops it')
    .option('--port <port>', 'the port; 0 takes any free one (default: $PORT or 3000)', portIn)
    .addOption(dataDirOption())
    .option('--in-memory', 'keep no data after the end')
    .option('--sample-data', 'add a workspace full of sample data')
    .option('--managed-domains', 'make certificates and names for domains outside of localhost')
    .option('--sign-in', 'start a provider with which three people of the demo workspace can sign in')
    .option('--sign-in-settings <file>', 'let people sign in with your own provider: see docs/start.md')
    .parse();
  const { port = portIn(process.env.PORT || '3000'), ...given } = program.opts();
  if (given.signIn && given.signInSettings !== undefined)
    throw new Error('leave out --sign-in or --sign-in-settings: people sign in with one provider');
  const own = given.signInSettings === undefined ? undefined : readLaptopSignIn(given.signInSettings);
  return {
    port,
    dataDir: resolve(given.dataDir || '.local'),
    inMemory: given.inMemory ?? false,
    managedDomains: given.managedDomains ?? false,
    signIn: given.signIn ?? false,
    ownSignIn: own?.signIn,
    secrets: own?.secrets ?? {},
    hasSample: given.sampleData ?? false,
  };
}

function portIn(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a port: use a whole number from 0 to 65535`);
}

/** The first signal stops the service gracefully, a second one immediately. */
function stopOnSignals(): (service: { stop(): Promise<void> }) => void {
  let running: { stop(): Promise<void> } | undefined;
  let firstAt: number | undefined;
  const onSignal = () => {
    // The terminal sends Ctrl-C to this process and to npm, which forwards it. These two signals are taken as one.
    if (firstAt !== undefined) return Date.now() - firstAt > 500 ? end('stopped immediately') : undefined;
    firstAt = Date.now();
    if (!running) process.exit(0);
    running.stop().then(
      () => process.exit(0),
      (error: Error) => end(error.message),
    );
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return (service) => {
    running = service;
  };
}

/**
 * Writes the file that tells other programs, such as the admin command, how to reach the service. It is deleted when
 * this process exits, but not if it is killed.
 */
function publish(file: string, service: object): void {
  writeFileSync(`${file}.new`, JSON.stringify(service, null, 2));
  renameSync(`${file}.new`, file);
  process.on('exit', () => rmSync(file, { force: true }));
}

function end(reason: string): never {
  console.error(reason);
  process.exit(1);
}
