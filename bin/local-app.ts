import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { addService } from '../lib/service.ts';
import { localStage } from '../lib/stages.ts';
import { keptBundles } from './local/kept-bundles.ts';

// The app with the stacks for the laptop. The CDK's command line never runs it, so nobody can deploy it by mistake.

const app = new App();
addService(app, localStage(app.node.tryGetContext('port') ?? 3000), keptBundles(join(app.outdir, 'bundles')));
app.synth();
