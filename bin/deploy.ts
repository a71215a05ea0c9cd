import { asProgram, deploy } from './cdk/commands.ts';

// `npm run deploy`: deploys a stage, and lets CloudFormation undo what sets its alarms off.

await asProgram(deploy);
