import { spawn } from 'node:child_process';
import { once } from 'node:events';

// npm run check: type checks, linter and search for unused code, side by side. It fails if one of them fails.

async function succeeds(program: string, ...args: string[]): Promise<boolean> {
  const [code] = await once(spawn(program, args, { stdio: 'inherit' }), 'close');
  return code === 0;
}

// Each further checker would check the shared types again, and the other programs need the other cores.
const results = await Promise.all([
  succeeds('tsc', '--checkers', '1'),
  succeeds('tsc', '--checkers', '1', '--project', 'clients/console'),
  succeeds('biome', 'check'),
  succeeds('knip'),
]);
process.exitCode = results.every(Boolean) ? 0 : 1;
