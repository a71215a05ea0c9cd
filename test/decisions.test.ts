import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const folder = 'docs/decisions';
const records = readdirSync(folder)
  .filter((file) => file !== 'README.md')
  .sort();
const read = (file: string) => readFileSync(`${folder}/${file}`, 'utf8');
const titleOf = (file: string) =>
  read(file)
    .split('\n')[0]
    ?.replace(/^# \d+\. /, '');

test('No two decisions have the same number.', () => {
  const numbers = records.map((file) => file.slice(0, 4));
  expect(numbers).toEqual([...new Set(numbers)]);
});

describe.for(records)('%s', (file) => {
  const lines = read(file).trimEnd().split('\n');

  test('The record has at most 30 lines, which are at most 120 characters wide.', () => {
    expect(lines.length).toBeLessThanOrEqual(30);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  test("The record begins with the file's number and a title, and with its status and date.", () => {
    expect(file).toMatch(/^\d{4}-[a-z0-9-]+\.md$/);
    expect(lines[0]).toMatch(new RegExp(`^# ${Number(file.slice(0, 4))}\\. \\S.*[^.]$`));
    expect(lines[2]).toMatch(/^Status: (accepted|superseded by \d{4}) · Date: \d{4}-\d\d-\d\d$/);
  });

  test('The record has the four sections, in their order, and none is empty.', () => {
    const sections = lines.join('\n').split(/^## /m).slice(1);
    const names = sections.map((section) => section.split('\n')[0]);
    expect(names).toEqual(['Context', 'Decision', 'Consequences', 'What would change our mind']);
    expect(sections.filter((section) => section.split('\n').slice(1).join('').trim() === '')).toEqual([]);
  });

  test('A superseded record names another record as its successor.', () => {
    const [, successor] = /^Status: superseded by (\d{4})/m.exec(lines[2] ?? '') ?? [];
    if (successor === undefined) return;
    expect(records.filter((other) => other !== file).map((other) => other.slice(0, 4))).toContain(successor);
  });
});

test('The index lists every decision once, with its number and title, and nothing else.', () => {
  const [, ...groups] = read('README.md').split(/^## (?!Context|Decision|Consequences|What would)/m);
  const entries = groups.flatMap((group) => group.replaceAll(/\n +/g, ' ').match(/^- .*$/gm) ?? []);
  expect(entries.sort()).toEqual(records.map((file) => `- [${file.slice(0, 4)}](${file}) ${titleOf(file)}`));
});

test('Each decision that a comment names exists.', () => {
  const sources = readdirSync('.', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(\.|node_modules)/.test(entry.name))
    .flatMap(({ name }) => readdirSync(name, { encoding: 'utf8', recursive: true }).map((file) => `${name}/${file}`))
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules/'));
  const named = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/docs\/decisions\/(\d{4})/g)].map(([, number]) => number),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((number) => !records.some((file) => file.startsWith(`${number}-`)))).toEqual([]);
});
