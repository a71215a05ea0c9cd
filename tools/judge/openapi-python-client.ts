import { globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { project, pythonPrograms, run, settings } from './programs.ts';
import type { Judge } from './verdict.ts';

/** Generates a client in Python, and loads all of it. */
export const openapiPythonClient: Judge = async (folder) => {
  const bin = await pythonPrograms('openapi');
  const { code, output } = await run(
    join(bin, 'openapi-python-client'),
    [
      'generate',
      '--path',
      join(project, 'openapi.json'),
      '--config',
      join(settings, 'python.yml'),
      '--output-path',
      join(folder, 'client'),
    ],
    { env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` } },
  );
  // Without the package itself.
  const models = globSync(join(folder, 'client/*/models/*.py')).length - 1;
  const loaded = await run(
    join(bin, 'python'),
    [
      '-c',
      'import pkgutil, importlib, links_client as c; [importlib.import_module(m.name) for m in pkgutil.walk_packages(c.__path__, "links_client.")]',
    ],
    { cwd: join(folder, 'client') },
  );
  return {
    findings: [...(code !== 0 || /warning|error/i.test(output) ? [output] : []), ...(loaded.code === 0 ? [] : [loaded.output])],
    remarks: `${models} models`,
  };
};
