import { spawn } from 'node:child_process';
import { chmodSync, globSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './support/run/temporary-folder.ts';
import { keptApp, run } from './support/service/local-processes.ts';

// Each document is pasted from top to bottom, block by block, into one shell with a fresh service.

/** A fenced block: commands to paste, or their output. */
type Fence = { readonly info: string; readonly text: string; readonly from: number; readonly to: number };

/** Commands to paste, and the output that the document shows, if any. */
type Step = { readonly commands: string; readonly shown: Fence | undefined };

function stepsOf(document: string): Step[] {
  const lines = readFileSync(document, 'utf8').split('\n');
  const fences: Fence[] = [];
  for (let from = 0; from < lines.length; from++) {
    const [, indent = '', info] = /^( *)```(.+)$/.exec(lines[from] ?? '') ?? [];
    if (info === undefined) continue;
    const to = lines.indexOf(`${indent}\`\`\``, from + 1);
    const text = lines.slice(from + 1, to).map((line) => line.slice(indent.length));
    fences.push({ info, text: text.join('\n'), from, to });
    from = to;
  }
  return fences.flatMap((fence, index) => {
    if (fence.info !== 'sh') return [];
    const next = fences[index + 1];
    const isBeside =
      next &&
      ['json', 'text'].includes(next.info) &&
      lines
        .slice(fence.to + 1, next.from)
        .join('')
        .trim() === '';
    return { commands: fence.text, shown: isBeside ? next : undefined };
  });
}

const documents = ['README.md', ...globSync('docs/**/*.md')].filter((document) => stepsOf(document).length > 0).sort();

/** A folder like a fresh clone: the project's files, and no data of its own yet. */
function clone(): string {
  const folder = temporaryFolder();
  for (const name of readdirSync('.')) {
    if (!name.startsWith('.') && name !== 'cdk.out') symlinkSync(join(process.cwd(), name), join(folder, name));
  }
  return folder;
}

/**
 * A folder with an `npm` that runs the programs of package.json directly: npm itself takes twice the processor time of
 * what it runs. The first `npm run` of each program in a document is npm's own.
 */
function quickNpm(): string {
  const folder = temporaryFolder();
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const programs = Object.entries(scripts).filter(([, script]) => /^node bin\/\w+\.ts$/.test(script));
  const cases = programs.map(([name, script]) => `'run -s ${name} --') script='${script}' ;;`);
  const lines = [
    '#!/bin/bash',
    'case "$1 $2 $3 $4" in',
    ...cases,
    'esac',
    `if [ "$script" ] && ! mkdir "${folder}/$3" 2> /dev/null; then exec $script "\${@:5}"; fi`,
    `PATH=\${PATH#${folder}${delimiter}} exec npm "$@"`,
  ];
  writeFileSync(join(folder, 'npm'), lines.join('\n'));
  chmodSync(join(folder, 'npm'), 0o755);
  return folder;
}

/** Pastes the blocks into one shell, and returns the output and last status of each. */
async function paste(folder: string, blocks: readonly string[]): Promise<{ output: string; status: number }[]> {
  // Separates two blocks; no command prints it.
  const separator = '\x1e';
  const script = blocks.map((block) => `${block}\nprintf '${separator}%s${separator}' $?\n`).join('');
  const env = { ...process.env, PATH: [quickNpm(), dirname(process.execPath), process.env.PATH].join(delimiter) };
  const shell = spawn('bash', { cwd: folder, env, stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void shell.kill('SIGKILL'));
  let printed = '';
  shell.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  shell.stdin.end(script);
  await new Promise((resolve) => shell.once('close', resolve));
  const parts = printed.split(separator);
  return blocks.map((_, index) => ({ output: parts[2 * index] ?? '', status: Number(parts[2 * index + 1]) }));
}

/** Texts that differ each time, with their placeholders. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/\b(lnk|tag|ws|dom|key|lk|his|req|whk|whs|dlv|mbr|per)_[\w-]+/g, '$1_'],
  [/\bwhsec_[\w+/]+=*/g, 'whsec_'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/g, 'TIME'],
  [/(?<="createdOn":\s*")\d{4}-\d\d-\d\d/g, 'DATE'],
  [/(?<=[Cc]reated )(on )?\d{4}-\d\d-\d\d/g, 'DATE'],
  [/(?<="shortCode":\s*")[2-9a-z]{7}(?=")/g, 'SLUG'],
  [/(?<=localhost:3000\/)[2-9a-hjkmnp-z]{7}\b/g, 'SLUG'],
  [/"[\w-]{22}(\.[\w-]{22})?"/g, '"ETAG"'],
  [/(?<=links-verification=)\w+/g, 'TOKEN'],
  [/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, 'UUID'],
];

const steady = (text: string): string =>
  changing.reduce((steadied, [pattern, name]) => steadied.replace(pattern, name), text.replaceAll('\r', '').trim());

/** JSON, independent of its layout. */
const parsed = (text: string): unknown => JSON.parse(steady(text));

describe.for(documents)('%s', (document) => {
  const steps = stepsOf(document);

  test('Every block of commands does what the document shows, pasted from top to bottom with a fresh service.', async () => {
    const folder = clone();
    const service = run('bin/local.ts', ['--port', '0', '--data-dir', join(folder, '.local')], keptApp());
    const [, port = ''] = await service.output(/^ready http:\/\/127\.0\.0\.1:(\d+)$/m);
    const blocks = steps.map(({ commands }) => commands.replaceAll('localhost:3000', `localhost:${port}`));
    const results = await paste(folder, blocks);
    for (const [index, { commands, shown }] of steps.entries()) {
      const { output = '', status } = results[index] ?? {};
      const printed = output.replaceAll(`:${port}`, ':3000');
      expect.soft(status, commands).toBe(0);
      if (shown?.info === 'json') expect.soft(parsed(printed), commands).toEqual(parsed(shown.text));
      if (shown?.info === 'text') expect.soft(steady(printed), commands).toBe(steady(shown.text));
    }
  });
});
