import { join } from 'node:path';
import { type App, Tags } from 'aws-cdk-lib';
import { BUNDLING_STACKS } from 'aws-cdk-lib/cx-api';
import { ApiStack } from './api-stack.ts';
import { backupRegionOf, VaultStack } from './backups.ts';
import { type BundleOf, bundlesForLambda } from './bundles.ts';
import { DataStack } from './data-stack.ts';
import { EventsStack } from './events-stack.ts';
import { RedirectStack } from './redirect-stack.ts';
import { type Stage, tagsOf } from './stages/stages.ts';

/**
 * Adds the stacks of a stage.
 *
 * Exports of a stack must not depend on settings, because CloudFormation refuses to remove or change an export while a
 * deployed stack imports it. `test/lib/transitions.test.ts` tests that.
 *
 * @param bundleOf existing bundles. By default, all functions are bundled, with the layers for Lambda.
 * @throws Error with one line for the operator if the settings contradict each other.
 */
export function addService(
  app: App,
  { name: stage, settings }: Stage,
  bundleOf: BundleOf = bundlesForLambda(join(app.outdir, 'bundles'), isPacked(app)),
): void {
  const common = { settings, terminationProtection: settings.keepData };

  const data = new DataStack(app, `Links-${stage}-Data`, { ...common, stage });
  const { tables, clicks, waitingClicks } = data;
  const backupRegion = backupRegionOf(settings);
  if (backupRegion !== undefined) {
    data.addStackDependency(new VaultStack(app, `Links-${stage}-Backups`, { ...common, stage, kind: 'here' }));
    const env = { region: backupRegion };
    data.addStackDependency(new VaultStack(app, `Links-${stage}-Copies`, { ...common, stage, kind: 'copies', env }));
  }
  const redirect = new RedirectStack(app, `Links-${stage}-Redirect`, { ...common, stage, tables, waitingClicks, bundleOf });
  const domainTarget = settings.domainTarget ?? redirect.ownName;
  const { servedNames } = redirect;
  const shared = { ...common, stage, tables, domainTarget, servedNames, bundleOf };
  const api = new ApiStack(app, `Links-${stage}-Api`, { ...shared, clicks });
  const events = new EventsStack(app, `Links-${stage}-Events`, {
    ...shared,
    clicks,
    waitingClicks,
    redirectApiId: redirect.apiId,
  });
  // Stacks that work on restored tables import nothing from the data stack, but need the topic for alarms.
  for (const stack of [redirect, api, events]) stack.addStackDependency(data);
  // The alarm `users-affected` refers to alarms of these stacks by name.
  events.addStackDependency(api);
  events.addStackDependency(redirect);
  for (const [name, value] of Object.entries(tagsOf(stage))) Tags.of(app).add(name, value);
}

/** Whether the CDK's command line needs the functions' assets. `cdk destroy` doesn't. */
const isPacked = (app: App): boolean => app.node.tryGetContext(BUNDLING_STACKS)?.length !== 0;
