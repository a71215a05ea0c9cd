import { App } from 'aws-cdk-lib';
import { addService } from '../lib/service.ts';

const app = new App();
try {
  addService(app);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
app.synth();
