import { spawn } from 'node:child_process';
import { once } from 'node:events';

// npm run check: the checks of the code that run none of it, side by side. Fails if one of them does.

async function succeeds(program: string, ...args: string[]): Promise<boolean> {
  const [code] = await once(spawn(program, args, { stdio: 'inherit' }), 'close');
  return code === 0;
}

const results = await Promise.all([succeeds('tsc'), succeeds('biome', 'check'), succeeds('knip')]);
process.exitCode = results.every(Boolean) ? 0 : 1;
