import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { holdDataFolder } from '../../local/data-folder.ts';
import { findEngine } from '../../local/database/engine.ts';
import { findPort } from '../../local/net/ports.ts';
import { clientId, useOpenIdProvider } from '../support/http/openid-provider.ts';
import { newJar, signInAs, targetOf } from '../support/http/sign-in-flow.ts';
import { patience } from '../support/run/patience.ts';
import { temporaryFolder } from '../support/run/temporary-folder.ts';
import { enginesOf, keptApp, run } from '../support/service/local-processes.ts';

const newProvider = await useOpenIdProvider();
const script = join(import.meta.dirname, '../../bin/local.ts');
/** As from the command line, but with a copy of the app that is synthesised already. */
const start = (args: string[], env?: NodeJS.ProcessEnv) => run(script, args, { PORT: '', DATA_DIR: '', ...keptApp(), ...env });
/** With an app that npm start synthesises itself. */
const synthesised = { NODE_OPTIONS: '' };
/** The engine's file in the data folder. */
const database = findEngine().name === 'embedded' ? 'dynamodb.sqlite' : 'shared-local-instance.db';
const ready = /^ready (http:\/\/127\.0\.0\.1:(\d+))$/m;

/** Runs a line of JavaScript in the process before anything else. */
const first = (line: string) => ({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(line)}` });

describe('npm start', () => {
  it('npm start prints the address last, writes it to service.json for other programs, keeps other users out of a folder that was open to them, and ends cleanly on a signal.', async () => {
    const folder = join(temporaryFolder(), 'data');
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    const before = process.umask(0o022);
    onTestFinished(() => void process.umask(before));
    const { output, kill, ended } = start(['--port', '0', '--data-dir', folder], synthesised);
    const [, baseUrl] = await output(ready);
    const service = JSON.parse(readFileSync(join(folder, 'service.json'), 'utf8'));
    expect(service).toEqual({
      pid: expect.any(Number),
      baseUrl,
      endpoint: expect.stringMatching(/^http:\/\/127\.\d+\.\d+\.\d+:\d+$/),
      awsApi: expect.stringMatching(/^http:\/\/127\.\d+\.\d+\.\d+:\d+$/),
      tableName: expect.any(String),
      activityTableName: expect.any(String),
      clickBucketName: expect.any(String),
      liftedUsagePlanId: expect.any(String),
      region: expect.any(String),
    });
    expect((await fetch(`${baseUrl}/`)).status).toBe(200);
    // This makes a function write into the log.
    const { apiKey } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
    await fetch(`${baseUrl}/api/v1/tags`, { headers: { Authorization: `Bearer ${apiKey}` } });
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(expect.arrayContaining(['demo.json', database, 'lock.sqlite', 'service.json']));
    expect(['', ...files].filter((file) => statSync(join(folder, file)).mode & 0o077)).toEqual([]);
    kill('SIGTERM');
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(ready);
    expect(existsSync(join(folder, 'service.json'))).toBe(false);
    expect(enginesOf(folder)).toEqual([]);
  });

  it('npm start -- --sign-in lets three people sign in, who are members of the demo workspace, and ends cleanly.', async () => {
    const { output, kill, ended } = start(['--port', '0', '--data-dir', temporaryFolder(), '--sign-in'], synthesised);
    const [, baseUrl = ''] = await output(ready);
    for (const [subject, role] of [
      ['olivia', 'owner'],
      ['eddie', 'editor'],
      ['vera', 'viewer'],
    ] as const) {
      const jar = newJar();
      await signInAs(jar, baseUrl, subject);
      expect(await (await jar.send(`${baseUrl}/sign-ins/current`)).json()).toMatchObject({
        workspaces: [{ name: 'Demo', role, state: 'active' }],
      });
    }
    kill('SIGTERM');
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('# Or sign in as Olivia Owner, Eddie Editor, Vera Viewer, without a password');
  });

  it("npm start -- --sign-in-settings lets people sign in with another provider, and the client's secret is only in its file.", async () => {
    let nonce = '';
    const { issuer, got } = newProvider(() => nonce);
    const [folder, file] = [temporaryFolder(), join(temporaryFolder(), 'sign-in.json')];
    const clientSecret = 'a-secret-of-nobody-else';
    writeFileSync(file, JSON.stringify({ issuer, clientId, clientSecret }));
    const args = ['--port', '0', '--data-dir', folder, '--sign-in-settings', file];
    const { output, kill, ended } = start(args, synthesised);
    const [, baseUrl = ''] = await output(ready);
    const jar = newJar();
    const { searchParams } = new URL(targetOf(await jar.send(`${baseUrl}/sign-in?return=/console`)));
    nonce = searchParams.get('nonce') ?? '';
    const back = new URLSearchParams({ code: 'the-code', state: searchParams.get('state') ?? '' });
    await jar.send(`${baseUrl}/sign-in/callback?${back}`);
    expect(await (await jar.send(`${baseUrl}/sign-ins/current`)).json()).toMatchObject({ person: { email: 'ada@example.com' } });
    const { authorization } = got.find(({ path }) => path === '/token') ?? {};
    // Each part is encoded as in a form: RFC 6749, section 2.3.1.
    const credentials = Buffer.from(authorization?.replace('Basic ', '') ?? '', 'base64').toString();
    expect(decodeURIComponent(credentials)).toBe(`${clientId}:${clientSecret}`);
    const files = globSync(join(folder, '**/*'), { withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(10);
    expect(
      files
        .map(({ parentPath, name }) => join(parentPath, name))
        .filter((one) => readFileSync(one, 'latin1').includes(clientSecret)),
    ).toEqual([]);
    kill('SIGTERM');
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain(clientSecret);
  });

  it('After a kill -9, npm start works on the same folder with its links, and no engine of the killed process remains.', async () => {
    const folder = temporaryFolder();
    const one = start(['--port', '0', '--data-dir', folder]);
    const [, baseUrl] = await one.output(ready);
    const { apiKey } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
    const links = async (origin: string | undefined, init: RequestInit = {}) => {
      const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
      return (await fetch(`${origin}/api/v1/links`, { headers, ...init })).json() as Promise<{ links: unknown; link: unknown }>;
    };
    const body = JSON.stringify({ domain: 'go.localhost', url: 'https://example.org/kept' });
    const { link } = await links(baseUrl, { method: 'POST', body });
    one.kill('SIGKILL');
    await one.ended;
    const other = start(['--port', '0', '--data-dir', folder]);
    const [, again] = await other.output(ready);
    const port = (text: string) => text.replaceAll(new URL(String(baseUrl)).port, new URL(String(again)).port);
    expect((await links(again)).links).toContainEqual(JSON.parse(port(JSON.stringify(link))));
    other.kill('SIGINT');
    expect((await other.ended).code).toBe(0);
    await vi.waitFor(() => expect(enginesOf(folder)).toEqual([]), patience);
  });

  it('A flag overrides its variable, and --in-memory keeps no table in the folder.', async () => {
    const [folder, port] = [temporaryFolder(), await findPort()];
    const { output, kill, ended } = start(['--in-memory', '--port', `${port}`], { PORT: 'wrong', DATA_DIR: folder });
    expect((await output(ready))[2]).toBe(`${port}`);
    expect(existsSync(join(folder, 'service.json'))).toBe(true);
    expect(existsSync(join(folder, database))).toBe(false);
    kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });
});

describe('npm start, if it cannot start', () => {
  /** Each case prepares the obstacle, and returns the flags and variables. */
  type Case = (
    folder: string,
  ) => { args: string[]; env?: NodeJS.ProcessEnv } | Promise<{ args: string[]; env?: NodeJS.ProcessEnv }>;
  const withPort =
    (port: string): Case =>
    (folder) => ({ args: [`--port=${port}`, '--data-dir', folder] });

  const cases: [string, Case, RegExp][] = [
    ['the port is not a number', withPort('http'), /"http" is not a port/],
    ['the port is a fraction', withPort('80.5'), /"80.5" is not a port/],
    ['the port is negative', withPort('-1'), /"-1" is not a port/],
    ['the port is too high', withPort('65536'), /"65536" is not a port/],
    ['the variable has an invalid port', (folder) => ({ args: ['--data-dir', folder], env: { PORT: 'x' } }), /"x" is not a port/],
    ['a flag is unknown', () => ({ args: ['--prot', '1'] }), /--prot/],
    ['there is an unexpected argument', () => ({ args: ['3000'] }), /3000/],
    ['a flag has no value', () => ({ args: ['--data-dir'] }), /--data-dir/],
    ['two providers are wanted', () => ({ args: ['--sign-in', '--sign-in-settings', 'any.json'] }), /with one provider$/m],
    ['the provider is unknown', () => ({ args: ['--sign-in-settings', 'nowhere.json'] }), /^nowhere\.json: .* ENOENT$/m],
    [
      'the port is in use',
      async (folder) => {
        const server = createServer();
        onTestFinished(() => void server.close());
        const port = await new Promise<number>((resolve) => {
          server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
        });
        return { args: ['--port', `${port}`, '--data-dir', folder] };
      },
      /port \d+ is in use/,
    ],
    [
      'the data folder is in use',
      (folder) => {
        onTestFinished(holdDataFolder(folder).release);
        return { args: ['--port', '0', '--data-dir', folder] };
      },
      /data folder .+ is in use by a running service/,
    ],
    [
      'the data folder is a file',
      (folder) => {
        writeFileSync(join(folder, 'file'), '');
        return { args: ['--port', '0', '--data-dir', join(folder, 'file')] };
      },
      /data folder .+ cannot be used/,
    ],
    [
      'the data folder is writable by other users',
      (folder) => {
        chmodSync(folder, 0o1777);
        return { args: ['--port', '0', '--data-dir', folder] };
      },
      /data folder .+ cannot be used: .+ shared/,
    ],
    [
      'the data folder cannot be created',
      () => ({ args: ['--port', '0', '--data-dir', '/proc/nowhere'] }),
      /data folder \/proc\/nowhere cannot be used/,
    ],
    [
      'there is neither an engine for the platform nor Java',
      (folder) => ({
        args: ['--port', '0', '--data-dir', folder],
        env: {
          ...{ PATH: '', JAVA_HOME: '', LINKS_ENGINE: '' },
          ...first("if (!process.env.CDK_OUTDIR) Object.defineProperty(process, 'arch', { value: 'sparc' })"),
        },
      }),
      /^no database engine for \w+-sparc: install a JDK, Java 17 .+$/m,
    ],
    [
      'DynamoDB Local is asked for, and there is no Java',
      (folder) => ({
        args: ['--port', '0', '--data-dir', folder],
        env: { LINKS_ENGINE: 'dynamodb-local', PATH: '', JAVA_HOME: '' },
      }),
      /^LINKS_ENGINE is "dynamodb-local", which is not here: install a JDK, Java 17 .+$/m,
    ],
    [
      'the given endpoint does not respond',
      (folder) => ({ args: ['--port', '0', '--data-dir', folder], env: { DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' } }),
      /127\.0\.0\.1:9/,
    ],
    [
      'the app cannot be synthesised',
      (folder) => ({
        args: ['--port', '0', '--data-dir', folder],
        env: first("if (process.env.CDK_OUTDIR) { console.error('Error: no such stage'); process.exit(1) }"),
      }),
      /the app cannot be synthesised: Error: no such stage/,
    ],
  ];

  it.each(cases)('npm start fails with one line if %s.', async (_, make, line) => {
    const folder = temporaryFolder();
    const { args, env } = await make(folder);
    const { code, stdout, stderr } = await start(args, env).ended;
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(enginesOf(folder)).toEqual([]);
    expect(existsSync(join(folder, 'service.json'))).toBe(false);
  });

  it.skipIf(process.getuid?.() === 0)('npm start fails with one line if the data folder is not writable.', async () => {
    const folder = join(temporaryFolder(), 'locked');
    mkdirSync(folder);
    chmodSync(folder, 0o500);
    const { code, stderr } = await start(['--port', '0', '--data-dir', folder]).ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^the data folder .+ cannot be used.+\n$/) });
  });
});

it('A data folder is free again once its process has ended, even if it was killed.', async () => {
  const folder = temporaryFolder();
  const module = JSON.stringify(join(import.meta.dirname, '../../local/data-folder.ts'));
  const code = `const { holdDataFolder } = await import(${module}); holdDataFolder(${JSON.stringify(folder)}); process.kill(process.pid, 'SIGKILL')`;
  expect(() => execFileSync(process.execPath, ['--input-type=module', '-e', code])).toThrow();
  holdDataFolder(folder).release();
});
