import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { stageNames } from '../lib/stages/stages.ts';
import { temporaryFolder } from './support/run/temporary-folder.ts';

type Step = {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
};
type Concurrency = { readonly group: string; readonly 'cancel-in-progress': boolean };
type Job = {
  readonly uses?: string;
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly environment?: string;
  readonly concurrency?: Concurrency;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
  readonly 'runs-on'?: string;
  readonly 'timeout-minutes'?: number;
};
type Workflow = {
  // biome-ignore lint/suspicious/noExplicitAny: each event has its own keys.
  readonly on: any;
  readonly permissions: object;
  readonly concurrency?: Concurrency;
  readonly jobs: Readonly<Record<string, Job>>;
};

const folder = '.github/workflows';
const example = 'links-as-code.yml';
/** The workflows of this repository, and the example for other repositories. */
const workflows = [...readdirSync(folder).map((file) => join(folder, file)), join('examples', example)].map((path) => {
  const text = readFileSync(path, 'utf8');
  return { file: basename(path), text, workflow: parse(text) as Workflow };
});
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

function workflowOf(name: string): Workflow {
  const found = workflows.find(({ file }) => file === name);
  if (!found) throw new Error(`no workflow ${name}`);
  return found.workflow;
}
function jobOf(name: string, job: string): Job {
  const found = workflowOf(name).jobs[job];
  if (!found) throw new Error(`no job ${job} in ${name}`);
  return found;
}
const stepsOf = ({ steps = [] }: Job) => steps;
const runsOf = (job: Job) => stepsOf(job).flatMap(({ run }) => run ?? []);
const needsOf = ({ needs = [] }: Job) => [needs].flat();
const writesOf = ({ permissions = {} }: Job) =>
  Object.entries(permissions).flatMap(([name, level]) => (level === 'write' ? [name] : []));

const jobs = workflows.flatMap(({ file, workflow }) =>
  Object.entries(workflow.jobs).map(([name, job]) => ({ name: `${file} ${name}`, file, workflow, job })),
);
const ofOurs = jobs.filter(({ job }) => job.uses === undefined);
/** Jobs that get credentials of AWS. */
const withAws = ofOurs.filter(({ job }) => stepsOf(job).some(({ uses }) => uses?.startsWith('aws-actions/')));

const expression = (text: string) => `\${{ ${text} }}`;

