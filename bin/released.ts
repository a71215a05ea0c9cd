import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { comparedStage, lossesOf, type Released, releasedOf } from '../lib/released.ts';
import { templatesOf } from './cdk/templates.ts';
import { withOneLineErrors } from './shared/arguments.ts';

// `npm run released`: records in lib/released.json what this release deploys and later releases must not lose. It takes
// the version from package.json.

const project = join(import.meta.dirname, '..');
const file = join(project, 'lib/released.json');
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

const program = withOneLineErrors(new Command('released'))
  .description('Record what this release deploys, which later releases must not lose')
  .option('--anyway', 'record it even if a deployment over the last release would lose something')
  .action(({ anyway = false }: { anyway?: boolean }) => {
    const templates = templatesOf(comparedStage());
    const last: Released = read(file);
    const losses = lossesOf(last, templates);
    for (const loss of losses) console.error(loss);
    if (losses.length && !anyway) {
      program.error(
        `error: deployed over ${last.version}, this loses something: see docs/upgrade.md#what-a-release-must-not-lose`,
      );
    }
    const { version } = read(join(project, 'package.json'));
    writeFileSync(file, `${JSON.stringify(releasedOf(version, templates), null, 2)}\n`);
    execFileSync('npx', ['biome', 'format', '--write', file], { cwd: project, stdio: 'ignore' });
    console.log(`lib/released.json says what ${version} deploys`);
  });

await program.parseAsync();
