import { cpSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { once, project, run, settings } from './programs.ts';
import { type Judge, NotAvailable } from './verdict.ts';

/** Generates the schema of a provider for Terraform. */
export const tfplugingenOpenapi: Judge = async (folder) => {
  if ((await run('go', ['version'])).code !== 0) throw new NotAvailable('Go');
  const made = await once('go', 'go.sum', async (folder) => {
    for (const file of ['go.mod', 'go.sum']) cpSync(join(settings, file), join(folder, `${file}.wanted`));
    for (const file of ['go.mod', 'go.sum']) renameSync(join(folder, `${file}.wanted`), join(folder, file));
    const generator = 'github.com/hashicorp/terraform-plugin-codegen-openapi/cmd/tfplugingen-openapi';
    return run('go', ['build', '-mod=mod', '-o', join(folder, 'generator'), generator], { cwd: folder });
  });
  const { code, output } = await run(join(made, 'generator'), [
    'generate',
    '--config',
    join(settings, 'terraform.yml'),
    '--output',
    join(folder, 'provider.json'),
    join(project, 'openapi.json'),
  ]);
  if (code !== 0 || output) return { findings: [output] };
  const { resources, datasources } = JSON.parse(readFileSync(join(folder, 'provider.json'), 'utf8'));
  return { findings: [], remarks: `${resources.length} resources, ${datasources.length} data sources` };
};
