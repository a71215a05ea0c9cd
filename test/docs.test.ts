import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { addAdminCommands } from '../bin/admin/program.ts';
import { ownTerminal } from '../bin/shared/terminal.ts';
import { deliveryTypes } from '../lambdas/core/webhook/delivery.ts';
import { changingFields } from '../lambdas/http/shown/link.ts';
import { permissionsOf, routes, waysTo } from '../lib/endpoints.ts';
import { settingsOf } from '../lib/stages/settings.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'clients/typescript/README.md',
  ...readdirSync('docs', { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];
const { scripts } = JSON.parse(read('package.json'));

const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '');

/** The anchor that GitHub makes of a heading. A row of a table may have one of its own. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
const anchorsIn = (file: string) => [
  ...matches(read(file), /^#+ (.*)$/gm).map(anchor),
  ...matches(read(file), /<a id="([a-z_-]+)">/g),
];

test('README.md has at most 800 words.', () => {
  expect(read('README.md').trim().split(/\s+/).length).toBeLessThanOrEqual(800);
});

test('README.md has the costs of an idle stage and of two million clicks a month from docs/cost.md.', () => {
  const cost = read('docs/cost.md');
  const [, idle] = /^Storage, and (\$[\d.]+) a month:/m.exec(cost) ?? [];
  const [, month] = /^\| \*\*together\*\* \| [^|]+ \| \*\*\$([\d.]+)\*\* \|/m.exec(cost) ?? [];
  const readme = read('README.md').replaceAll(/\s+/g, ' ');
  expect(readme).toContain(`A stage that nobody calls costs [${idle} a month](`);
  expect(readme).toContain(`two million clicks a month cost [about $${Math.round(Number(month))}](`);
});

describe.for(documents)('%s', (file) => {
  const text = read(file);

  test('Every link to the repository has an existing target.', () => {
    const links = matches(text, /\]\(([^)\s]+)\)/g).filter((link) => !/^https?:/.test(link));
    const dead = links.filter((link) => {
      const [path = '', fragment] = link.split('#');
      const target = path === '' ? file : join(dirname(file), path);
      return !existsSync(target) || (fragment !== undefined && !anchorsIn(target).includes(fragment));
    });
    expect(dead).toEqual([]);
  });

  test('Each file and folder that is named exists.', () => {
    const folders = readdirSync('.', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const isOurs = (path: string) => folders.some(({ name }) => path.startsWith(`${name}/`) && !path.startsWith('node_modules/'));
    const paths = matches(text, /`([\w.-]+\/[\w./-]*)`/g).filter(isOurs);
    expect(paths.filter((path) => !path.startsWith('.local/') && !existsSync(path))).toEqual([]);
  });

  test('Each script that is named exists in package.json.', () => {
    expect(matches(text, /npm run (?:-s )?([\w:-]+)/g).filter((script) => !(script in scripts))).toEqual([]);
  });

  test('Every fence is closed.', () => {
    expect(matches(text, /^ *(```)/gm).length % 2).toBe(0);
  });
});

test('docs/webhooks.md and openapi.json describe every type of webhook, and no other.', () => {
  const { webhooks } = JSON.parse(read('openapi.json'));
  expect(Object.keys(webhooks).sort()).toEqual([...deliveryTypes].sort());
  const [, table = ''] = read('docs/webhooks.md').split('| `type` | when |');
  expect(matches(table.split('\n\n')[0] ?? '', /^\| `([a-z_.]+)` \|/gm).sort()).toEqual([...deliveryTypes].sort());
});

test('The table of commands in docs/operate.md has every command of the operator, and no other.', () => {
  const [, section = ''] = read('docs/operate.md').split("\n## The operator's command\n");
  const rows = section.split('\n## ')[0]?.match(/^\| `.*$/gm) ?? [];
  const listed = rows.flatMap((row) => {
    const [group, ...names] = matches(row, /`([a-z-]+)`/g);
    return [group, ...names.map((name) => `${group} ${name}`)];
  });
  const program = addAdminCommands(new Command('admin'), ownTerminal);
  const known = program.commands.flatMap((group) => [
    group.name(),
    ...group.commands.map((command) => `${group.name()} ${command.name()}`),
  ]);
  expect(listed.sort()).toEqual(known.sort());
});

test("The trust policy for GitHub names the subject of a stage's jobs in both of GitHub's forms.", () => {
  const { StringEquals } = JSON.parse(read('examples/github/trust.json')).Statement[0].Condition;
  expect(StringEquals['token.actions.githubusercontent.com:sub']).toBe(
    'repo:ORGANISATION@ORGANISATION_ID/REPOSITORY@REPOSITORY_ID:environment:dev',
  );
  expect(read('docs/deploy.md')).toContain('`repo:ORGANISATION/REPOSITORY:environment:dev`');
});

test('The table of endpoints in docs/api/README.md has every operation with the permissions that it needs, and no other.', () => {
  const [, section = ''] = read('docs/api/README.md').split('\n## Endpoints\n');
  const rows = section.split('\n## ')[0]?.match(/^\| `.*$/gm) ?? [];
  const listed = rows.flatMap((row) => {
    const [, operations = '', needed = ''] = row.split('|');
    const permissions = matches(needed, /`([a-z:]+)`/g).sort();
    return matches(operations, /`([A-Z]+ [^`]+)`/g).map((operation) => [operation, ...permissions].join(' '));
  });
  const known = routes.flatMap((route) =>
    waysTo(route).map(({ method, path }) => [method, path.slice('/api/v1'.length), ...permissionsOf(route).sort()].join(' ')),
  );
  expect(listed.sort()).toEqual(known.sort());
});

test("docs/deploy.md has the cost of a day's flood, from the default rate of the redirect and docs/cost.md.", () => {
  const [, million] = /redirects, recorded and counted,\*\*\s+cost \$([\d.]+)/.exec(read('docs/cost.md')) ?? [];
  const { rate = 0 } = settingsOf({}).stageThrottle.redirect ?? {};
  const usd = 10 * Math.round((rate * 86_400 * Number(million)) / 1e6 / 10);
  expect(read('docs/deploy.md')).toContain(`[$${usd} a day](cost.md#what-a-million-of-each-costs)`);
});

test('docs/api/README.md names every field of a link that its entity tag leaves out for If-Match, and no other.', () => {
  const [, sentence = ''] = /covers\s+everything\s+but(.*?)of\s+a\s+link/s.exec(read('docs/api/README.md')) ?? [];
  expect(matches(sentence, /`(\w+)`/g)).toEqual([...changingFields]);
});
