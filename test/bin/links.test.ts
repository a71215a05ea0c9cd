import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { someOf } from '../support/run/proof.ts';
import { newDataFolder, runHere } from '../support/service/commands.ts';
import { type Service, useService, type Workspace } from '../support/service/service.ts';

let service: Service;
const folder = newDataFolder();
const { dataDir } = folder;
beforeAll(async () => {
  service = await useService();
});
afterAll(() => folder.remove());

/** A workspace, and the command with its key. */
async function start() {
  const workspace = await service.newWorkspace();
  const run = (...args: string[]) =>
    runHere('links', [...args, '--url', service.baseUrl], { LINKS_API_KEY: workspace.key, DATA_DIR: dataDir });
  return { workspace, run };
}

let files = 0;
const file = (text: string): string => {
  const path = join(dataDir, `manifest-${++files}.yaml`);
  writeFileSync(path, text);
  return path;
};

const manifest = ({ domain }: Workspace, ...slugs: string[]) =>
  file(
    `owner: marketing\ndomain: ${domain}\nlinks:${slugs.map((slug) => `\n  - { slug: ${slug}, url: https://example.org/ }`).join('') || ' []'}\n`,
  );

const slugsOf = async ({ call }: Workspace): Promise<string[]> =>
  (await call('GET', '/links')).body.links.map(({ shortCode }: { shortCode: string }) => shortCode).sort();

test('A plan ends with 2 if there is something to do and writes nothing; after its apply, both have nothing to do.', async () => {
  const { workspace, run } = await start();
  const path = manifest(workspace, 'a', 'b');
  const planned = await run('plan', path);
  expect(planned).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/\nPlan: 2 to create, 0 to change, 0 to delete\.\n$/),
    stderr: '',
  });
  expect(await slugsOf(workspace)).toEqual([]);
  const applied = await run('apply', path);
  expect(applied).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\nApplied: 2 done, 0 already done, 0 refused\.\n$/),
    stderr: '',
  });
  expect(await slugsOf(workspace)).toEqual(['a', 'b']);
  expect(await run('plan', path)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^No changes: /) });
  expect(await run('apply', path)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^No changes: .*\n$/) });
});

test('A saved plan is applied as it is, may be applied again, and needs the number of its deletions.', async () => {
  const { workspace, run } = await start();
  expect((await run('apply', manifest(workspace, 'a', 'b'))).code).toBe(0);
  const out = join(dataDir, 'plan.json');
  const path = manifest(workspace, 'b', 'c');
  expect((await run('plan', path, '--out', out)).code).toBe(2);
  expect(readFileSync(out, 'utf8')).not.toContain(workspace.key);
  writeFileSync(path, 'something else');
  for (const [args, message] of [
    [[], 'the plan deletes 1 link, so nothing was written: allow it with --allow-deletions 1'],
    [['--allow-deletions', '2'], 'the plan deletes 1 link'],
    [['--allow-deletions', 'x'], 'It is not a whole number.'],
  ] as const) {
    const { code, stderr } = await run('apply', out, ...args);
    expect([code, stderr]).toEqual([1, expect.stringMatching(new RegExp(`^error: .*${message}.*\n$`))]);
  }
  expect(await slugsOf(workspace)).toEqual(['a', 'b']);
  const first = await run('apply', out, '--allow-deletions', '1', '--json');
  expect([first.code, JSON.parse(first.stdout)]).toMatchObject([
    0,
    {
      done: 2,
      alreadyDone: 0,
      results: [
        { action: 'create', slug: 'c', outcome: 'done' },
        { action: 'delete', slug: 'a', outcome: 'done' },
      ],
    },
  ]);
  expect(await slugsOf(workspace)).toEqual(['b', 'c']);
  const again = await run('apply', out, '--allow-deletions', '1', '--json');
  expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { done: 0, alreadyDone: 2 }]);
  expect((await run('apply', manifest(workspace, 'b', 'c'), '--allow-deletions', '1')).stderr).toBe(
    'error: the plan deletes nothing: leave out --allow-deletions 1\n',
  );
});

test('A saved plan that is out of date is refused with all its reasons, and nothing is written.', async () => {
  const { workspace, run } = await start();
  expect((await run('apply', manifest(workspace, 'a'))).code).toBe(0);
  const out = join(dataDir, 'old-plan.json');
  expect((await run('plan', manifest(workspace, 'b'), '--out', out)).code).toBe(2);
  const { id } = (await workspace.call('GET', '/links')).body.links[0];
  await workspace.call('PATCH', `/links/${id}`, { title: 'Theirs' });
  expect(await run('apply', out, '--allow-deletions', '1')).toMatchObject({
    code: 1,
    stderr: 'error: a: somebody has changed the link since the plan: title\nerror: nothing was written: plan again\n',
  });
  expect(await slugsOf(workspace)).toEqual(['a']);
});

test('The JSON of a plan has its counts and steps.', async () => {
  const { workspace, run } = await start();
  const { code, stdout, stderr } = await run('plan', manifest(workspace, 'a'), '--json');
  expect([code, stderr, JSON.parse(stdout)]).toMatchObject([
    2,
    '',
    {
      linksPlan: 1,
      service: service.baseUrl,
      managedBy: `marketing@${workspace.domain}`,
      counts: { create: 1, update: 0, delete: 0, createTags: 0 },
      steps: [{ action: 'create', slug: 'a' }],
    },
  ]);
});