describe.for(workflows)('$file', ({ text, workflow }) => {
  const uses = [...text.matchAll(/^ *(?:- )?uses: *(.*)$/gm)].map(([, use = '']) => use);

  test('The workflow pins external actions to a commit and notes the version, or calls a workflow of this repository.', () => {
    expect(uses.length).toBeGreaterThan(0);
    for (const use of uses) {
      if (use.startsWith('./')) expect(existsSync(use), use).toBe(true);
      else expect(use).toMatch(/^[\w-]+\/[\w-]+(\/[\w-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  test('The workflow contains no stored keys.', () => {
    expect(text).not.toMatch(/secrets\.|secrets:|access.key|AKIA/i);
  });

  test('The workflow has only keys that GitHub knows.', () => {
    // https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax
    expect(['name', 'on', 'permissions', 'concurrency', 'jobs']).toEqual(expect.arrayContaining(Object.keys(workflow)));
    const jobKeys = ['concurrency', 'env', 'environment', 'if', 'needs', 'outputs', 'permissions', 'runs-on', 'steps'];
    for (const job of Object.values(workflow.jobs)) {
      expect([...jobKeys, 'strategy', 'timeout-minutes', 'uses']).toEqual(expect.arrayContaining(Object.keys(job)));
      for (const step of stepsOf(job))
        expect(['env', 'id', 'if', 'name', 'run', 'uses', 'with']).toEqual(expect.arrayContaining(Object.keys(step)));
    }
  });

  test('The workflow runs nothing with the rights of this repository for a fork, or for another workflow.', () => {
    const events = Object.keys(workflow.on);
    expect(events.filter((event) => /^(pull_request_target|workflow_run|issue_comment)$/.test(event))).toEqual([]);
  });

  test('The workflow has no permissions by default.', () => {
    expect(workflow.permissions).toEqual({});
  });
});

describe.for(jobs)('$name', ({ workflow, job }) => {
  test('The job names its permissions and its timeout, and runs on a fixed version of Ubuntu.', () => {
    expect(['read', 'write']).toContain(job.permissions?.contents);
    if (job.uses !== undefined) return;
    expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
    expect(job['runs-on']).toBe('ubuntu-24.04');
  });

  test('The job puts no expressions into shell scripts, and their syntax is valid.', () => {
    for (const run of runsOf(job)) {
      expect(run).not.toContain('${{');
      const { status, stderr, error } = spawnSync('bash', ['-n'], { input: run, encoding: 'utf8' });
      if (!error) expect([status, stderr], run).toEqual([0, '']);
    }
  });

  test('The job runs only scripts that package.json has.', () => {
    const named = runsOf(job).flatMap((run) =>
      [...run.matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)].map(([, script = '']) => script),
    );
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });

  test('The job reads only outputs of its own steps and of jobs that it needs.', () => {
    const text = JSON.stringify(job);
    const ids = stepsOf(job).flatMap(({ id }) => id ?? []);
    for (const [, id = ''] of text.matchAll(/\bsteps\.(\w+)\./g)) expect(ids).toContain(id);
    for (const [, name = '', output = ''] of text.matchAll(/\bneeds\.(\w+)\.outputs\.(\w+)/g)) {
      expect(needsOf(job)).toContain(name);
      expect(Object.keys(workflow.jobs[name]?.outputs ?? {})).toContain(output);
    }
    for (const name of needsOf(job)) expect(Object.keys(workflow.jobs)).toContain(name);
  });

  test('The token of GitHub is in no files, and only in the steps that call GitHub.', () => {
    for (const { uses, with: inputs } of stepsOf(job))
      if (uses?.startsWith('actions/checkout@')) expect(inputs?.['persist-credentials']).toBe(false);
    for (const { run = '', env } of stepsOf(job))
      expect(Object.hasOwn(env ?? {}, 'GH_TOKEN')).toBe(/\bgh (api|pr|release) /.test(run));
    expect(job.env ?? {}).not.toHaveProperty('GH_TOKEN');
  });
});

test('Each GitHub action is used in the same version everywhere.', () => {
  const used = jobs.flatMap(({ job }) => stepsOf(job).flatMap(({ uses }) => uses ?? []));
  const versions = Map.groupBy(used, (use) => use.split('@')[0]?.split('/').slice(0, 2).join('/'));
  for (const [action, uses] of versions) expect(new Set(uses.map((use) => use.split('@')[1])).size, action).toBe(1);
});

test('Workflows may write only comments, findings, and releases with their attestations on GitHub.', () => {
  const writing = ofOurs.flatMap(({ name, job }) => {
    const writes = writesOf(job).filter((permission) => permission !== 'id-token');
    return writes.length ? [[name, ...writes]] : [];
  });
  expect(writing).toEqual([
    ['codeql.yml analyze', 'security-events'],
    ['preview.yml deploy', 'pull-requests'],
    ['release.yml publish', 'contents', 'attestations'],
    ['links-as-code.yml plan', 'pull-requests'],
  ]);
  const trusted = ofOurs.filter(({ job }) => writesOf(job).includes('id-token')).map(({ name }) => name);
  expect(trusted).toEqual([...withAws.map(({ name }) => name), 'release.yml publish'].sort(byPlace));
});
const byPlace = (one: string, other: string) =>
  ofOurs.findIndex(({ name }) => name === one) - ofOurs.findIndex(({ name }) => name === other);

test('A job that publishes runs no code of the repository or its packages.', () => {
  const publish = jobOf('release.yml', 'publish');
  expect(stepsOf(publish).flatMap(({ uses }) => uses?.split('@')[0] ?? [])).toEqual([
    'actions/download-artifact',
    'actions/attest-build-provenance',
  ]);
  expect(runsOf(publish).join('\n')).not.toMatch(/\b(npm|node|npx)\b/);
});

describe.for(withAws)('$name', ({ workflow, job }) => {
  test('The role belongs to an environment, whose settings say who may use it.', () => {
    expect(job.environment).toMatch(/\S/);
    for (const { uses, with: inputs } of stepsOf(job))
      if (uses?.startsWith('aws-actions/'))
        expect(inputs).toEqual({
          'role-to-assume': expression('vars.AWS_ROLE_ARN'),
          'aws-region': expression('vars.AWS_REGION'),
        });
  });

  test('Packages are installed before the job gets credentials, without their scripts, and without a cache.', () => {
    const steps = stepsOf(job);
    const credentials = steps.findIndex(({ uses }) => uses?.startsWith('aws-actions/'));
    for (const [index, { run = '', uses = '', with: inputs }] of steps.entries()) {
      if (/\bnpm (ci|i|install)\b/.test(run)) {
        expect(run).toBe('npm ci --ignore-scripts');
        expect(index).toBeLessThan(credentials);
      }
      if (uses.startsWith('actions/setup-node@')) expect(inputs).toEqual({ 'node-version': 24, 'package-manager-cache': false });
      expect(uses).not.toMatch(/^actions\/cache/);
    }
  });

  test('Jobs that change a stage run one at a time, and are never cancelled half-way.', () => {
    if (!/npm run (-s )?(deploy|destroy|links -- apply)/.test(runsOf(job).join('\n'))) return;
    expect(job.concurrency ?? workflow.concurrency).toMatchObject({ group: /\S/, 'cancel-in-progress': false });
  });
});

test('Every push is tested as on a laptop, and on main before it is deployed. Packages must have the signatures of their registry.', () => {
  expect(workflowOf('test.yml').on).toEqual({ push: { 'branches-ignore': ['main'] }, pull_request: null, workflow_call: null });
  expect(runsOf(jobOf('test.yml', 'test'))).toEqual(['.ci/run']);
  expect(runsOf(jobOf('test.yml', 'signatures'))).toEqual(['npm ci --ignore-scripts', 'npm audit signatures']);
  expect(statSync('.ci/run').mode & 0o111).not.toBe(0);
  expect(workflowOf('deploy.yml').on.push).toEqual({ branches: ['main'] });
  for (const [file, next] of [
    ['deploy.yml', 'diff'],
    ['release.yml', 'build'],
  ] as const) {
    expect(jobOf(file, 'test').uses).toBe('./.github/workflows/test.yml');
    expect(needsOf(jobOf(file, next))).toContain('test');
  }
});

test('Each stage is deployed from main, after its diff, at the same commit, and each step has a role of its own.', () => {
  const { on, concurrency, jobs } = workflowOf('deploy.yml');
  const stage = expression("inputs.stage || 'dev'");
  expect(on.workflow_dispatch.inputs.stage).toMatchObject({ type: 'choice', required: true });
  // Some stages may be deployed in other ways.
  expect(stageNames()).toEqual(expect.arrayContaining(on.workflow_dispatch.inputs.stage.options));
  expect(concurrency).toEqual({ group: `deploy-${stage}`, 'cancel-in-progress': false });
  expect(Object.entries(jobs).map(([name, job]) => [name, needsOf(job), job.if, job.environment])).toEqual([
    ['test', [], undefined, undefined],
    ['commit', [], "github.ref == 'refs/heads/main'", undefined],
    ['diff', ['test', 'commit'], undefined, `${stage}-diff`],
    ['deploy', ['commit', 'diff'], undefined, stage],
  ]);
  for (const job of [jobOf('deploy.yml', 'diff'), jobOf('deploy.yml', 'deploy')]) {
    const [checkout] = stepsOf(job);
    expect(checkout?.with?.ref).toBe(expression('needs.commit.outputs.sha'));
  }
  expect(runsOf(jobOf('deploy.yml', 'diff')).join()).toContain('npm run -s diff -- -c "stage=$STAGE" --method template');
  expect(runsOf(jobOf('deploy.yml', 'deploy')).slice(1)).toEqual([
    'npm run deploy -- -c "stage=$STAGE" --require-approval never',
    'npm run -s smoke -- --stage "$STAGE"',
  ]);
});

test('A preview is made only for pull requests of this repository, if previews are on, and waits for a run under way.', () => {
  const { on, jobs } = workflowOf('preview.yml');
  expect(on.pull_request).toEqual({ types: ['opened', 'synchronize', 'reopened', 'closed'] });
  const own = 'github.event.pull_request.head.repo.full_name == github.repository';
  for (const job of ['deploy', 'closed'].map((name) => jobOf('preview.yml', name))) {
    expect(job.if).toMatch(/^vars\.PREVIEWS == 'true' && /);
    expect(job.if).toContain(own);
  }
  expect(needsOf(jobOf('preview.yml', 'destroy'))).toEqual(['closed']);
  expect(Object.values(jobs).map(({ environment }) => environment)).toEqual(['preview', 'preview', 'preview']);
  expect([jobs.deploy?.concurrency?.group, jobs.destroy?.concurrency?.group]).toEqual([
    `preview-${expression('github.event.pull_request.number')}`,
    `preview-${expression('matrix.number')}`,
  ]);
});

test('The example plans pull requests of the repository with a key of its own, and applies main, one at a time.', () => {
  const { on } = workflowOf(example);
  const [plan, apply] = [jobOf(example, 'plan'), jobOf(example, 'apply')];
  expect(Object.keys(on)).toEqual(['pull_request', 'push', 'workflow_dispatch']);
  expect([on.pull_request, on.push]).toEqual([{ paths: ['links.yaml'] }, { branches: ['main'], paths: ['links.yaml'] }]);
  expect(plan.if).toContain('github.event.pull_request.head.repo.full_name == github.repository');
  expect(apply.if).toBe("github.event_name != 'pull_request' && github.ref == 'refs/heads/main'");
  expect([plan.environment, apply.environment]).toEqual(['links-plan', 'links']);
  expect(apply.concurrency).toEqual({ group: 'links', 'cancel-in-progress': false });
  expect([plan.permissions, apply.permissions]).toEqual([
    { contents: 'read', 'id-token': 'write', 'pull-requests': 'write' },
    { contents: 'read', 'id-token': 'write' },
  ]);
  expect(runsOf(plan).join('\n')).toContain('links -- plan links.yaml');
  expect(runsOf(plan).join('\n')).not.toContain(' apply ');
  expect(runsOf(apply).join('\n')).toContain('links -- apply links.yaml');
});

/**
 * Runs steps of a job as GitHub does, with stand-ins for programs. Each appends its arguments to the file `calls`:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstepsrun
 */
function runSteps(
  job: Job,
  names: readonly string[],
  programs: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
  given: Readonly<Record<string, string>> = {},
) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  for (const [name, text] of Object.entries(programs)) {
    const script = `#!/bin/bash\nprintf '%s\\n' "${name} $*" >> calls\n${text}\n`;
    writeFileSync(join(folder, 'bin', name), script, { mode: 0o755 });
  }
  for (const file of ['calls', 'environment', 'outputs', 'summary']) writeFileSync(join(folder, file), '');
  for (const [name, text] of Object.entries(given)) writeFileSync(join(folder, name), text);
  const files = { GITHUB_ENV: 'environment', GITHUB_OUTPUT: 'outputs', GITHUB_STEP_SUMMARY: 'summary' };
  const env = { PATH: `${folder}/bin:${process.env.PATH}`, GITHUB_REPOSITORY: 'a/b', ...files, ...more };
  let ended = { status: 0 as number | null, stdout: '', stderr: '' };
  for (const name of names) {
    const step = stepsOf(job).find((one) => one.name === name);
    const set = Object.fromEntries(
      readFileSync(join(folder, 'environment'), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split('=')),
    );
    ended = spawnSync('bash', ['--norc', '-e', '-c', step?.run ?? 'exit 9'], {
      cwd: folder,
      env: { ...env, ...set },
      encoding: 'utf8',
    });
    if (ended.status) break;
  }
  const read = (file: string) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '');
  return { ...ended, folder, read, calls: read('calls').split('\n').filter(Boolean) };
}

/** The preview's commands read JSON with jq, which GitHub's image has. */
const hasBash = spawnSync('bash', ['-c', 'command -v jq']).status === 0;

describe.skipIf(!hasBash)('The commands of the workflows', () => {
  /** Answers the step's requests to GitHub: the rules of a stage, the deployments of staging, and their states. */
  const github = `case "$*" in
    *environments/"$STAGE "*) echo "$RULES" ;;
    *environment=staging*) printf '%s\\n' '3 ccc' '2 bbb' '1 aaa' ;;
    *deployments/3/statuses*) echo failure ;;
    *deployments/2/statuses*) echo "$SECOND" ;;
    *deployments/1/statuses*) echo inactive ;;
  esac`;
  const chosen = (more: Record<string, string>) => {
    const { status, stdout, read } = runSteps(
      jobOf('deploy.yml', 'commit'),
      ['Commit'],
      { gh: github },
      { GITHUB_SHA: 'fff', ...more },
    );
    return [status, read('outputs'), stdout];
  };

  test.for(['dev', 'staging', 'production', 'product'])('%s gets the commit of the run.', (STAGE) => {
    expect(chosen({ STAGE })).toEqual([0, 'sha=fff\n', '']);
  });

  // A cell of production is a stage such as prod-2.
  describe.for(['prod', 'prod-2'])('%s', (STAGE) => {
    test("It gets the commit of staging's last successful deployment.", () => {
      const rules = { STAGE, RULES: 'wait_timer required_reviewers branch_policy' };
      expect(chosen({ ...rules, SECOND: 'success' })).toEqual([0, 'sha=bbb\n', '']);
      const none = '::error::staging has no successful deployment: deploy it first\n';
      expect(chosen({ ...rules, SECOND: 'in_progress' })).toEqual([1, '', none]);
    });

    test.for(['', 'branch_policy', 'wait_timer branch_policy'])(
      'It gets nothing if its deployments need no approval (%j).',
      (RULES) => {
        const message = `::error::deployments to ${STAGE} need no approval: add required reviewers to its environment\n`;
        expect(chosen({ STAGE, SECOND: 'success', RULES })).toEqual([1, '', message]);
      },
    );
  });

  test.for([0, 1])('The diff is in the summary of the run, and if it fails, so does the run (%d).', (code) => {
    const npm = `echo "Stack Links-staging-Data"; echo warning >&2; exit ${code}`;
    const ended = runSteps(jobOf('deploy.yml', 'diff'), ['Diff'], { npm }, { STAGE: 'staging' });
    expect(ended.status).toBe(code);
    expect(ended.read('summary')).toBe('~~~~~~~~text\nStack Links-staging-Data\nwarning\n~~~~~~~~\n');
    expect(ended.calls).toEqual(['npm run -s diff -- -c stage=staging --method template --no-color']);
  });

  /** Answers with the id of the existing comment, and keeps the text that is sent. */
  const comments = (known: string) => `if [[ "$*" == *--jq* ]]; then echo ${known}; else cat comment.md > sent; fi`;
  const sending = (known: string) =>
    known
      ? `gh api --method PATCH repos/a/b/issues/comments/${known} -F body=@comment.md --silent`
      : 'gh api repos/a/b/issues/7/comments -F body=@comment.md --silent';

  test.for(['', '5'])('The example comments on the pull request, and fails if the plan does (comment %j).', (known) => {
    const run = (planned: number) =>
      runSteps(
        jobOf(example, 'plan'),
        ['Plan', 'Comment'],
        { aws: 'echo lk_key', npm: `echo "  + $LINKS_API_KEY $*"; exit ${planned}`, gh: comments(known) },
        { NUMBER: '7', LINKS_URL: 'https://api.example', KEY_PARAMETER: 'key' },
      );
    for (const [planned, status] of [
      [0, 0],
      [2, 0],
      [1, 1],
    ] as const) {
      const ended = run(planned);
      expect([ended.status, ended.calls.at(-1)]).toEqual([status, sending(known)]);
      expect(ended.read('sent')).toBe(
        '<!-- links -->\n~~~~~~~~text\n  + lk_key run -s links -- plan links.yaml --url https://api.example\n~~~~~~~~\n',
      );
    }
  });

  test.for(['', '5'])('A preview says on its pull request where it is, in one comment (%j).', (known) => {
    const ended = runSteps(
      jobOf('preview.yml', 'deploy'),
      ['Comment'],
      { gh: comments(known) },
      { NUMBER: '7', COMMIT: 'fff' },
      { 'outputs.json': '{ "Links-preview-pr-7-Api": { "ApiUrl": "https://api.example/preview-pr-7/" } }' },
    );
    expect([ended.status, ended.calls.at(-1)]).toEqual([0, sending(known)]);
    expect(ended.read('sent')).toBe(
      '<!-- links preview -->\n**Preview** `preview-pr-7` of fff\n\n- API: https://api.example/preview-pr-7\n' +
        '- reference and console: https://api.example/preview-pr-7/docs\n\nIt is destroyed with all its data when this pull request closes.\n',
    );
  });

  test('A run destroys the preview of the closed pull request, or all previews whose pull requests are known to be closed.', () => {
    const stacks = ['pr-12-Data', 'pr-12-Api', 'pr-3-Data', 'pr-4-Data', 'pr-5-Data', 'mine-Data', 'pr-6-2-Data'].map(
      (name) => `Links-preview-${name}`,
    );
    const programs = {
      aws: `echo '${JSON.stringify([...stacks, 'Links-prod-Data'])}'`,
      gh: 'case "$3" in 12) echo MERGED ;; 3) echo CLOSED ;; 4) echo OPEN ;; *) exit 1 ;; esac',
    };
    const find = (NUMBER: string) => runSteps(jobOf('preview.yml', 'closed'), ['Closed'], programs, { NUMBER });
    const closed = find('7');
    expect([closed.status, closed.read('outputs'), closed.calls]).toEqual([0, 'numbers=["7"]\n', []]);
    const all = find('');
    expect([all.status, all.read('outputs')]).toEqual([0, 'numbers=["3","12"]\n']);
    expect(all.stdout).toBe('::warning::cannot say whether pull request 5 is open: its preview stays\n');
  });

  test.for([
    ['CLOSED', ['npm run destroy -- -c stage=preview -c name=pr-7 --force']],
    ['MERGED', ['npm run destroy -- -c stage=preview -c name=pr-7 --force']],
    ['OPEN', []],
  ] as const)('If the pull request is %s when the job starts, it runs %j.', ([state, expected]) => {
    const ended = runSteps(jobOf('preview.yml', 'destroy'), ['Destroy'], { gh: `echo ${state}`, npm: '' }, { NUMBER: '7' });
    expect([ended.status, ended.calls.filter((call) => call.startsWith('npm'))]).toEqual([0, expected]);
  });

  test.for([
    ['v1.2.3', ''],
    ['v1.2.3-rc.1', ' --prerelease'],
  ] as const)('The tag %s makes a release of its version with the notes and the files.', ([tag, more]) => {
    const { build, publish } = { build: jobOf('release.yml', 'build'), publish: jobOf('release.yml', 'publish') };
    const npm =
      'for last; do :; done; case "$*" in *synth*) mkdir -p "$last"; echo {} > "$last/Links.template.json" ;; *) echo new ;; esac';
    const built = runSteps(build, ['Notes', 'Templates'], { npm }, { GITHUB_REF_NAME: tag });
    expect([built.status, built.stderr, built.read('notes.md')]).toEqual([0, '', 'new\n']);
    const files = readdirSync(join(built.folder, 'release'));
    expect(files).toEqual([`links-${tag.slice(1)}-templates.tar.gz`]);
    const { stdout } = spawnSync('tar', ['-tzf', join(built.folder, 'release', files[0] ?? '')], { encoding: 'utf8' });
    expect(stdout.trim().split('\n')).toEqual(['dev', 'prod', 'staging'].map((stage) => `${stage}/Links.template.json`));
    const released = runSteps(publish, ['Release'], { gh: '' }, { GITHUB_REF_NAME: tag });
    expect(released.calls).toEqual([
      `gh release create ${tag} --repo a/b --verify-tag --title ${tag} --notes-file notes.md${more} release/*`,
    ]);
  });
});

test('Dependabot watches the packages of npm and the actions of the workflows, in groups, a week after their release.', () => {
  const { updates } = parse(readFileSync('.github/dependabot.yml', 'utf8'));
  type Update = {
    'package-ecosystem': string;
    directory: string;
    groups: Record<string, { patterns?: string[] }>;
    cooldown: object;
  };
  expect(updates.map((update: Update) => [update['package-ecosystem'], update.directory, update.cooldown])).toEqual([
    ['github-actions', '/', { 'default-days': 7 }],
    ['npm', '/', { 'default-days': 7 }],
  ]);
  // A pattern that matches nothing is left from a removed package.
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const packages = Object.keys(lock.packages).map((path) =>
    path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
  );
  const { groups } = updates[1] as Update;
  for (const [group, { patterns = [] }] of Object.entries(groups)) {
    for (const pattern of patterns) {
      const matching = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
      expect(
        packages.some((name) => matching.test(name)),
        `${group}: ${pattern}`,
      ).toBe(true);
    }
  }
});
