import { Command } from 'commander';
import { addImport } from './import/program.ts';
import { ownTerminal } from './shared/terminal.ts';

// `npm run import`: imports links from another service, over the API.

await addImport(new Command('import'), ownTerminal).parseAsync();
