import { join } from 'node:path';
import { withDemo } from './demo.ts';
import { lastLine, project, pythonPrograms, run, settings } from './programs.ts';
import type { Judge } from './verdict.ts';

/** Starts a local service, sends requests to it, and compares the responses with openapi.json. */
export const schemathesis: Judge = async (folder, more) => {
  const bin = await pythonPrograms('openapi');
  return withDemo(folder, async ({ baseUrl, apiKey, domain }) => {
    const config = join(settings, 'schemathesis.toml');
    const args = ['--config-file', config, 'run', join(project, 'openapi.json'), '--url', baseUrl, ...more];
    const env = { ...process.env, SCHEMATHESIS_HOOKS: join(settings, 'hooks.py'), API_KEY: apiKey, DOMAIN: domain };
    const { code, output } = await run(join(bin, 'schemathesis'), args, { cwd: folder, env });
    const [, cases] = /^Test cases:\n\s*(.*)$/m.exec(output) ?? [];
    return { findings: code === 0 ? [] : [output], remarks: cases ?? lastLine({ output }) };
  });
};
