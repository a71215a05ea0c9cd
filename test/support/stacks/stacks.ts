import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { inject } from 'vitest';
import { bundlesIn } from '../../../lib/bundles.ts';
import { addService } from '../../../lib/service.ts';
import type { Stage } from '../../../lib/stages/stages.ts';
import { withValidation } from './with-validation.ts';

const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));

/** Turns off stack traces of resources, which take time and are in no template. */
const quick = { 'aws:cdk:disable-stack-trace': true, 'aws:cdk:disable-creation-stack-traces': true };
/** A template refers to a bundle by a hash of its content, so most tests need no copy of the bundles. */
const inPlace = { 'aws:cdk:disable-asset-staging': true };

/**
 * An app with the flags of `cdk.json`, as the CDK's command line makes it. It is deleted at the end of the run.
 *
 * @param packed whether to copy the bundles into the app.
 */
export const newApp = ({ packed = false } = {}): App =>
  new App({
    context: { ...context, ...quick, ...(!packed && inPlace) },
    outdir: mkdtempSync(`${inject('service').outdir}-`),
    treeMetadata: false,
    analyticsReporting: false,
  });

const synthesised = new Map<string, ReturnType<typeof synthesise>>();

/**
 * The stacks of a stage and their templates, with the bundles of this run. Tests share them, and change nothing.
 *
 * @param validated whether CloudFormation's validator checks them, which takes longer than all else.
 * @param packed whether to copy the bundles into the app.
 */
export function stacksOf(stage: Stage, { validated = false, packed = false } = {}) {
  const key = JSON.stringify([stage, validated, packed]);
  const stacks = synthesised.get(key) ?? withValidation(validated, () => synthesise(stage, packed));
  synthesised.set(key, stacks);
  return stacks;
}

function synthesise(stage: Stage, packed: boolean) {
  const app = newApp({ packed });
  addService(app, stage, bundlesIn(join(inject('service').outdir, 'bundles')));
  const stackOf = (name: string) => app.node.findChild(`Links-${stage.name}-${name}`) as Stack;
  const [data, api, redirect, events] = ['Data', 'Api', 'Redirect', 'Events'].map((name) => Template.fromStack(stackOf(name)));
  if (!data || !api || !redirect || !events) throw new Error('a stack is missing');
  return { app, data, api, redirect, events, all: [data, api, redirect, events], stackOf };
}
