import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seedDemo } from '../../bin/local/demo.ts';
import { localServiceOf } from '../../bin/shared/target.ts';
import { asAuthor } from '../../lambdas/runtime/author.ts';
import { findPort } from '../../local/net/ports.ts';
import { startService } from '../../local/service.ts';
import { synthesise } from '../../local/template/synth.ts';
import { lastLine, project, pythonPrograms, run, settings } from './programs.ts';
import type { Judge } from './verdict.ts';

/** Starts a local service, sends requests to it, and compares the responses with openapi.json. */
export const schemathesis: Judge = async (folder, more) => {
  const bin = await pythonPrograms('openapi');
  const port = await findPort(0);
  const service = await startService({ outdir: await synthesise(project, folder, { port: String(port) }), port, inMemory: true });
  try {
    const reached = localServiceOf(service);
    const operator = { actor: { type: 'operator', id: null, name: 'judge' }, requestId: null } as const;
    await asAuthor(operator, () => seedDemo({ baseUrl: service.baseUrl, dataDir: folder, ...reached }));
    const { apiKey, domain } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
    const { code, output } = await run(
      join(bin, 'schemathesis'),
      [
        '--config-file',
        join(settings, 'schemathesis.toml'),
        'run',
        join(project, 'openapi.json'),
        '--url',
        service.baseUrl,
        ...more,
      ],
      {
        cwd: folder,
        env: { ...process.env, SCHEMATHESIS_HOOKS: join(settings, 'hooks.py'), API_KEY: apiKey, DOMAIN: domain },
      },
    );
    const [, cases = lastLine({ output })] = /^Test cases:\n\s*(.*)$/m.exec(output) ?? [];
    return { findings: code === 0 ? [] : [output], remarks: cases };
  } finally {
    await service.stop();
  }
};
