import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import type { Templates } from '../../lib/released.ts';
import { addService } from '../../lib/service.ts';
import type { Stage } from '../../lib/stages/stages.ts';

const project = join(import.meta.dirname, '../..');

/** Finding where in the code each resource was made takes time. */
const quick = { 'aws:cdk:disable-stack-trace': true, 'aws:cdk:disable-creation-stack-traces': true };

/**
 * The templates of a stage, as the CDK would deploy them. The functions are empty: bundles and tables of countries take
 * long.
 *
 * @throws Error with one line for the operator if the settings contradict each other.
 */
export function templatesOf({ name, settings }: Stage): Templates {
  const { context } = JSON.parse(readFileSync(join(project, 'cdk.json'), 'utf8'));
  const outdir = mkdtempSync(join(tmpdir(), 'links-templates-'));
  const nothing = mkdtempSync(join(outdir, 'nothing-'));
  try {
    const app = new App({
      context: { ...context, ...quick },
      outdir,
      // A deployment validates them itself.
      builtinCloudFormationValidation: false,
      treeMetadata: false,
      analyticsReporting: false,
    });
    addService(app, { name, settings: { ...settings, countryFrom: 'off' } }, () => nothing);
    return Object.fromEntries(app.synth().stacks.map(({ stackName, template }) => [stackName, template]));
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
