import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Entry = {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  /** A folder of this project, which npm links. */
  readonly link?: true;
  readonly inBundle?: true;
  readonly hasInstallScript?: true;
};

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Readonly<Record<string, Entry>> };
const { '': project, ...installed } = packages;
/** The project's other packages, by their folders. */
const workspaces = Object.values(installed).flatMap(({ link, resolved = '' }) => (link ? [resolved] : []));
const entries = Object.entries(installed).filter(([path, { link }]) => !link && !workspaces.includes(path));

test('Each package that npm installs has a hash, even those for other platforms.', () => {
  expect(entries.length).toBeGreaterThan(250);
  // A package inside another's archive is covered by the hash of that one.
  const hashed = entries.filter(([, { inBundle }]) => !inBundle);
  expect(hashed.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? '')).map(([path]) => path)).toEqual([]);
  for (const [path, { inBundle }] of entries) {
    if (inBundle) expect(installed[path.slice(0, path.lastIndexOf('/node_modules/'))]?.integrity, path).toBeDefined();
  }
});

test('No package is locked to the URL of a registry.', () => {
  expect(entries.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([]);
});

test('Every dependency of the project is pinned exactly.', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-r\.\d+)?$/);
    expect(installed[`node_modules/${name}`]?.version, name).toBe(version);
  }
  expect(project).toMatchObject({ dependencies, devDependencies, optionalDependencies });
});

test('Every dependency of a workspace is pinned exactly.', () => {
  expect(workspaces).toEqual(['test/openapi/generators', 'clients/typescript']);
  for (const folder of workspaces) {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
      const found = installed[`${folder}/node_modules/${name}`] ?? installed[`node_modules/${name}`];
      expect(found?.version, name).toBe(version);
    }
    expect(installed[folder]).toMatchObject({
      ...(dependencies && { dependencies }),
      ...(devDependencies && { devDependencies }),
    });
  }
});

test('Only esbuild has an install script.', () => {
  // Its script replaces a launcher with the binary, or downloads the binary if npm has not. A deployment runs no such
  // scripts.
  expect(entries.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual(['node_modules/esbuild']);
});
