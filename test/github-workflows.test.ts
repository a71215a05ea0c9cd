import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { stageNames } from '../lib/stages.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const folder = '.github/workflows';
const example = 'links-as-code.yml';
/** Those of this repository, and the example for others. */
const workflows = [...readdirSync(folder).map((file) => join(folder, file)), join('examples', example)].map((path) => ({
  file: basename(path),
  text: readFileSync(path, 'utf8'),
}));
const textOf = (name: string) => workflows.find(({ file }) => file === name)?.text ?? '';

/** The values of this key in a workflow. */
const valuesOf = (text: string, key: string) =>
  [...text.matchAll(new RegExp(`^ *(?:- )?${key}: *(.*)$`, 'gm'))].map(([, value = '']) => value);

const expression = (text: string) => `\${{ ${text} }}`;

describe.for(workflows)('$file', ({ text }) => {
  test('The workflow pins actions of others to a commit and notes the version, or calls a workflow of this repository.', () => {
    const uses = valuesOf(text, 'uses');
    expect(uses.length).toBeGreaterThan(0);
    for (const use of uses) {
      if (use.startsWith('./')) expect(existsSync(use), use).toBe(true);
      else expect(use).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  test('The workflow has no permissions by default, and each job names those that it needs.', () => {
    expect(text).toMatch(/^permissions: \{\}$/m);
    const jobs = text
      .slice(text.indexOf('\njobs:\n'))
      .split(/\n {2}(?=\w+:\n)/)
      .slice(1);
    expect(jobs.length).toBeGreaterThan(0);
    for (const job of jobs) expect(job).toMatch(/^ {4}permissions:\n {6}contents: read$/m);
  });

  test('The workflow contains no stored keys.', () => {
    expect(text).not.toMatch(/secrets\.|secrets:|access.key|AKIA/i);
  });

  test('The workflow puts no outside text into a shell, and runs no fork with the rights of this repository.', () => {
    for (const command of [...valuesOf(text, 'run'), ...(text.match(/run: \|\n(?: {10}.*\n)+/g) ?? [])])
      expect(command).not.toContain('${{');
    expect(text).not.toContain('pull_request_target');
  });
});

test('Each action has the same version everywhere.', () => {
  const used = new Set(workflows.flatMap(({ text }) => valuesOf(text, 'uses')).filter((use) => !use.startsWith('./')));
  expect(new Set([...used].map((use) => use.split('@')[0])).size).toBe(used.size);
});

test('Every push is tested as on a laptop, and on main before it is deployed.', () => {
  expect(textOf('test.yml')).toContain('on:\n  push:\n    branches-ignore: [main]\n  pull_request:\n  workflow_call:\n');
  expect(valuesOf(textOf('test.yml'), 'run')).toEqual(['.ci/run']);
  expect(statSync('.ci/run').mode & 0o111).not.toBe(0);
  expect(textOf('deploy.yml')).toMatch(/on:\n {2}push:\n {4}branches: \[main\]/);
  expect(textOf('deploy.yml')).toMatch(/ {2}test:\n(?: {4}.*\n)+ {4}uses: \.\/\.github\/workflows\/test\.yml\n/);
  expect(valuesOf(textOf('deploy.yml'), 'needs')).toEqual(['test']);
});

test('Each stage is deployed with the role of its environment, only from main, one deployment at a time.', () => {
  const text = textOf('deploy.yml');
  const stage = expression("inputs.stage || 'dev'");
  expect(valuesOf(text, 'options')).toEqual([`[${stageNames.join(', ')}]`]);
  expect([valuesOf(text, 'environment'), valuesOf(text, 'group'), valuesOf(text, 'STAGE')]).toEqual([
    [stage],
    [`deploy-${stage}`],
    [stage],
  ]);
  expect(valuesOf(text, 'cancel-in-progress')).toEqual(['false']);
  expect(valuesOf(text, 'if')).toEqual(["github.ref == 'refs/heads/main'"]);
  expect(valuesOf(text, 'id-token')).toEqual(['write']);
  expect(valuesOf(text, 'role-to-assume')).toEqual([expression('vars.AWS_ROLE_ARN')]);
  expect(text).toContain('npm run deploy -- -c "stage=$STAGE" --require-approval never');
});

test('The installation for a deployment runs no scripts, and comes before there are credentials.', () => {
  const text = textOf('deploy.yml');
  const installs = valuesOf(text, 'run').filter((command) => /\bnpm (ci|i|install)\b/.test(command));
  expect(installs).toEqual(['npm ci --ignore-scripts']);
  expect(text.indexOf('npm ci')).toBeLessThan(text.indexOf('configure-aws-credentials'));
});

test('The example plans pull requests of the repository with a key of its own, and applies main, one at a time.', () => {
  const { jobs, on } = parse(textOf(example));
  expect(Object.keys(on)).toEqual(['pull_request', 'push', 'workflow_dispatch']);
  expect([on.pull_request, on.push]).toEqual([{ paths: ['links.yaml'] }, { branches: ['main'], paths: ['links.yaml'] }]);
  expect(jobs.plan.if).toContain('github.event.pull_request.head.repo.full_name == github.repository');
  expect(jobs.apply.if).toBe("github.event_name != 'pull_request' && github.ref == 'refs/heads/main'");
  expect([jobs.plan.environment, jobs.apply.environment]).toEqual(['links-plan', 'links']);
  expect(jobs.apply.concurrency).toEqual({ group: 'links', 'cancel-in-progress': false });
  expect([jobs.plan.permissions, jobs.apply.permissions]).toEqual([
    { contents: 'read', 'id-token': 'write', 'pull-requests': 'write' },
    { contents: 'read', 'id-token': 'write' },
  ]);
  const commands = (job: { steps: { run?: string }[] }) => job.steps.map(({ run = '' }) => run).join('\n');
  expect(commands(jobs.plan)).toContain('links -- plan links.yaml');
  expect(commands(jobs.plan)).not.toContain(' apply ');
  expect(commands(jobs.apply)).toContain('links -- apply links.yaml');
});

test.skipIf(spawnSync('bash', ['--version']).error)(
  'The commands of the example comment on the pull request, and fail if the plan does.',
  () => {
    const { jobs } = parse(textOf(example));
    const step = (name: string): string => jobs.plan.steps.find((one: { name?: string }) => one.name === name).run;
    const folder = temporaryFolder();
    const program = (name: string, text: string) => writeFileSync(join(folder, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
    program('aws', 'echo lk_key');
    program('npm', 'echo "  + $LINKS_API_KEY $*"; exit $PLANNED');
    program('gh', 'echo "$*" >> calls; if [[ "$*" == *--jq* ]]; then echo $KNOWN; else cat comment.md > sent; fi');
    const run = (planned: number, known: string) => {
      rmSync(join(folder, 'calls'), { force: true });
      rmSync(join(folder, 'environment'), { force: true });
      const env = { PATH: `${folder}:${process.env.PATH}`, PLANNED: `${planned}`, KNOWN: known, GITHUB_ENV: 'environment' };
      const more = { GITHUB_REPOSITORY: 'a/b', NUMBER: '7', LINKS_URL: 'https://api.example', KEY_PARAMETER: 'key' };
      // GitHub's shell: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstepsrun
      const text = `${step('Plan')}\nset -a; . ./environment; set +a\n${step('Comment')}`;
      const { status } = spawnSync('bash', ['-e', '-c', text], {
        cwd: folder,
        env: { ...env, ...more },
        encoding: 'utf8',
      });
      return { status, calls: readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n').slice(1) };
    };
    expect(run(2, '')).toEqual({
      status: 0,

      calls: ['api repos/a/b/issues/7/comments -F body=@comment.md --silent'],
    });
    expect(readFileSync(join(folder, 'sent'), 'utf8')).toBe(
      '<!-- links -->\n~~~~~~~~text\n  + lk_key run -s links -- plan links.yaml --url https://api.example\n~~~~~~~~\n',
    );
    const edited = ['api --method PATCH repos/a/b/issues/comments/5 -F body=@comment.md --silent'];
    expect(run(0, '5')).toEqual({ status: 0, calls: edited });
    expect(run(1, '5')).toMatchObject({ status: 1, calls: edited });
  },
);

test('Dependabot watches the packages of npm and the actions of the workflows.', () => {
  const text = readFileSync('.github/dependabot.yml', 'utf8');
  expect(valuesOf(text, 'package-ecosystem')).toEqual(['github-actions', 'npm']);
  expect(valuesOf(text, 'directory')).toEqual(['/', '/']);
});
