import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/run/temporary-folder.ts';

const changelog = `# Changelog

## Unreleased

- later

## 1.2.3-rc.1 – 2026-11-01

- a candidate

## 1.2.3 – 2026-11-22

### Added

- \`npm run it\`: does it.

## 1.2.2

## 1.2.30

- another one
`;

/** Runs the command in a project of that version. */
function notesIn(project: { version?: string; client?: string; text?: string }, ...args: string[]) {
  const { version = '1.2.3', client = version, text = changelog } = project;
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'clients/typescript'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
  writeFileSync(join(folder, 'clients/typescript/package.json'), JSON.stringify({ version: client }));
  writeFileSync(join(folder, 'CHANGELOG.md'), text);
  const { status, stdout, stderr } = spawnSync('node', [join(process.cwd(), 'bin/release-notes.ts'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test.for([
  ['1.2.3', changelog, '### Added\n\n- `npm run it`: does it.\n'],
  ['1.2.3', changelog.replaceAll('\n', '\r\n'), '### Added\n\n- `npm run it`: does it.\n'],
  ['1.2.3-rc.1', changelog, '- a candidate\n'],
  ['1.2.30', changelog, '- another one\n'],
])("The notes of the version %s are its section of the changelog, and no other's.", ([version, text, stdout]) => {
  expect(notesIn({ version, text }, `v${version}`)).toEqual({ status: 0, stdout, stderr: '' });
});

test.for([
  ['no tag', {}, [], '"" is not a tag of a version, such as v1.2.3'],
  ['a tag without v', {}, ['1.2.3'], '"1.2.3" is not a tag of a version, such as v1.2.3'],
  ['a tag that is no version', {}, ['v1.2'], '"v1.2" is not a tag of a version, such as v1.2.3'],
  ['another version', {}, ['v1.2.4'], 'package.json has the version 1.2.3, not 1.2.4: change one of them'],
  [
    'a client of another version',
    { client: '1.2.2' },
    ['v1.2.3'],
    'clients/typescript/package.json has the version 1.2.2, not 1.2.3: change one of them',
  ],
  [
    'a version that the changelog does not know',
    { version: '1.2.4' },
    ['v1.2.4'],
    'CHANGELOG.md has no section "## 1.2.4": rename "## Unreleased" to it',
  ],
  ['a version without changes', { version: '1.2.2' }, ['v1.2.2'], 'the section "## 1.2.2" of CHANGELOG.md is empty'],
  ['an empty last section', { text: '## 1.2.3' }, ['v1.2.3'], 'the section "## 1.2.3" of CHANGELOG.md is empty'],
] as const)('A release of %s is refused with one line that says why.', ([, project, args, message]) => {
  expect(notesIn(project, ...args)).toEqual({ status: 1, stdout: '', stderr: `error: ${message}\n` });
});

test('The project and its client have the same version, and the changelog begins with what is not released.', () => {
  const versions = ['package.json', 'clients/typescript/package.json'].map(
    (file) => JSON.parse(readFileSync(file, 'utf8')).version,
  );
  expect(new Set(versions).size).toBe(1);
  expect(readFileSync('CHANGELOG.md', 'utf8')).toMatch(new RegExp(`^# Changelog\n\n## (Unreleased|${versions[0]}( .*)?)\n`));
});
