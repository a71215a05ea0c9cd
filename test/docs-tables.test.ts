import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { routes, waysTo } from '../lib/endpoints.ts';
import { schema } from '../lib/stages/settings.ts';
import { botsTable } from '../tools/bots.ts';
import { everySetting } from '../tools/judge/every-setting.ts';
import { inTable, internal, limitsByName, limitsTable } from './support/docs/limits-table.ts';
import { pathsInTable, pathsTable } from './support/docs/paths-table.ts';
import { rolesTable } from './support/docs/roles-table.ts';
import { settingsJsonSchema, settingsTables } from './support/docs/settings-table.ts';
import { withPart } from './support/docs/written-part.ts';

// "npm run docs" runs these tests with permission to update the pages.

const read = (file: string) => readFileSync(file, 'utf8');

test('docs/deploy.md says what each setting of a stage does and its default, as lib/stages/settings.ts does.', async () => {
  const page = withPart(read('docs/deploy.md'), 'settings', settingsTables());
  await expect(page).toMatchFileSnapshot('../docs/deploy.md');
});

test('Every setting that a stage may have is in the tables, once.', () => {
  const named = settingsTables().match(/(?<=^\| `)\w+/gm) ?? [];
  expect(named.sort()).toEqual(Object.keys(schema.shape).sort());
});

test('Editors know the settings of a stage as lib/stages/settings.ts does.', async () => {
  await expect(settingsJsonSchema()).toMatchFileSnapshot('../lib/stages/settings.schema.json');
});

test('By the schema for editors, the files of stages and all settings are right, and others are not.', () => {
  const isValid = new Ajv2020({ strict: false }).compile(JSON.parse(settingsJsonSchema()));
  for (const file of readdirSync('stages')) expect([file, isValid(JSON.parse(read(`stages/${file}`)))]).toEqual([file, true]);
  expect(isValid({ $schema: 'a', extends: 'dev', ...everySetting })).toBe(true);
  for (const wrong of [{ keepDate: true }, { keepData: 'yes' }, { clickDays: 0 }, { alarmEmail: 'a' }, { apiDomain: {} }])
    expect([wrong, isValid(wrong)]).toEqual([wrong, false]);
});

test('The table in docs/api/README.md has the limits of lambdas/core/limits.ts.', async () => {
  await expect(withPart(read('docs/api/README.md'), 'limits', limitsTable())).toMatchFileSnapshot('../docs/api/README.md');
});

test('docs/api/README.md names the operations that have a tenth of the request rate, as lib/endpoints.ts does.', async () => {
  const costly = routes.filter(({ throttled }) => throttled === 'costly').flatMap(waysTo);
  const list = costly.map(({ method, path }) => `- \`${method} ${path.replace('/api/v1', '')}\``).join('\n');
  await expect(withPart(read('docs/api/README.md'), 'costly operations', list)).toMatchFileSnapshot('../docs/api/README.md');
});

test('docs/operate.md says what each role may do, as lambdas/core/member/roles.ts does.', async () => {
  await expect(withPart(read('docs/operate.md'), 'roles', rolesTable())).toMatchFileSnapshot('../docs/operate.md');
});

test("test/data/paths.md says what becomes of 60 paths and more, as the laptop's gateway and the redirect read them.", async () => {
  expect(new Set(pathsInTable).size).toBeGreaterThanOrEqual(60);
  await expect(withPart(read('test/data/paths.md'), 'paths', pathsTable())).toMatchFileSnapshot('data/paths.md');
});

test('docs/visitors.md says how well bots are told apart, as tools/bots.ts measures it.', async () => {
  await expect(withPart(read('docs/visitors.md'), 'bots', botsTable())).toMatchFileSnapshot('../docs/visitors.md');
});

test('Every limit is in the table of docs/api/README.md, or is known to be internal.', () => {
  expect([...inTable, ...internal].sort()).toEqual([...limitsByName.keys()].sort());
});
