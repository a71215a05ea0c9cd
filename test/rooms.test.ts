import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** What each room may import, from the table in docs/architecture.md. */
const rules = new Map(
  readFileSync('docs/architecture.md', 'utf8')
    .split('\n| room | what is in it | it may import |\n|---|---|---|\n')[1]
    ?.split('\n\n')[0]
    ?.split('\n')
    .map((row) => row.split('|').map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '')))
    .map(([, room, , rooms]) => [room?.[0] ?? '', rooms ?? []]),
);

const files = globSync('{bin,clients,judge,lambdas,lib,local,manifest,migration,openapi,smoke}/**/*.ts', {
  exclude: ['**/dist/**'],
});

const { imports } = JSON.parse(readFileSync('package.json', 'utf8')) as { imports: Record<string, Record<string, string>> };

/** The files of the project that a file imports, types included. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport\() ?'([.#][^']+)'/g)].flatMap(([, path = '']) =>
    // For a name of package.json, each of the files that it may stand for.
    path.startsWith('#') ? Object.values(imports[path] ?? {}).map(normalize) : normalize(join(dirname(file), path)),
  );

test.for([...new Set(files.map(dirname))])('The files of %s import only what docs/architecture.md allows.', (room) => {
  const allowed = rules.get(room);
  const imported = files.filter((file) => dirname(file) === room).flatMap(importsOf);
  const rooms = new Set(imported.map(dirname).filter((one) => one !== room));
  expect([...rooms].sort()).toEqual(allowed);
});

test.for(['lambdas/authorizer', 'lambdas/endpoints', 'lambdas/events'])('No function of %s imports another one.', (room) => {
  const imported = files.filter((file) => dirname(file) === room).flatMap(importsOf);
  expect(imported.filter((file) => dirname(file) === room)).toEqual([]);
});

test('No file imports itself through others.', () => {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) throw new Error([...path, file].join(' imports '));
    if (done.has(file)) return;
    for (const next of importsOf(file)) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(done.size).toBeGreaterThan(100);
});
