import { asProgram, destroy } from './cdk/commands.ts';

// `npm run destroy`: takes a stage down.

await asProgram(destroy);
