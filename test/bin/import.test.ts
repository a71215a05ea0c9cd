import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { someOf } from '../support/run/proof.ts';
import { newDataFolder, runHere } from '../support/service/commands.ts';
import { type Service, useService, type Workspace } from '../support/service/service.ts';

let service: Service;
let workspace: Workspace;
const folder = newDataFolder();
const { dataDir } = folder;
beforeAll(async () => {
  service = await useService();
  workspace = await service.newWorkspace();
  folder.pointAt(service);
  writeFileSync(join(dataDir, 'demo.json'), JSON.stringify({ baseUrl: service.baseUrl, apiKey: workspace.key }));
});
afterAll(() => folder.remove());

const run = (args: readonly string[], env: Record<string, string> = {}) => runHere('import', args, { DATA_DIR: dataDir, ...env });

const file = (name: string, text: string) => {
  const path = join(dataDir, name);
  writeFileSync(path, text);
  return path;
};

test('An import creates the links, reports the results, and finds the same links the next time.', async () => {
  const path = file('good.csv', 'url,slug,tags\nhttps://example.org/1,one,news\nhttps://example.org/2,two,\n');
  const args = ['--from', 'csv', '--domain', workspace.domain, path];
  const dry = await run([...args, '--dry-run']);
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringMatching(/^would create +2$/m)]);
  expect((await workspace.call('GET', '/links')).body.links).toEqual([]);

  const report = join(dataDir, 'report.csv');
  const first = await run([...args, '--report', report]);
  expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/^created +2\nexisting +0\nrefused +0$/m)]);
  expect(first.stderr).toContain('2 of 2 rows');
  expect(readFileSync(report, 'utf8').split('\r\n')).toHaveLength(4);
  expect((await workspace.call('GET', `/links/lookup?domain=${workspace.domain}&slug=one`)).body.link.tags).toMatchObject([
    { name: 'news' },
  ]);

  const other = file('other.csv', 'url,slug,colour\nhttps://example.org/1,one,red\n');
  const passing = await run(['--from', 'csv', '--domain', workspace.domain, other, '--dry-run']);
  expect(passing.stderr).toMatch(/^ignored columns: colour$/m);

  writeFileSync(path, `${readFileSync(path, 'utf8')}nope,three,\n`);
  const again = await run([...args, '--json']);
  expect(again).toMatchObject({ code: 2, stderr: '' });
  expect(JSON.parse(again.stdout)).toMatchObject({
    created: 0,
    existing: 2,
    refused: 1,
    results: [
      { line: 2, slug: 'one', outcome: 'existing' },
      {},
      { line: 4, outcome: 'refused', reason: 'url must be an absolute URL, such as https://example.com/page' },
    ],
  });
});

test('A file of a database is read in its dialect, which the command and the report name, and an expiry is the end of its day.', async () => {
  const path = file(
    'database.csv',
    [
      'Short URL;URL;Title;Expires at',
      'go.example.com/db-1;https://example.org/1;"Say \\"hi\\", you";2031-12-31',
      'go.example.com/db-2;https://example.org/2;NULL;\\N',
      'go.example.com/db-3;https://example.org/3;"open;',
      'go.example.com/db-4;https://example.org/4;Four;',
    ].join('\r\n'),
  );
  const report = join(dataDir, 'database.report.csv');
  const args = ['--from', 'csv', '--domain', workspace.domain, '--timezone', 'Europe/Berlin', path];
  const dry = await run([...args, '--dry-run']);
  expect([dry.code, dry.stderr]).toEqual([2, expect.stringMatching(/^read as semicolon CSV with backslashes$/m)]);
  const { code, stdout } = await run([...args, '--json', '--report', report]);
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ created: 3, refused: 1, dialect: 'semicolon CSV with backslashes' });
  expect(dry.stdout.replace('would create', 'created')).toMatch(/^created +3$/m);
  const lines = readFileSync(report, 'utf8').split('\r\n');
  expect(lines.slice(1, -1).every((line) => line.endsWith(',semicolon CSV with backslashes'))).toBe(true);
  expect(lines.find((line) => line.startsWith('2,'))).toContain('its expiry 2031-12-31 is the end of that day in Europe/Berlin');
  expect(lines.find((line) => line.startsWith('4,'))).toContain('its quotes do not match');
  const at = async (slug: string) =>
    (await workspace.call('GET', `/links/lookup?domain=${workspace.domain}&slug=${slug}`)).body.link;
  expect(await at('db-1')).toMatchObject({ title: 'Say "hi", you', expiresAt: '2031-12-31T23:00:00.000Z' });
  expect(await at('db-2')).toMatchObject({ title: null, expiresAt: null });
  expect(await at('db-4')).toMatchObject({ title: 'Four' });
});

