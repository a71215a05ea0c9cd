import { Command } from 'commander';
import { addAdminCommands } from './admin/program.ts';
import { ownTerminal } from './shared/terminal.ts';

// `npm run admin`: the operator's commands.

await addAdminCommands(new Command('admin'), ownTerminal).parseAsync();
