import { type ExecFileException, execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { asAuthor } from '../lambdas/runtime/author.ts';
import { findPort } from '../local/ports.ts';
import { startService } from '../local/service.ts';
import { synthesise } from '../local/template/synth.ts';
import { seedDemo } from './demo.ts';
import { localServiceOf } from './target.ts';

// `npm run judge`: lets other people's programs judge openapi.json, and the service by it. They need Python with pip, Java
// and Go; what is not there is skipped and named. Exits with 1 if one finds something. The settings of the judges are in
// openapi/judge, and their programs are kept in node_modules/.cache/judge.

const project = join(import.meta.dirname, '..');
const settings = join(project, 'openapi/judge');
const kept = join(project, 'node_modules/.cache/judge');
const specification = join(project, 'openapi.json');

/** What a judge says: nothing if it found nothing. */
type Verdict = { readonly findings: readonly string[]; readonly remarks?: string } | { readonly missing: string };
/** @param folder a temporary folder of its own. */
type Judge = (folder: string) => Promise<Verdict>;

type Run = { readonly code: number; readonly output: string };

/** Runs a program, and returns its exit code with everything that it wrote. The code is 127 if it does not exist. */
const run = (program: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): Promise<Run> =>
  new Promise((resolve) => {
    const done = (error: ExecFileException | null, stdout: string, stderr: string) => {
      const code = error?.code === 'ENOENT' ? 127 : typeof error?.code === 'number' ? error.code : error ? 1 : 0;
      resolve({ code, output: `${stdout}${stderr}` });
    };
    execFile(program, args, { ...options, maxBuffer: 1 << 28 }, done);
  });

const lastLine = ({ output }: Run): string => output.trimEnd().split('\n').at(-1) ?? '';

/** Makes a folder in `kept` once for each state of a file of settings. @throws Error if it cannot be made */
async function once(name: string, file: string, make: (folder: string) => Promise<Run>): Promise<string> {
  const folder = join(kept, name);
  const made = join(folder, file);
  if (existsSync(made) && readFileSync(made, 'utf8') === readFileSync(join(settings, file), 'utf8')) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const result = await make(folder);
  if (result.code !== 0) throw new Error(lastLine(result));
  cpSync(join(settings, file), made);
  return folder;
}

/** The folder with the programs of the Python packages. */
async function pythonPrograms(): Promise<string> {
  const folder = await once('python', 'requirements.txt', async (folder) => {
    const made = await run('python3', ['-m', 'venv', folder]);
    return made.code === 0
      ? run(join(folder, 'bin/pip'), ['install', '--quiet', '--requirement', join(settings, 'requirements.txt')])
      : made;
  });
  return join(folder, 'bin');
}

/** @returns its models besides the package itself, for the report. */
const pythonClient: Judge = async (folder) => {
  const bin = await pythonPrograms();
  const { code, output } = await run(
    join(bin, 'openapi-python-client'),
    ['generate', '--path', specification, '--config', join(settings, 'python.yml'), '--output-path', join(folder, 'client')],
    { env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` } },
  );
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

const javaClient: Judge = async (folder) => {
  if ((await run('java', ['-version'])).code !== 0) return { missing: 'Java' };
  const bin = await pythonPrograms();
  const { code, output } = await run(
    join(bin, 'openapi-generator-cli'),
    ['generate', '--input-spec', specification, '--config', join(settings, 'java.yml'), '--output', join(folder, 'client')],
    { cwd: folder },
  );
  const said = output.split('\n').filter((line) => /WARN|ERROR|Exception/.test(line) && !harmless.some((one) => one.test(line)));
  if (code !== 0) said.push(lastLine({ code, output }));
  const answers = globSync(join(folder, 'client/src/main/**/model/*.java')).filter(
    (file) => !/(Request|ImportLink|LinkSettings)\.java$/.test(file),
  );
  const strict = answers.filter((file) => readFileSync(file, 'utf8').includes('is not defined in the'));
  const compiled = await run('mvn', ['--batch-mode', '--quiet', '-DskipTests', 'compile'], { cwd: join(folder, 'client') });
  const compiler = compiled.code === 127 ? ', not compiled: no Maven' : compiled.code === 0 ? ', compiled' : '';
  return {
    findings: [
      ...said,
      ...strict.map((file) => `${file} refuses fields of later versions`),
      ...(compiled.code === 0 || compiled.code === 127 ? [] : [compiled.output]),
    ],
    remarks: `${answers.length} models of responses${compiler}`,
  };
};

/** What openapi-generator says of every document like this one. */
const harmless = [
  /OpenAPI 3.1 support is still in beta/,
  /Ignoring complex example on request body/,
  /Failed to get the schema name: null/,
  /writing file/,
];

const terraform: Judge = async (folder) => {
  if ((await run('go', ['version'])).code !== 0) return { missing: 'Go' };
  const made = await once('go', 'go.sum', async (folder) => {
    for (const file of ['go.mod', 'go.sum']) cpSync(join(settings, file), join(folder, `${file}.wanted`));
    for (const file of ['go.mod', 'go.sum']) renameSync(join(folder, `${file}.wanted`), join(folder, file));
    const generator = 'github.com/hashicorp/terraform-plugin-codegen-openapi/cmd/tfplugingen-openapi';
    return run('go', ['build', '-mod=mod', '-o', join(folder, 'generator'), generator], { cwd: folder });
  });
  const { code, output } = await run(join(made, 'generator'), [
    'generate',
    '--config',
    join(settings, 'terraform.yml'),
    '--output',
    join(folder, 'provider.json'),
    specification,
  ]);
  if (code !== 0 || output) return { findings: [output] };
  const { resources, datasources } = JSON.parse(readFileSync(join(folder, 'provider.json'), 'utf8'));
  return { findings: [], remarks: `${resources.length} resources, ${datasources.length} data sources` };
};

const schemathesis: Judge = async (folder) => {
  const bin = await pythonPrograms();
  const port = await findPort(0);
  const service = await startService({ outdir: await synthesise(project, folder, { port: String(port) }), port, inMemory: true });
  try {
    const reached = localServiceOf(service);
    const operator = { actor: { type: 'operator', id: null, name: 'judge' }, requestId: null } as const;
    await asAuthor(operator, () => seedDemo({ baseUrl: service.baseUrl, dataDir: folder, ...reached }));
    const { apiKey, domain } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
    const { code, output } = await run(
      join(bin, 'schemathesis'),
      ['--config-file', join(settings, 'schemathesis.toml'), 'run', specification, '--url', service.baseUrl, ...more],
      {
        cwd: folder,
        env: { ...process.env, SCHEMATHESIS_HOOKS: join(settings, 'hooks.py'), API_KEY: apiKey, DOMAIN: domain },
      },
    );
    const [, cases = lastLine({ code, output })] = /^Test cases:\n\s*(.*)$/m.exec(output) ?? [];
    return { findings: code === 0 ? [] : [output], remarks: cases };
  } finally {
    await service.stop();
  }
};

const judges: Readonly<Record<string, Judge>> = {
  'openapi-python-client': pythonClient,
  'openapi-generator': javaClient,
  'tfplugingen-openapi': terraform,
  schemathesis,
};

const { positionals, values } = parseArgs({ allowPositionals: true, options: { with: { type: 'string', multiple: true } } });
const more = values.with ?? [];
for (const name of positionals)
  if (!(name in judges)) throw new Error(`there is no judge ${name}: ${Object.keys(judges).join(', ')}`);

let found = 0;
for (const [name, judge] of Object.entries(judges)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const folder = mkdtempSync(join(resolve(tmpdir()), 'links-judge-'));
  const verdict = await judge(folder).catch((error: Error): Verdict => ({ missing: error.message }));
  if ('missing' in verdict) console.log(`${name}: not available: ${verdict.missing}`);
  else {
    for (const finding of verdict.findings) console.log(`${name}: ${finding}`);
    found += verdict.findings.length;
    console.log(`${name}: ${verdict.findings.length || 'no'} findings${verdict.remarks ? ` (${verdict.remarks})` : ''}`);
  }
  rmSync(folder, { recursive: true, force: true });
}
process.exit(found > 0 ? 1 : 0);