test("With --template, by name or id, links get the template's settings, and a dry run, a repetition and verify expect them.", async () => {
  const own = await service.newWorkspace();
  const template = { name: 'Spring', utmCampaign: 'spring', redirectType: 'PERMANENT_301' };
  const { id } = (await own.call('POST', '/templates', template)).body;
  const path = file('spring.csv', 'url,slug\nhttps://example.org/1,one\n');
  const args = ['--from', 'csv', '--domain', own.domain, '--workspace', own.id, path];
  const missing = await run([...args, '--template', 'Autumn']);
  expect([missing.code, missing.stderr]).toEqual([
    1,
    expect.stringMatching(/^error: the workspace has no template with the name or id Autumn$/m),
  ]);
  const first = await run([...args, '--template', id]);
  expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/^created +1$/m)]);
  const urls = async () => (await own.call('GET', '/links')).body.links.map(({ url }: { url: string }) => url);
  expect(await urls()).toEqual(['https://example.org/1?utm_campaign=spring']);
  const dry = await run([...args, '--template', 'spring', '--dry-run']);
  expect(dry.stdout).toMatch(/^existing +1\nrefused +0$/m);
  const again = await run([...args, '--template', 'spring']);
  expect(again.stdout).toMatch(/^existing +1\nrefused +0$/m);
  expect(await urls()).toHaveLength(1);
  const place = ['--origin', `http://${own.domain}`, '--through', new URL(service.baseUrl).host];
  const verified = await run(['verify', ...args, ...place, '--template', 'spring']);
  expect(verified.stdout).toMatch(/^same +1$/m);
  expect((await run(['verify', ...args, ...place])).stdout).toMatch(/^different +1$/m);
});

test('The operator needs no key, because one is made for the import and revoked afterwards.', async () => {
  const own = await service.newWorkspace();
  const path = file('operator.csv', 'url,slug\nhttps://example.org/1,one\n');
  const { code, stdout, stderr } = await run(['--from', 'csv', '--domain', own.domain, '--workspace', own.id, path]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^created +1$/m)]);
  const keys = await service.listApiKeys(own.id);
  expect(keys.filter(({ name }) => name === 'import')).toMatchObject([{ revokedAt: expect.any(String) }]);
  expect(stdout + stderr).not.toContain('lk_');
});

/** Runs an import until it waits for the limit on bulk requests, and stops it then. */
async function stoppedWhileWaiting(args: readonly string[], signal: 'SIGINT' | 'SIGTERM', env: Record<string, string>) {
  const child = spawn('node', ['bin/import.ts', ...args], { env: { PATH: process.env.PATH, ...env } });
  const said = { out: '', err: '' };
  child.stdout.on('data', (text) => (said.out += text));
  child.stderr.on('data', (text) => {
    said.err += text;
    // A second signal would end it immediately.
    if (!child.killed && /waiting \d+ s: the limit on bulk requests/.test(said.err)) child.kill(signal);
  });
  const [code] = await once(child, 'close');
  return { code, ...said };
}

