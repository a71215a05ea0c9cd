import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seedDemo } from '../../bin/local/demo.ts';
import { localServiceOf } from '../../bin/shared/target.ts';
import { asAuthor } from '../../lambdas/runtime/author.ts';
import { findPort } from '../../local/net/ports.ts';
import { startService } from '../../local/service.ts';
import { synthesise } from '../../local/template/synth.ts';
import { project } from './programs.ts';

/** @property apiKey a key of the demo workspace. @property domain its domain. */
type Demo = { readonly baseUrl: string; readonly apiKey: string; readonly domain: string };

/** Does the work with a local service that has the demo workspace. @param folder a temporary folder. */
export async function withDemo<T>(folder: string, work: (demo: Demo) => Promise<T>): Promise<T> {
  const port = await findPort(0);
  const service = await startService({ outdir: await synthesise(project, folder, { port: String(port) }), port, inMemory: true });
  try {
    const reached = localServiceOf(service);
    const { baseUrl } = service;
    const operator = { actor: { type: 'operator', id: null, name: 'judge' }, requestId: null } as const;
    await asAuthor(operator, () => seedDemo({ baseUrl, dataDir: folder, ...reached }));
    const { apiKey, domain } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
    return await work({ baseUrl, apiKey, domain });
  } finally {
    await service.stop();
  }
}
