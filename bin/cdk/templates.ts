import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { addService } from '../../lib/service.ts';
import type { Stage } from '../../lib/stages.ts';

/** A resource of a template. */
export type Resource = { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> };

/** Where in the code each resource was made takes time to find. */
const quick = { 'aws:cdk:disable-stack-trace': true, 'aws:cdk:disable-creation-stack-traces': true };

const project = join(import.meta.dirname, '../..');

/**
 * The resources of a stage's stacks, as the CDK would deploy them. What functions consist of is left out: bundles and tables
 * of countries take long.
 *
 * @throws Error with one line for the operator if the settings contradict each other.
 */
export function resourcesOfStage({ name, settings }: Stage): Resource[] {
  const { context } = JSON.parse(readFileSync(join(project, 'cdk.json'), 'utf8'));
  const outdir = mkdtempSync(join(tmpdir(), 'links-templates-'));
  const nothing = mkdtempSync(join(outdir, 'nothing-'));
  try {
    const app = new App({
      context: { ...context, ...quick },
      outdir,
      // The deployment itself validates.
      builtinCloudFormationValidation: false,
      treeMetadata: false,
      analyticsReporting: false,
    });
    addService(app, { name, settings: { ...settings, countryFrom: 'off' } }, () => nothing);
    return app.synth().stacks.flatMap(({ template }) => Object.values(template.Resources as Record<string, Resource>));
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
