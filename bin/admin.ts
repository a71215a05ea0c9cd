import { Command } from 'commander';
import { addAdminCommands } from './admin/program.ts';

// `npm run admin`: the operator's commands.

/** @throws Error if the text cannot be written. */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.on('error', reject);
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

const exitWith = (code: number) => {
  process.exitCode = code;
};

await addAdminCommands(new Command('admin'), print, exitWith).parseAsync();