test.for(someOf(['SIGINT', 'SIGTERM'] as const, 'signals to an import'))(
  'On %s the import stops waiting for the limit, reports what was done, revokes its key, and ends with 130.',
  async (signal) => {
    const own = await service.newWorkspace();
    for (let taken = 0; taken < 3; taken++) await own.importLinks([{ url: 'https://example.org/' }]);
    const path = file(`${signal}.csv`, 'url,slug\nnope,one\nhttps://example.org/2,two\n');
    const args = ['--from', 'csv', '--domain', own.domain, '--workspace', own.id, path];
    const said = await stoppedWhileWaiting(args, signal, { DATA_DIR: dataDir });
    expect(said.code).toBe(130);
    expect(said.out).toMatch(/^refused +1$/m);
    expect(said.out).toMatch(/^not reached +1$/m);
    expect(said.err.trim().split('\n').at(-1)).toBe('stopped: run the same command again to continue');
    const keys = await service.listApiKeys(own.id);
    expect(keys.filter(({ name }) => name === 'import')).toMatchObject([{ revokedAt: expect.any(String) }]);
  },
);

test('With --json, a continued run that cannot connect prints nothing on stdout, and the results of earlier runs stay.', async () => {
  const own = await service.newWorkspace();
  for (let taken = 0; taken < 3; taken++) await own.importLinks([{ url: 'https://example.org/' }]);
  const alone = newDataFolder();
  alone.pointAt(service);
  const path = file('unreachable.csv', 'url,slug\nnope,one\nhttps://example.org/2,two\n');
  const report = join(alone.dataDir, 'report.csv');
  const args = ['--from', 'csv', '--domain', own.domain, '--workspace', own.id, '--report', report, path];
  const env = { DATA_DIR: alone.dataDir };
  expect((await stoppedWhileWaiting(args, 'SIGINT', env)).code).toBe(130);
  const [part = ''] = readdirSync(alone.dataDir).filter((name) => name.endsWith('.part'));
  const before = readFileSync(join(alone.dataDir, part), 'utf8');
  expect(before).toMatch(/^2,one,nope,refused,/m);
  rmSync(join(alone.dataDir, 'service.json'));
  const { code, stdout, stderr } = await run([...args, '--json'], env);
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('no service is running')]);
  expect(readFileSync(join(alone.dataDir, part), 'utf8')).toBe(before);
  alone.remove();
});

