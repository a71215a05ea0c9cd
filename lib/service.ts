import { join } from 'node:path';
import { type App, Tags } from 'aws-cdk-lib';
import { ApiStack } from './api-stack.ts';
import { bundleFunctions } from './bundles.ts';
import { DataStack } from './data-stack.ts';
import { EventsStack } from './events-stack.ts';
import { stageOf } from './stages.ts';

/**
 * Adds the stacks of the stage that the context names (`-c stage=dev`).
 *
 * @throws Error with one line for the operator when the stage is missing or unknown.
 */
export function addService(app: App): void {
  const { name: stage, settings: fixed } = stageOf(app.node.tryGetContext('stage'));
  // On a laptop short URLs carry the port, which the start command chooses.
  const settings = { ...fixed, shortUrlOrigin: app.node.tryGetContext('shortUrlOrigin') ?? fixed.shortUrlOrigin };
  const bundleOf = bundleFunctions(join(app.outdir, 'bundles'));
  const common = { settings, terminationProtection: settings.keepData };

  const { table } = new DataStack(app, `Links-${stage}-Data`, common);
  new ApiStack(app, `Links-${stage}-Api`, { ...common, stage, table, bundleOf });
  new EventsStack(app, `Links-${stage}-Events`, { ...common, table, bundleOf });
  Tags.of(app).add('service', 'links');
  Tags.of(app).add('stage', stage);
}
