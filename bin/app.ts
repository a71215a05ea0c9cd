import { App } from 'aws-cdk-lib';
import { addService } from '../lib/service.ts';
import { stageOf } from '../lib/stages.ts';

// The app that the CDK's command line runs: the stacks of the stage in the context (`-c stage=dev`).

const app = new App();
try {
  addService(app, stageOf(app.node.tryGetContext('stage')));
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
app.synth();