describe('An import that is killed and repeated', () => {
  const rows = [
    'url,slug,tags,aliases',
    'https://example.org/0,killed-0,News,killed-zero',
    'https://example.org/1,,,',
    'nope,killed-2,,',
    'https://example.org/3,killed-3,News,',
    'https://example.org/4,,,',
  ].join('\n');

  /** A proxy that kills the program once the service has answered its request of that number. */
  async function killerAt(kill: number) {
    let requests = 0;
    let child: ChildProcess | undefined;
    const server = createServer(async (request, response) => {
      const body = await buffer(request);
      const { authorization = '', 'content-type': type, 'idempotency-key': key } = request.headers;
      const answer = await fetch(`${service.baseUrl}${request.url}`, {
        method: request.method ?? 'GET',
        headers: { authorization, ...(type && { 'content-type': type }), ...(key && { 'idempotency-key': String(key) }) },
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
      const text = await answer.text();
      if (++requests === kill) child?.kill('SIGKILL');
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}`,
      run: async (args: readonly string[], apiKey: string) => {
        child = spawn('node', ['bin/import.ts', ...args], {
          env: { PATH: process.env.PATH, DATA_DIR: dataDir, LINKS_API_KEY: apiKey },
          stdio: 'ignore',
        });
        const [code, signal] = await once(child, 'close');
        return signal ?? code;
      },
      close: () => server.close(),
    };
  }

  test.for(someOf([1, 2, 3, 4, 5, 6], 'requests of an import'))(
    'makes nothing twice, and its report has every row once: request %i.',
    async (kill) => {
      const own = await service.newWorkspace();
      const path = file(`killed-${kill}.csv`, rows);
      const report = join(dataDir, `killed-${kill}.report.csv`);
      const proxy = await killerAt(kill);
      const args = ['--from', 'csv', '--domain', own.domain, '--url', proxy.url, '--report', report, path];
      expect(await proxy.run(args, own.key)).toBe('SIGKILL');
      expect(await proxy.run(args, own.key)).toBe(2);
      proxy.close();
      const links = (await own.call('GET', '/links?limit=100')).body.links as { url: string; aliases: string[] }[];
      expect(links.map(({ url }) => url).sort()).toEqual([0, 1, 3, 4].map((index) => `https://example.org/${index}`));
      expect(links.find(({ url }) => url.endsWith('/0'))?.aliases).toEqual(['killed-zero']);
      const lines = readFileSync(report, 'utf8').trim().split('\r\n').slice(1);
      expect(lines.map((line) => line.split(',')[0]).sort()).toEqual(['2', '3', '4', '5', '6']);
      expect(lines.filter((line) => !/,(created|existing|refused),/.test(line))).toEqual([]);
      expect(readdirSync(dataDir).filter((name) => name.startsWith(`killed-${kill}.report`))).toEqual([basename(report)]);
    },
  );

  test('A report that a crash has cut within a row is continued after its last whole row, and --json has every row once.', async () => {
    const own = await service.newWorkspace();
    const path = file('cut.csv', 'url,slug,title\nhttps://example.org/0,cut-0,\nhttps://example.org/1,cut-1,\n');
    const report = join(dataDir, 'cut.report.csv');
    const proxy = await killerAt(1);
    const args = ['--from', 'csv', '--domain', own.domain, '--url', proxy.url, '--report', report, path];
    expect(await proxy.run(args, own.key)).toBe('SIGKILL');
    const [part = ''] = readdirSync(dataDir).filter((name) => /^cut\.report\.csv\..+\.part$/.test(name));
    // The report of an earlier run is trusted: this row is not sent again, and stays as it is.
    const whole = '2,cut-0,https://example.org/0,existing,"said, ""so""\r\nbefore",,https://x.example/,,\r\n';
    appendFileSync(join(dataDir, part), `${whole}3,cut-1,https://example.org/1,exis`);
    const { code, stdout } = await run([...args, '--json'], { LINKS_API_KEY: own.key });
    proxy.close();
    expect(code).toBe(0);
    const { results, existing } = JSON.parse(stdout) as { results: { line: number }[]; existing: number };
    expect([results.map(({ line }) => line), existing]).toEqual([[2, 3], 2]);
    const text = readFileSync(report, 'utf8');
    expect(text).toContain(whole);
    expect(text.match(/^3,/gm)).toEqual(['3,']);
    expect(text).toMatch(/^3,cut-1,https:\/\/example\.org\/1,existing,/m);
  });
});

test('A dry run as the operator reports the same as one with a key, and makes no key.', async () => {
  const own = await service.newWorkspace();
  await own.call('POST', '/links', { domain: own.domain, url: 'https://example.org/1', customSlug: 'one' });
  await own.call('POST', '/links', { domain: own.domain, url: 'https://elsewhere.example.com/', customSlug: 'two' });
  const path = file('dry.csv', 'url,slug\nhttps://example.org/1,ONE\nhttps://example.org/2,two\nhttps://example.org/3,three\n');
  const args = ['--from', 'csv', '--workspace', own.id, path, '--dry-run', '--json'];
  const before = await service.listApiKeys(own.id);
  const { code, stdout } = await run([...args, '--domain', own.domain]);
  const asked = await run(['--from', 'csv', path, '--dry-run', '--json', '--domain', own.domain], { LINKS_API_KEY: own.key });
  const said = JSON.parse(stdout);
  expect(said).toMatchObject({ would_create: 1, existing: 1, refused: 1 });
  expect(code).toBe(2);
  expect(said.results[0].shortUrl).toBe(`http://${own.domain}:${new URL(service.baseUrl).port}/one`);
  // The tests' service was synthesised for a different port.
  const withoutPorts = (text: string) => JSON.parse(text.replaceAll(/(example\.com):\d+/g, '$1'));
  expect(withoutPorts(stdout)).toEqual(withoutPorts(asked.stdout));
  expect(await service.listApiKeys(own.id)).toEqual(before);
  const other = await run([...args, '--domain', workspace.domain]);
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('not proven that it owns')]);
});

