import { Command } from 'commander';
import { addExportCommands } from './export/program.ts';
import { ownTerminal } from './shared/terminal.ts';

// `npm run export`: exports the links or clicks of a workspace, over the API.

await addExportCommands(new Command('export'), ownTerminal).parseAsync();
