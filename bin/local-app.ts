import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { addService } from '../lib/service.ts';
import { localStage } from '../lib/stages/stages.ts';
import { keptBundles } from './local/kept-bundles.ts';

// The app with the stacks for the laptop. The CDK's command line never runs it, so nobody can deploy it by mistake.

const app = new App();
const { node } = app;
const signIn: string | undefined = node.tryGetContext('signIn');
const stage = localStage(
  node.tryGetContext('port') ?? 3000,
  signIn === undefined ? undefined : JSON.parse(signIn),
  node.tryGetContext('managedDomains') === 'true',
);
addService(app, stage, keptBundles(join(app.outdir, 'bundles')));
app.synth();
