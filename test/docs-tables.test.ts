import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routes, waysTo } from '../lib/endpoints.ts';
import { stageNames, stageOf } from '../lib/stages.ts';
import { botsTable } from '../tools/bots.ts';
import { inTable, internal, limitsByName, limitsTable } from './support/docs/limits-table.ts';
import { pathsInTable, pathsTable } from './support/docs/paths-table.ts';
import { rolesTable } from './support/docs/roles-table.ts';
import { settingsTables } from './support/docs/settings-table.ts';
import { withPart } from './support/docs/written-part.ts';

// "npm run docs" runs these tests with permission to update the pages.

const read = (file: string) => readFileSync(file, 'utf8');
const source = read('lib/stages.ts');
const stages = Object.fromEntries(stageNames.map((name) => [name, stageOf(name).settings]));

test('docs/deploy.md says what each setting of a stage does and which value each stage has, as lib/stages.ts does.', async () => {
  const page = withPart(read('docs/deploy.md'), 'settings', settingsTables(source, stages));
  await expect(page).toMatchFileSnapshot('../docs/deploy.md');
});

test('Every setting that a stage has is in the tables, once.', () => {
  const rows = settingsTables(source, stages).match(/^\| `.*$/gm) ?? [];
  const named = rows.flatMap((row) => row.split(' | ')[0]?.match(/\w+/g) ?? []);
  expect(new Set(named).size).toBe(named.length);
  const set = new Set(Object.values(stages).flatMap(Object.keys));
  expect(set.difference(new Set(named))).toEqual(new Set());
});

test.for([
  [
    'a setting without a docstring',
    '  /**\n   * Protects the data',
    '  readonly odd: boolean;\n  /**\n   * Protects the data',
    /neither/,
  ],
  ['a setting of several lines', 'readonly keepData: boolean;', 'readonly keepData:\n    | boolean;', /neither/],
  ['a group that is not in StageSettings', ' &\n  DeploymentSettings;', ';', /must consist of/],
  ['a "|" in a docstring', 'Protects the data', 'Protects | the data', /no room/],
] as const)('The tables are not made if there is %s.', ([, before, after, message]) => {
  expect(source).toContain(before);
  expect(() => settingsTables(source.replace(before, after), stages)).toThrow(message);
});

test('The table in docs/api.md has the limits of lambdas/core/limits.ts.', async () => {
  await expect(withPart(read('docs/api.md'), 'limits', limitsTable())).toMatchFileSnapshot('../docs/api.md');
});

test('docs/api.md names the operations that have a tenth of the request rate, as lib/endpoints.ts does.', async () => {
  const costly = routes.filter(({ throttled }) => throttled === 'costly').flatMap(waysTo);
  const list = costly.map(({ method, path }) => `- \`${method} ${path.replace('/api/v1', '')}\``).join('\n');
  await expect(withPart(read('docs/api.md'), 'costly operations', list)).toMatchFileSnapshot('../docs/api.md');
});

test('docs/operate.md says what each role may do, as lambdas/core/member/roles.ts does.', async () => {
  await expect(withPart(read('docs/operate.md'), 'roles', rolesTable())).toMatchFileSnapshot('../docs/operate.md');
});

test('docs/visitors.md says how well bots are told apart, as tools/bots.ts measures it.', async () => {
  await expect(withPart(read('docs/visitors.md'), 'bots', botsTable())).toMatchFileSnapshot('../docs/visitors.md');
});

test("docs/visitors.md says what becomes of 60 paths and more, as the laptop's gateway and the redirect read them.", async () => {
  expect(new Set(pathsInTable).size).toBeGreaterThanOrEqual(60);
  await expect(withPart(read('docs/visitors.md'), 'paths', pathsTable())).toMatchFileSnapshot('../docs/visitors.md');
});

test('Every limit is in the table of docs/api.md, or is known to be internal.', () => {
  expect([...inTable, ...internal].sort()).toEqual([...limitsByName.keys()].sort());
});