test.for(someOf(['SIGINT', 'SIGTERM'] as const, 'signals to an apply'))(
  'On %s an apply ends with 130, and the same command continues.',
  async (signal) => {
    const { workspace, run } = await start();
    // One more than are looked up one by one, so that the plan needs only a list.
    const slugs = Array.from({ length: 201 }, (_, index) => `link-${index}`);
    const path = manifest(workspace, ...slugs);
    const child = spawn('node', ['bin/links.ts', 'apply', path, '--url', service.baseUrl], {
      env: { PATH: process.env.PATH, LINKS_API_KEY: workspace.key },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (text) => {
      stdout += text;
    });
    child.stderr.on('data', (text) => {
      stderr += text;
      if (stderr.endsWith('100 of 201 done\n')) child.kill(signal);
    });
    const [code] = await once(child, 'close');
    expect([code, stderr]).toEqual([130, expect.stringMatching(/\nstopped: run the same command again to continue\n$/)]);
    const [, done, left] = /Applied: (\d+) done, 0 already done, 0 refused, (\d+) not reached\.\n$/.exec(stdout) ?? [];
    expect(Number(done) + Number(left)).toBe(201);
    const again = await run('apply', path, '--json');
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { done: Number(left), refused: 0 }]);
    expect(await run('plan', path)).toMatchObject({ code: 0 });
  },
);

describe('Errors', () => {
  test('Each error in a manifest is printed with its file, line and column.', async () => {
    const { workspace, run } = await start();
    const path = file(`owner: marketing\ndomain: ${workspace.domain}\nlinks:\n  - slug: a\n    urls: x\n`);
    expect(await run('plan', path)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `${path}:4:5: error: links[0].url is required\n${path}:5:5: error: links[0].urls is not a field of a manifest\n`,
    });
  });

  test('A manifest that is not UTF-8 is refused with the line, before anything is written.', async () => {
    const { workspace, run } = await start();
    const path = file('');
    const text = `owner: marketing\ndomain: ${workspace.domain}\nlinks:\n  - { slug: a, url: https://example.org/, title: Café }\n`;
    writeFileSync(path, Buffer.from(text, 'latin1'));
    for (const command of ['plan', 'apply'])
      expect(await run(command, path)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: 'error: line 4 of the file is not UTF-8: save it as UTF-8 first\n',
      });
  });

  test('A file that does not exist, a wrong key, and a missing key are errors in one line.', async () => {
    const { workspace, run } = await start();
    const path = manifest(workspace, 'a');
    const failed = (message: RegExp) => ({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
    expect(await run('plan', join(dataDir, 'nowhere.yaml'))).toMatchObject(failed(/^error: ENOENT: .*\n$/));
    const url = ['--url', service.baseUrl];
    expect(await runHere('links', ['plan', path, ...url], { LINKS_API_KEY: 'lk_wrong' })).toMatchObject(
      failed(/^error: .*key.*\n$/),
    );
    expect(await runHere('links', ['plan', path, ...url], {})).toMatchObject(
      failed(/^error: set the environment variable LINKS_API_KEY/),
    );
    expect(await runHere('links', ['plan', path, '--data-dir', 'nowhere'], {})).toMatchObject(
      failed(/^error: no service is running/),
    );
  });
});

describe('Adoption', () => {
  test('Adoption writes a manifest with the schema for editors, sets managedBy, and may be repeated.', async () => {
    const { workspace, run } = await start();
    await workspace.importLinks([{ url: 'https://example.org/', customSlug: 'a' }]);
    const path = join(dataDir, 'adopted.yaml');
    const missing = await run('adopt', path);
    expect([missing.code, missing.stderr]).toEqual([1, `error: ${path} does not exist: write it with --owner and --domain\n`]);
    const adopted = await run('adopt', path, '--owner', 'marketing', '--domain', workspace.domain);
    expect(adopted).toMatchObject({
      code: 0,
      stdout: `marketing@${workspace.domain}: 1 adopted, 0 already managed, 0 refused.\n`,
    });
    const [, schema = ''] = /^# yaml-language-server: \$schema=(.*)$/m.exec(readFileSync(path, 'utf8')) ?? [];
    expect(existsSync(join(dataDir, schema))).toBe(true);
    expect(await run('plan', path)).toMatchObject({ code: 0 });
    const again = await run('adopt', path, '--json');
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { adopted: 0, alreadyManaged: 1, refused: [] }]);
    const others = await run('adopt', path, '--owner', 'marketing');
    expect([others.code, others.stderr]).toEqual([1, expect.stringContaining('exists, and says which links to adopt')]);
  });

  test('Adoption with --from-owner renames an owner.', async () => {
    const { workspace, run } = await start();
    const path = manifest(workspace, 'a');
    expect((await run('apply', path)).code).toBe(0);
    writeFileSync(path, readFileSync(path, 'utf8').replace('marketing', 'sales'));
    const refused = await run('adopt', path);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      `error: ${workspace.domain}/a is managed by marketing@${workspace.domain}\n`,
    ]);
    expect((await run('adopt', path, '--from-owner', 'marketing')).code).toBe(0);
    expect((await run('plan', path)).code).toBe(0);
    expect((await workspace.call('GET', '/links')).body.links[0].managedBy).toBe(`sales@${workspace.domain}`);
  });
});
