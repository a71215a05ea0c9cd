import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { type BundleOf, bundleFunctions } from '../../lib/bundles.ts';
import { addService } from '../../lib/service.ts';
import type { Stage } from '../../lib/stages/stages.ts';
import { project } from './programs.ts';

type Resource = { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> };
export type Template = { readonly Resources: Readonly<Record<string, Resource>> };

/** Bundles the functions for all stages that a judge checks. */
export const bundlesFor = (folder: string): BundleOf => bundleFunctions(join(folder, 'bundles'));

/** Synthesises the stacks of a stage into a folder, like the CDK's command line, but without its validator. */
export function synthesiseStage(stage: Stage, outdir: string, bundleOf: BundleOf): void {
  process.env.CDK_VALIDATION = 'false';
  const { context } = JSON.parse(readFileSync(join(project, 'cdk.json'), 'utf8'));
  const app = new App({ context, outdir });
  addService(app, stage, bundleOf);
  app.synth();
}

/** The names of a stage's stacks, in the order in which they are deployed. */
export const stacksOf = (stage: string): readonly string[] =>
  ['Data', 'Redirect', 'Api', 'Events'].map((name) => `Links-${stage}-${name}`);

export const templateFile = (outdir: string, stack: string): string => join(outdir, `${stack}.template.json`);

export const templateOf = (outdir: string, stack: string): Template =>
  JSON.parse(readFileSync(templateFile(outdir, stack), 'utf8'));

/**
 * The template without some types of resources.
 *
 * @param standIns replacements for references to resources, by type; the default is a made-up name.
 */
export function without(
  template: Template,
  types: readonly string[],
  standIns: Readonly<Record<string, string | undefined>> = {},
): Template {
  const left = Object.entries(template.Resources).filter(([, { Type }]) => types.includes(Type));
  const names = new Map<unknown, string>(left.map(([name, { Type }]) => [name, standIns[Type] ?? `no-${name}`]));
  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replaced);
    if (value === null || typeof value !== 'object') return value;
    const { Ref, 'Fn::GetAtt': attribute, DependsOn } = value as { Ref?: unknown; 'Fn::GetAtt'?: unknown; DependsOn?: unknown };
    const standIn = names.get(Ref ?? (Array.isArray(attribute) ? attribute[0] : undefined));
    if (standIn !== undefined) return standIn;
    const entries = Object.entries(value).filter(([key]) => key !== 'DependsOn');
    const needed = [DependsOn].flat().filter((id) => id !== undefined && !names.has(id));
    return {
      ...Object.fromEntries(entries.map(([key, one]) => [key, replaced(one)])),
      ...(needed.length > 0 && { DependsOn: needed }),
    };
  };
  const kept = Object.entries(template.Resources).filter(([id]) => !names.has(id));
  return replaced({ ...template, Resources: Object.fromEntries(kept) }) as Template;
}
