import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pointStoreAt } from '../bin/target.ts';
import { connect } from '../local/dynamodb.ts';
import { startEngine } from '../local/engine.ts';
import { region } from '../local/resources.ts';
import { synthesise } from '../local/synth.ts';
import { ensureTable } from '../local/table.ts';
import { loadTemplate } from '../local/template.ts';
import { functionSettings } from './local-service.ts';

// Prints docs/cost.md. On the engine alone: in a running service the stream's functions would do what is to be measured.

const folder = mkdtempSync(join(tmpdir(), 'links-cost-'));
const outdir = await synthesise(join(import.meta.dirname, '..'), folder, { port: '3000' });
const engine = await startEngine({
  folder,
  scratch: true,
  log: console.error,
  onFailure: ({ message }) => console.error(message),
});
const dynamoDb = connect(engine.endpoint);
try {
  const { name } = await ensureTable(loadTemplate(outdir), dynamoDb);
  pointStoreAt({ endpoint: engine.endpoint, tableName: name, region });
  Object.assign(process.env, functionSettings);
  const { costPage } = await import('./cost-page.ts');
  process.stdout.write(await costPage(outdir));
} finally {
  dynamoDb.close();
  await engine.stop();
}
