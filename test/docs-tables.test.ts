import { globSync, readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { routes, waysTo } from '../lib/endpoints.ts';
import { schema } from '../lib/stages/settings.ts';
import { errorsPage, knownCodes } from '../openapi/errors-page.ts';
import { botsTable } from '../tools/bots.ts';
import { everySetting } from '../tools/judge/every-setting.ts';
import { fieldsTable, parametersOf } from './support/docs/fields-table.ts';
import { inSchemas, inTable, internal, limitsByName, limitsTable } from './support/docs/limits-table.ts';
import { listedPages, llmsTxt } from './support/docs/llms-txt.ts';
import { pathsInTable, pathsTable } from './support/docs/paths-table.ts';
import { rolesTable } from './support/docs/roles-table.ts';
import { settingsJsonSchema, settingsTables } from './support/docs/settings-table.ts';
import { withParts } from './support/docs/written-part.ts';

// "npm run docs" runs these tests with permission to update the pages.

const read = (file: string) => readFileSync(file, 'utf8');

const costly = routes.filter(({ throttled }) => throttled === 'costly').flatMap(waysTo);

/** The parts of pages that are made from the code. A page is written once, with all its parts. */
const pages: Record<string, Record<string, string>> = {
  'docs/deploy.md': { settings: settingsTables() },
  'docs/api/README.md': {
    limits: limitsTable(),
    'costly operations': `${costly.map(({ method, path }) => `\`${method} ${path.replace('/api/v1', '')}\``).join(', ')}.`,
  },
  'docs/api/links.md': {
    'fields of a link': fieldsTable('UpdateLinkRequest'),
    'parameters of a list': parametersOf('/links'),
  },
  'docs/api/domains.md': { 'settings of a domain': fieldsTable('UpdateDomainRequest') },
  'docs/api/keys.md': { 'fields of a key': fieldsTable('CreateKeyRequest') },
  'docs/operate.md': { roles: rolesTable() },
  'docs/visitors.md': { bots: botsTable() },
};

test.for(Object.entries(pages))('The tables in %s are those that the code makes.', async ([file, parts]) => {
  await expect(withParts(read(file), parts)).toMatchFileSnapshot(`../${file}`);
});

test('test/data/paths.csv has the outcomes of at least 60 paths, as the code makes them.', async () => {
  expect(new Set(pathsInTable).size).toBeGreaterThanOrEqual(60);
  await expect(pathsTable()).toMatchFileSnapshot('data/paths.csv');
});

test('Each setting of a stage is in the tables, once.', () => {
  const named = settingsTables().match(/(?<=^\| `)\w+/gm) ?? [];
  expect(named.sort()).toEqual(Object.keys(schema.shape).sort());
});

test('The schema for editors has the settings of lib/stages/settings.ts.', async () => {
  await expect(settingsJsonSchema()).toMatchFileSnapshot('../lib/stages/settings.schema.json');
});

test("The schema for editors accepts the stages' files and all settings, and refuses others.", () => {
  const isValid = new Ajv2020({ strict: false }).compile(JSON.parse(settingsJsonSchema()));
  for (const file of readdirSync('stages')) expect([file, isValid(JSON.parse(read(`stages/${file}`)))]).toEqual([file, true]);
  expect(isValid({ $schema: 'a', extends: 'dev', ...everySetting })).toBe(true);
  for (const wrong of [{ keepDate: true }, { keepData: 'yes' }, { clickDays: 0 }, { alarmEmail: 'a' }, { apiDomain: {} }])
    expect([wrong, isValid(wrong)]).toEqual([wrong, false]);
});

test('docs/api/errors.md has an anchor for each code of lambdas/http/problems.ts and of the rules of fields.', async () => {
  const codes = [...errorsPage().matchAll(/<a id="(\w+)"><\/a>/g)].map(([, code]) => code);
  expect(codes.sort()).toEqual([...new Set(knownCodes)].sort());
  const thrown = globSync('lambdas/**/*.ts').flatMap((file) =>
    [...read(file).matchAll(/\bRuleError\(\s*'(\w+)'/g)].map(([, code]) => code),
  );
  expect(thrown.filter((code = '') => !knownCodes.includes(code))).toEqual([]);
  await expect(errorsPage()).toMatchFileSnapshot('../docs/api/errors.md');
});

test('docs/README.md and llms.txt lead to every page.', async () => {
  const pages = globSync('docs/**/*.md').filter((file) => file !== 'docs/README.md' && !/\/\d{4}-/.test(file));
  const listed = listedPages.map(([, path]) => path);
  expect(listed.filter((path) => path.startsWith('docs/')).sort()).toEqual(pages.sort());
  await expect(llmsTxt()).toMatchFileSnapshot('../llms.txt');
});

test('Every limit is in the table of docs/api/README.md or in openapi.json, or is known to be internal.', () => {
  expect([...inTable, ...inSchemas, ...internal].sort()).toEqual([...limitsByName.keys()].sort());
  const openapi = read('openapi.json');
  const says = (number = 0) => new RegExp(String.raw`\b(${number}|${number.toLocaleString('en-US')})\b`).test(openapi);
  expect(inSchemas.filter((name) => !says(limitsByName.get(name)))).toEqual([]);
});
