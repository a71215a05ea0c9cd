import { Command } from 'commander';
import { addLinksCommands } from './links/program.ts';
import { ownTerminal } from './shared/terminal.ts';

// `npm run links`: manages links with a manifest, over the API.

await addLinksCommands(new Command('links'), ownTerminal).parseAsync();
