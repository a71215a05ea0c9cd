import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';

/** A copy of the project that has only one endpoint and keeps bundles of its own, and a function that makes them. */
async function copyOfProject() {
  const project = temporaryFolder();
  const filter = (source: string) => !/^lambdas\/(endpoints|events)\/(?!tags$|tags\/get-tag\.ts)/.test(source);
  for (const part of ['bin', 'clients', 'lib', 'lambdas', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(part, join(project, part), { recursive: true, filter });
  mkdirSync(join(project, 'node_modules'));
  for (const name of readdirSync('node_modules').filter((one) => one !== '.cache'))
    symlinkSync(resolve('node_modules', name), join(project, 'node_modules', name));
  const { keptBundles } = (await import(
    join(project, 'bin/local/kept-bundles.ts')
  )) as typeof import('../../../bin/local/kept-bundles.ts');
  const bundle = (outdir: string) => readFileSync(join(keptBundles(join(project, outdir))('get-tag'), 'index.cjs'), 'utf8');
  return { project, bundle, kept: join(project, 'node_modules/.cache/links-bundles') };
}

test('A start copies kept bundles if nothing has changed, for their owner only, and bundles anew after any change of a source.', async () => {
  const { project, bundle, kept } = await copyOfProject();
  const first = bundle('one');
  const stats = readdirSync(join(project, 'one'), { recursive: true, encoding: 'utf8' }).map((file) =>
    statSync(join(project, 'one', file)),
  );
  expect(stats.filter((file) => file.isFile() && file.mode & 0o077)).toEqual([]);
  const [version = ''] = readdirSync(kept);
  const changed = `${first}\n// kept`;
  writeFileSync(join(kept, version, 'get-tag/index.cjs'), changed);
  expect(bundle('two')).toBe(changed);
  appendFileSync(join(project, 'lambdas/endpoints/tags/get-tag.ts'), "\nexport const added = 'another source';\n");
  expect(bundle('three')).toContain('another source');
  expect(readdirSync(kept)).toHaveLength(2);
});
