import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expected } from '../../openapi/generators/use.ts';
import { useService } from '../../support/service/service.ts';

// Installs the archive that `npm pack` makes, compiles a program against it, and runs it, as a user does. The archive
// has JavaScript, because Node strips no types in node_modules
// (https://nodejs.org/api/typescript.html#type-stripping-in-dependencies).

const service = await useService();
const folder = mkdtempSync(join(tmpdir(), 'links-client-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @throws Error with everything that the program wrote, if it fails */
const run = async (file: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> => {
  const options = { cwd: folder, env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)(file, args, options).catch((error) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });
  return stdout;
};

const generators = 'test/openapi/generators';

/** The only TypeScript program of a document. */
function programIn(document: string): string {
  const blocks = [...readFileSync(document, 'utf8').matchAll(/```ts\n(.*?)```/gs)];
  expect(blocks).toHaveLength(1);
  return blocks[0]?.[1] ?? '';
}

const options = {
  strict: true,
  noUncheckedIndexedAccess: true,
  module: 'nodenext',
  target: 'es2023',
  rewriteRelativeImportExtensions: true,
  types: ['node'],
  outDir: 'dist',
};

beforeAll(async () => {
  await run('npm', ['pack', join(process.cwd(), 'clients/typescript'), '--pack-destination', folder]);
  const installed = join(folder, 'node_modules/links-client');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', 'links-client-0.1.0.tgz', '-C', installed, '--strip-components', '1']);
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  for (const name of [...Object.keys(dependencies), '@types']) {
    symlinkSync(join(process.cwd(), 'node_modules', name), join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
  for (const name of ['use.ts', 'with-links-client.ts']) cpSync(join(generators, name), join(folder, name));
  const used = 'console.log(JSON.stringify(await use(JSON.parse(process.env.SERVICE!))));\n';
  writeFileSync(join(folder, 'used.ts'), `import { use } from './with-links-client.ts';\n${used}`);
  writeFileSync(join(folder, 'readme.ts'), programIn('clients/typescript/README.md'));
  writeFileSync(join(folder, 'docs.ts'), programIn('docs/api/README.md'));
  // The version of most users, not the project's.
  await run(process.execPath, [join(process.cwd(), generators, 'node_modules/typescript/bin/tsc')]);
});

test('The archive has only JavaScript and its types, and the README.', () => {
  const files = readdirSync(join(folder, 'node_modules/links-client'), { recursive: true, encoding: 'utf8' });
  const others = files.filter((file) => !/^dist\/[a-z]+\.(js|d\.ts)$/.test(file));
  expect(others.sort()).toEqual(['README.md', 'dist', 'package.json']);
});

test('The installed client creates, fetches, updates, lists and imports links, and reads the codes of errors.', async () => {
  const { key, domain } = await service.newWorkspace();
  const printed = await run(process.execPath, ['dist/used.js'], {
    SERVICE: JSON.stringify({ baseUrl: service.baseUrl, key, domain }),
  });
  const { pages, ...seen } = JSON.parse(printed) as { pages: string[][] };
  expect(pages.map(({ length }) => length)).toEqual([2, 1]);
  expect(new Set(pages.flat()).size).toBe(3);
  expect(seen).toEqual(expected);
});

test.for(['readme', 'docs'])('The program of the %s does what it says.', async (name) => {
  const { key, domain, call } = await service.newWorkspace();
  const file = join(folder, 'dist', `${name}.js`);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('go.localhost', domain));
  const printed = await run(process.execPath, [file], { LINKS_URL: service.baseUrl, LINKS_API_KEY: key });
  const { links } = (await call('GET', '/links')).body;
  expect(links).toMatchObject([{ url: 'https://example.com/', title: name === 'docs' ? 'A title' : null }]);
  expect(printed).toBe(name === 'docs' ? 'from-typescript\n' : 'true 0\n');
});
