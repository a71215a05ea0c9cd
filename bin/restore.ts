import { Command } from 'commander';
import { addRestore } from './restore/program.ts';
import { ownTerminal } from './shared/terminal.ts';

// `npm run restore`: makes new tables with the content of both tables of a stage at one time, and says how to point the
// stage at them.

await addRestore(new Command('restore'), ownTerminal).parseAsync();
