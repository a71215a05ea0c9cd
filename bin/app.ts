import { App } from 'aws-cdk-lib';
import { addService } from '../lib/service.ts';
import { stageOfContext } from '../lib/stages.ts';

// The app that the CDK's command line runs: the stacks of the stage in the context (`-c stage=dev`, or
// `-c stage=preview -c name=pr-12`).

const app = new App();
try {
  const inContext = (key: string): unknown => app.node.tryGetContext(key);
  addService(app, stageOfContext({ stage: inContext('stage'), name: inContext('name') }));
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
app.synth();
