import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useService } from '../support/service/service.ts';
import { expected, type Use } from './generators/use.ts';

const service = await useService();
/** Here, because the programs find their packages from where they are. */
mkdirSync('.build', { recursive: true });
const folder = mkdtempSync(join(process.cwd(), '.build/clients-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program of this project's Node. @throws Error with everything that it wrote, if it fails */
const run = async (file: string, ...args: string[]): Promise<void> => {
  await promisify(execFile)(process.execPath, [file, ...args], { cwd: folder }).catch((error) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });
};

const generators = 'test/openapi/generators';
const program = (path: string) => join(process.cwd(), generators, 'node_modules', path);
const document = join(process.cwd(), 'openapi.json');

beforeAll(async () => {
  cpSync(generators, folder, { recursive: true, filter: (source) => !/node_modules|links-client/.test(source) });
  await run(
    program('@hey-api/openapi-ts/bin/run.js'),
    ...['--input', document, '--output', 'hey-api', '--plugins'],
    ...['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  );
  await run(join(process.cwd(), 'node_modules/typescript/bin/tsc'), '--project', folder);
});

test('The client of @hey-api/openapi-ts compiles, and creates, fetches, updates, lists and imports links, and reads the codes of errors.', async () => {
  const outfile = join(folder, 'with-hey-api.mjs');
  await build({ entryPoints: [join(folder, 'with-hey-api.ts')], bundle: true, format: 'esm', outfile, logLevel: 'error' });
  const { use } = (await import(pathToFileURL(outfile).href)) as { use: Use };
  const { key, domain } = await service.newWorkspace();
  const { pages, ...seen } = await use({ baseUrl: service.baseUrl, key, domain });
  expect(pages.map(({ length }) => length)).toEqual([2, 1]);
  expect(new Set(pages.flat()).size).toBe(3);
  expect(seen).toEqual(expected);
});
