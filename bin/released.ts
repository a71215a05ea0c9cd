import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Command } from 'commander';
import { comparedStage, lossesOf, type Released, releasedOf, type Templates } from '../lib/released.ts';
import { addService } from '../lib/service.ts';
import { withOneLineErrors } from './shared/arguments.ts';

// `npm run released`: records in lib/released.json what this release deploys and later releases must not lose. It takes the
// version from package.json.

const project = join(import.meta.dirname, '..');
const file = join(project, 'lib/released.json');
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

/** The templates of the stage that is compared. The functions' code does not matter, so their bundles are empty. */
function synthesise(): Templates {
  const outdir = mkdtempSync(join(tmpdir(), 'links-released-'));
  try {
    const { context } = read(join(project, 'cdk.json'));
    const app = new App({ outdir, context });
    const bundle = join(outdir, 'bundle');
    mkdirSync(bundle);
    writeFileSync(join(bundle, 'index.js'), '');
    addService(app, comparedStage(), () => bundle);
    const { stacks } = app.synth();
    return Object.fromEntries(stacks.map(({ stackName, template }) => [stackName, template]));
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

const program = withOneLineErrors(new Command('released'))
  .description('Record what this release deploys, which later releases must not lose')
  .option('--anyway', 'record it even if a deployment over the last release would lose something')
  .action(({ anyway = false }: { anyway?: boolean }) => {
    const templates = synthesise();
    const last: Released = read(file);
    const losses = lossesOf(last, templates);
    for (const loss of losses) console.error(loss);
    if (losses.length && !anyway) {
      program.error(
        `error: deployed over ${last.version}, this loses something: see docs/deploy.md#what-a-release-must-not-lose`,
      );
    }
    const { version } = read(join(project, 'package.json'));
    writeFileSync(file, `${JSON.stringify(releasedOf(version, templates), null, 2)}\n`);
    execFileSync('npx', ['biome', 'format', '--write', file], { cwd: project, stdio: 'ignore' });
    console.log(`lib/released.json says what ${version} deploys`);
  });

await program.parseAsync();