describe('An error of the import', () => {
  const good = () => file('line.csv', 'url\nhttps://example.org/\n');
  test.for([
    ['a missing format', () => ['--domain', 'x.example', good()], {}, '--from'],
    ['an unknown format', () => ['--from', 'tiny', '--domain', 'x.example', good()], {}, 'tiny'],
    ['a missing domain', () => ['--from', 'csv', good()], {}, '--domain'],
    ['an invalid domain', () => ['--from', 'csv', '--domain', 'x', good()], {}, 'not a domain name'],
    [
      'a column that may have the addresses',
      () => ['--from', 'csv', '--domain', 'x.example', file('alias.csv', 'url,alias\nhttps://example.org/,a\n')],
      {},
      'the column "alias" may have the addresses of the links',
    ],
    [
      'an unknown time zone',
      () => ['--from', 'csv', '--domain', 'x.example', '--timezone', 'CEST+2', good()],
      {},
      'IANA time zone',
    ],
    ['a missing file', () => ['--from', 'csv', '--domain', 'x.example', '/nothing.csv'], {}, 'ENOENT'],
    [
      'a column that would paint the terminal',
      () => ['--from', 'csv', '--domain', 'x.example', file('red.csv', 'url,\u001b[31m,\u001b[31m\n')],
      {},
      'the column "?[31m" appears twice',
    ],
    [
      'an unknown workspace',
      () => ['--from', 'csv', '--domain', 'x.example', '--workspace', 'ws_x', good()],
      {},
      'there is no workspace ws_x',
    ],
    [
      'a folder without a service',
      () => ['--from', 'csv', '--domain', 'x.example', '--data-dir', '/nothing', good()],
      {},
      'no service is running',
    ],
    [
      'an address without a key',
      () => ['--from', 'csv', '--domain', 'x.example', '--url', 'http://127.0.0.1:9', good()],
      {},
      'LINKS_API_KEY',
    ],
    [
      'an invalid URL',
      () => ['--from', 'csv', '--domain', 'x.example', '--url', 'nowhere', good()],
      { LINKS_API_KEY: 'lk_secret' },
      'must be an http or https URL',
    ],
    [
      'a URL with a password',
      () => ['--from', 'csv', '--domain', 'x.example', '--url', 'https://me:lk_secret@x.example', good()],
      { LINKS_API_KEY: 'lk_secret' },
      'must not have a user name',
    ],
    [
      'a report that cannot be written',
      () => ['--from', 'csv', '--domain', 'x.example', '--report', '/nothing/report.csv', good()],
      {},
      'ENOENT',
    ],
    ['a wrong key', () => ['--from', 'csv', '--domain', 'x.example', good()], { LINKS_API_KEY: 'lk_secret' }, 'API key'],
    [
      "a domain that is not the workspace's",
      () => ['--from', 'csv', '--domain', 'x.example', good()],
      {},
      'has not proven that it owns this domain',
    ],
  ] as const)('The import fails with one line and the exit code 1 for %s.', async ([, args, env, text]) => {
    const { code, stdout, stderr } = await run(args(), env);
    expect(code).toBe(1);
    const [line] = stderr.trim().split('\n').slice(-1);
    expect(line).toContain(text);
    expect(line).toMatch(/^error: \P{C}+$/u);
    expect(stdout + stderr).not.toContain('lk_secret');
  });
});

