import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastLine, project, pythonPrograms, run, settings } from './programs.ts';
import { type Judge, NotAvailable } from './verdict.ts';

/** Warnings that openapi-generator gives for every such document. */
const harmless = [
  /OpenAPI 3.1 support is still in beta/,
  /Ignoring complex example on request body/,
  /Failed to get the schema name: null/,
  /writing file/,
];

/** Generates a client in Java, and compiles it with Maven. */
export const openapiGenerator: Judge = async (folder) => {
  if ((await run('java', ['-version'])).code !== 0) throw new NotAvailable('Java');
  const bin = await pythonPrograms('openapi');
  const { code, output } = await run(
    join(bin, 'openapi-generator-cli'),
    [
      'generate',
      '--input-spec',
      join(project, 'openapi.json'),
      '--config',
      join(settings, 'java.yml'),
      '--output',
      join(folder, 'client'),
    ],
    { cwd: folder },
  );
  const warnings = output
    .split('\n')
    .filter((line) => /WARN|ERROR|Exception/.test(line) && !harmless.some((one) => one.test(line)));
  if (code !== 0) warnings.push(lastLine({ output }));
  const responses = globSync(join(folder, 'client/src/main/**/model/*.java')).filter(
    (file) => !/(Request|ImportLink|LinkSettings)\.java$/.test(file),
  );
  const strict = responses.filter((file) => readFileSync(file, 'utf8').includes('is not defined in the'));
  const compiled = await run('mvn', ['--batch-mode', '--quiet', '-DskipTests', 'compile'], { cwd: join(folder, 'client') });
  const compiler = compiled.code === 127 ? ', not compiled: no Maven' : compiled.code === 0 ? ', compiled' : '';
  return {
    findings: [
      ...warnings,
      ...strict.map((file) => `${file} refuses fields of later versions`),
      ...(compiled.code === 0 || compiled.code === 127 ? [] : [compiled.output]),
    ],
    remarks: `${responses.length} models of responses${compiler}`,
  };
};
