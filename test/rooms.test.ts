import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** Which floors each floor may import besides itself, from the table in docs/architecture.md. */
const floors = new Map(
  readFileSync('docs/architecture.md', 'utf8')
    .split('\n| floor | what is in it | may import |\n|---|---|---|\n')[1]
    ?.split('\n\n')[0]
    ?.split('\n')
    .map((row) => row.split('|').map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)))
    .flatMap(([, names = [], , allowed = []]) => names.map((name) => [name, allowed] as const)),
);

const files = globSync('{bin,clients,lambdas,lib,local,openapi,tools}/**/*.{ts,tsx}', {
  exclude: ['**/dist/**', '**/node_modules/**'],
});

/** The floor of a file. @throws Error if the table does not have it */
function floorOf(file: string): string {
  const floor = [...floors.keys()].find((name) => file.startsWith(`${name}/`));
  if (floor === undefined) throw new Error(`docs/architecture.md names no floor for ${file}`);
  return floor;
}

const { imports } = JSON.parse(readFileSync('package.json', 'utf8')) as { imports: Record<string, Record<string, string>> };

/** The files of the project that a file imports, types included. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport\() ?'([.#][^']+)'/g)].flatMap(([, path = '']) =>
    // For a name of package.json, each of the files that it may stand for.
    path.startsWith('#') ? Object.values(imports[path] ?? {}).map(normalize) : normalize(join(dirname(file), path)),
  );

test.for([...floors])('The files of %s import only the floors that docs/architecture.md allows.', ([floor, allowed]) => {
  const own = files.filter((file) => floorOf(file) === floor);
  expect(own).not.toEqual([]);
  const wrong = own.flatMap((file) =>
    importsOf(file)
      .filter((imported) => ![floor, ...allowed].includes(floorOf(imported)))
      .map((imported) => `${file} imports ${imported}`),
  );
  expect(wrong).toEqual([]);
});

test("Only the store and the operator's floor read and write the tables.", () => {
  const isCall = (file: string) => /^lambdas\/store\/table\/(commit|commit-plain|reads|writes)\.ts$/.test(file);
  const wrong = files
    .filter((file) => /^lambdas\/(?!store\/|operator\/)/.test(file))
    .flatMap((file) =>
      importsOf(file)
        .filter(isCall)
        .map((imported) => `${file} imports ${imported}`),
    );
  expect(wrong).toEqual([]);
});

test('No function imports another function.', () => {
  const isFunction = (file: string) => /^lambdas\/(authorizer|endpoints|events)\//.test(file);
  const wrong = files.filter(isFunction).flatMap((file) =>
    importsOf(file)
      .filter(isFunction)
      .map((imported) => `${file} imports ${imported}`),
  );
  expect(wrong).toEqual([]);
});

/** Fails if one of the names leads back to itself. */
function expectNoCircle(nextOf: ReadonlyMap<string, readonly string[]>): void {
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) throw new Error([...path.slice(path.indexOf(name)), name].join(' imports '));
    if (done.has(name)) return;
    for (const next of nextOf.get(name) ?? []) visit(next, [...path, name]);
    done.add(name);
  };
  for (const name of nextOf.keys()) visit(name, []);
}

test('No file imports itself through others: there are no cycles.', () => {
  expect(files.length).toBeGreaterThan(100);
  expectNoCircle(new Map(files.map((file) => [file, importsOf(file)])));
});

/** All files and packages that a file loads, directly or through others, without dynamic imports. */
function loadedBy(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, clause = '', path = ''] of text.matchAll(/^(?:import|export) ([^;']*?from )?'([^']+)';$/gm)) {
    const isType = /^type |^\{(\s*type \w+( as \w+)?,?)+\s*\} from $/.test(clause);
    if (isType) continue;
    if (path.startsWith('.') && path.endsWith('.ts')) loadedBy(normalize(join(dirname(file), path)), loaded);
    else loaded.add(path);
  }
  return loaded;
}

test('No command except those that deploy loads the CDK, which would take half of its start.', () => {
  const commands = ['admin', 'export', 'import', 'links', 'local', 'mcp', 'restore', 'smoke'];
  const wrong = commands.flatMap((name) =>
    [...loadedBy(`bin/${name}.ts`)].filter((one) => /^(aws-cdk-lib|constructs)\b/.test(one)).map((one) => `${name} loads ${one}`),
  );
  expect(wrong).toEqual([]);
  expect([...loadedBy('bin/app.ts')]).toContain('aws-cdk-lib');
});

test('No folder imports itself through others.', () => {
  const foldersOf = (group: readonly string[], folder: string) =>
    [...new Set(group.flatMap(importsOf).map(dirname))].filter((other) => other !== folder);
  expectNoCircle(new Map([...Map.groupBy(files, dirname)].map(([folder, group]) => [folder, foldersOf(group, folder)])));
});

test('No folder has more than 25 files.', () => {
  const tracked = globSync('{bin,clients,examples,lambdas,lib,local,openapi,test,tools}/**/*', {
    exclude: ['**/dist', '**/node_modules'],
    withFileTypes: true,
  }).filter((entry) => entry.isFile());
  const large = [...Map.groupBy(tracked, (entry) => entry.parentPath)].filter(([, entries]) => entries.length > 25);
  expect(large.map(([folder, entries]) => `${folder} has ${entries.length}`)).toEqual([]);
});