describe('import verify', () => {
  const rows = [
    'url,slug,redirect_type,aliases,max_clicks,confirm_visit,cloaked,is_active,block_bots,starts_at',
    'https://example.org/plain?utm=1#x,v/plain.html,301,v-former|v/older,,,,,,',
    'https://example.org/guarded,v-guarded,302,,,,,,true,2020-01-01',
    'https://example.org/capped,v-capped,302,,5,,,,,',
    'https://example.org/asks,v-asks,302,,,true,,,,',
    'https://example.org/framed,v-framed,302,,,,true,,,',
    'https://example.org/off,v-off,302,,,,,false,,',
    'nope,v-nope,302,,,,,,,',
  ].join('\n');

  /** The arguments that let the command visit the addresses of a domain, which no DNS knows. */
  const through = (domain: string) => ['--origin', `http://${domain}`, '--through', new URL(service.baseUrl).host];

  test('The command reports which addresses lead where the file says, without counting a click, and names those that it cannot compare.', async () => {
    const own = await service.newWorkspace();
    writeFileSync(join(dataDir, 'demo.json'), JSON.stringify({ baseUrl: service.baseUrl, apiKey: own.key }));
    const path = file('verify.csv', rows);
    const args = ['--from', 'csv', '--domain', own.domain];
    expect((await run([...args, path])).stdout).toMatch(/^created +6$/m);
    const report = join(dataDir, 'verified.csv');
    const verified = await run(['verify', ...args, ...through(own.domain), '--json', '--report', report, path]);
    expect(verified.stderr).toBe('');
    expect((await run(['verify', ...args, ...through(own.domain), path])).stderr).toContain('9 of 9 addresses');
    const { addresses, ...counts } = JSON.parse(verified.stdout);
    expect({ ...counts, addresses }).toMatchObject({ same: 4, different: 0, not_comparable: 5, not_reached: 0 });
    expect(verified.code).toBe(0);
    expect(addresses.map(({ slug, reason }: { slug: string; reason: string }) => [slug, reason])).toEqual([
      ['v/plain.html', ''],
      ['v-former', ''],
      ['v/older', ''],
      ['v-guarded', ''],
      ['v-capped', 'it has a cap, which HEAD must not show'],
      ['v-asks', 'it asks visitors to confirm'],
      ['v-framed', 'it may show its destination in a frame'],
      ['v-off', 'it is inactive'],
      ['v-nope', expect.stringContaining('it is not imported: url must be')],
    ]);
    expect(readFileSync(report, 'utf8').split('\r\n')).toHaveLength(11);
    const { links } = (await own.call('GET', '/links')).body;
    expect(links.map(({ clickCount }: { clickCount: number }) => clickCount)).toEqual(links.map(() => 0));

    writeFileSync(path, rows.replace('/guarded,', '/elsewhere,').replace('v-former', 'v-unknown'));
    const again = await run(['verify', ...args, ...through(own.domain), path]);
    expect(again.code).toBe(2);
    expect(again.stdout).toMatch(/^different +2$/m);
    expect(again.stdout).toContain('line 3: /v-guarded: it leads to https://example.org/guarded');
    expect(again.stdout).toContain('line 2: /v-unknown: it answers 404, and leads nowhere');
  });

  test.for([
    ['--origin', 'go.example.com:80', 'It must be like https://go.example.com, without a path.'],
    ['--origin', 'ftp://go.example.com', 'without a path'],
    ['--origin', 'https://go.example.com/base', 'without a path'],
    ['--through', 'https://go.example.com', 'It must be a host'],
    ['--through', 'a b', 'It must be a host'],
    ['--through', 'go.example.com/base', 'It must be a host'],
  ] as const)('%s %s is refused, instead of visiting something else.', async ([option, value, reason]) => {
    const path = file('one.csv', 'url,slug\nhttps://example.org/,one\n');
    const { code, stdout, stderr } = await run(['verify', '--from', 'csv', '--domain', 'go.example.com', option, value, path]);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(reason)]);
  });

  test('A service that cannot be reached is reported for each address.', async () => {
    const path = file('unreached.csv', 'url,slug\nhttps://example.org/,one\n');
    const { code, stdout } = await run([
      'verify',
      '--from',
      'csv',
      '--domain',
      'go.example.com',
      '--origin',
      'http://127.0.0.1:9',
      path,
    ]);
    expect([code, stdout]).toEqual([2, expect.stringMatching(/^not reached +1\n\n {2}line 2: \/one: /m)]);
  });
});
