import { App } from 'aws-cdk-lib';
import { addService } from '../lib/service.ts';
import { localStage } from '../lib/stages.ts';

// The same stacks for the laptop. The CDK's command line never runs this, so that nobody deploys it.

const app = new App();
addService(app, localStage(app.node.tryGetContext('port') ?? 3000));
app.synth();
