import { Command } from 'commander';
import { ownTerminal } from './shared/terminal.ts';
import { addSmoke } from './smoke/program.ts';

// `npm run smoke`: tries a running service from the outside, and leaves nothing behind.

await addSmoke(new Command('smoke'), ownTerminal).parseAsync();
