import { App } from 'aws-cdk-lib';
import { adviceFor } from '../lib/alarms.ts';
import { addService } from '../lib/service.ts';
import { stageOfContext } from '../lib/stages/stages.ts';

// The app that the CDK's command line runs: the stacks of the stage in the context (`-c stage=prod`, or
// `-c stage=preview -c name=pr-12`), or dev.

const app = new App();
try {
  const inContext = (key: string): unknown => app.node.tryGetContext(key);
  const stage = stageOfContext({ stage: inContext('stage'), name: inContext('name') });
  const advice = adviceFor(stage);
  if (advice) console.error(advice);
  addService(app, stage);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
app.synth();
