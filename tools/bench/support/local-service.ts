import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localServiceOf, pointStoreAt } from '../../../bin/shared/target.ts';
import { connect } from '../../../local/database/dynamodb.ts';
import { startEngine } from '../../../local/database/engine.ts';
import { ensureTables } from '../../../local/database/table.ts';
import { type Service, startService } from '../../../local/service.ts';
import { synthesise } from '../../../local/template/synth.ts';
import { loadTemplate } from '../../../local/template/template.ts';

/** The environment of functions that are called in this process. */
export const functionSettings = {
  PERMISSION: 'links:write',
  MAX_LINKS_PER_IMPORT: '1000',
  REQUEST_BURST: '1000',
  REQUEST_RATE: '100',
  SHORT_URL_ORIGIN: 'https://{domain}',
  CLICK_DAYS: '1100',
  HISTORY_DAYS: '365',
  DOMAIN_TARGET: 'links.localhost',
  SERVED_NAMES: '*',
  DOMAIN_ACTIVATION: 'dns',
};

/** The environment of a function that runs in a process of its own, on the tables of `withService`. */
export const functionEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    [
      'PATH',
      'TABLE_NAME',
      'ACTIVITY_TABLE_NAME',
      'SECRETS_TABLE_NAME',
      'AWS_ENDPOINT_URL_DYNAMODB',
      'AWS_REGION',
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
    ].map((name) => [name, process.env[name]]),
  ),
  ...functionSettings,
});

/**
 * Starts a local service, runs the work, and stops the service. The store of this process uses the service's tables. So
 * the work itself must import the store's modules, which read the tables' names when they are loaded.
 *
 * @param readsStreams whether clicks are counted and tags are swept, which takes processor time of this process.
 */
export async function withService(
  work: (service: Service, outdir: string) => Promise<void>,
  { readsStreams = true } = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'links-bench-'));
  const outdir = await synthesise(join(import.meta.dirname, '../../..'), folder, { port: '3000' });
  if (!readsStreams) removeReaders(outdir);
  const service = await startService({ outdir, inMemory: true, log: () => {} });
  try {
    pointStoreAt(localServiceOf(service));
    Object.assign(process.env, functionSettings, { SECRETS_TABLE_NAME: secretsTableIn(outdir) });
    await work(service, outdir);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The table of the secrets of days. No output of a stack names it, because only functions need it. */
const secretsTableIn = (outdir: string): string | undefined =>
  loadTemplate(outdir)
    .ofType('AWS::DynamoDB::GlobalTable')
    .find(({ id }) => id.startsWith('secrets'))?.name;

/** Removes the mappings of streams to functions from the templates. */
function removeReaders(outdir: string): void {
  for (const file of globSync(join(outdir, '*.template.json'))) {
    const { Resources, ...template } = JSON.parse(readFileSync(file, 'utf8'));
    const kept = Object.entries<{ Type: string }>(Resources).filter(([, { Type }]) => Type !== 'AWS::Lambda::EventSourceMapping');
    writeFileSync(file, JSON.stringify({ ...template, Resources: Object.fromEntries(kept) }));
  }
}

/** Like `withService`, but only with the tables: nothing else runs in this process, and nothing reads the streams. */
export async function withTable(work: () => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'links-bench-'));
  const outdir = await synthesise(join(import.meta.dirname, '../../..'), folder, { port: '3000' });
  const fail = (error: Error) => console.error(error.message);
  const engine = await startEngine({ folder, scratch: true, log: () => {}, onFailure: fail });
  try {
    const template = loadTemplate(outdir);
    await ensureTables(template, connect(engine.endpoint));
    pointStoreAt(localServiceOf({ endpoint: engine.endpoint, output: template.output }));
    Object.assign(process.env, functionSettings);
    await work();
  } finally {
    await engine.stop();
  }
}
