import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultPermissions } from '../../lambdas/core/key/permissions.ts';
import { rawRequest } from '../support/http/raw-request.ts';
import { adminOn, newDataFolder } from '../support/service/commands.ts';
import { expectProblem, type OwnService, useOwnService } from '../support/service/service.ts';

let service: OwnService;
const folder = newDataFolder();
const { admin, json, refused } = adminOn(folder.dataDir);
beforeAll(async () => {
  service = await useOwnService();
  folder.pointAt(service);
  await service.addDomain((await service.newWorkspace()).id, 'known.example', 'ACTIVE');
});
afterAll(() => folder.remove());

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

test('From a new workspace to its first import and the revoked key, each command prints what is documented.', async () => {
  const workspace = await json('workspaces', 'create', '--name', 'Acme');
  expect(workspace).toEqual({ id: expect.stringMatching(/^ws_/), name: 'Acme', createdAt: timestamp });
  const made = await json(
    'keys',
    'create',
    '--workspace',
    workspace.id,
    '--name',
    'ci',
    '--permissions',
    'links:write,tags:read',
  );
  const { key, ...listed } = made;
  expect(made).toEqual({
    id: expect.stringMatching(/^key_[\w-]{43}$/),
    key: expect.stringMatching(/^lk_[0-9A-Za-z]{36}$/),
    prefix: key.slice(0, 7),
    name: 'ci',
    workspaceId: workspace.id,
    permissions: ['links:write', 'tags:read'],
    createdAt: timestamp,
    createdBy: 'operator',
  });
  expect(await json('keys', 'list', '--workspace', workspace.id)).toEqual({ keys: [listed] });

  const domain = await json('domains', 'add', '--workspace', workspace.id, '--domain', 'Go.Acme.Example.');
  expect(domain).toEqual({ domain: 'go.acme.example', status: 'ACTIVE', createdAt: timestamp });
  expect(await json('domains', 'list', '--workspace', workspace.id)).toEqual({ domains: [domain] });

  const links = [{ url: 'https://example.org/' }];
  const body = { domain: 'go.acme.example', links };
  expect((await service.send('POST', '/api/v1/links/bulk', { key, body })).body.created).toBe(1);

  const revoked = await json('keys', 'revoke', '--id', made.id);
  expect(revoked).toEqual({ id: made.id, revokedAt: timestamp });
  expect(await json('keys', 'revoke', '--id', made.id)).toEqual(revoked);
  expect((await json('keys', 'list', '--workspace', workspace.id)).keys[0].revokedAt).toBe(revoked.revokedAt);
});

test('Workspaces are listed, and one is deleted with everything in it if its id is confirmed.', async () => {
  const { id, key, domain, importLinks } = await service.newWorkspace();
  await importLinks([{ url: 'https://example.org/' }]);
  const { workspaces } = await json('workspaces', 'list');
  const listed = workspaces.find((one: { id: string }) => one.id === id);
  expect(listed).toEqual({ id, name: expect.any(String), createdAt: timestamp });
  expect(await refused('workspaces', 'delete', '--workspace', id)).toContain('--confirm');
  expect(await refused('workspaces', 'delete', '--workspace', id, '--confirm', 'ws_x')).toContain('--confirm must repeat the id');
  expect((await service.send('GET', '/api/v1/links', { key })).body.links).toHaveLength(1);
  // It was begun before, and not finished.
  const { updateItem } = await import('../../lambdas/store/table/writes.ts');
  const since = new Date(Date.now() - 180_000).toISOString();
  const update = { text: 'SET #deletingSince = :since', values: { ':since': since } };
  await updateItem({ pk: `WORKSPACE#${id}`, sk: 'WORKSPACE' }, update);
  expect(await refused('keys', 'create', '--workspace', id)).toContain('is being deleted');
  const { code, stdout, stderr } = await admin('workspaces', 'delete', '--workspace', id, '--confirm', id);
  expect([code, stdout]).toEqual([0, expect.stringContaining(id)]);
  expect(stderr).toContain('links: 1 removed');
  expect(await refused('workspaces', 'delete', '--workspace', id, '--confirm', id)).toContain('there is no workspace');
  const { getDomain } = await import('../../lambdas/store/domains/domains.ts');
  expect(await getDomain(domain)).toBeUndefined();
});

test('A key has all permissions except those for keys unless some are named.', async () => {
  const { id } = await json('workspaces', 'create', '--name', 'All');
  const made = await json('keys', 'create', '--workspace', id);
  expect(made).toMatchObject({ name: null, permissions: defaultPermissions });
  const revoked = await json('keys', 'revoke', '--id', made.id);
  expect(revoked.id).toBe(made.id);
  expectProblem(await service.send('GET', '/api/v1/tags', { key: made.key }), 401, 'unauthorized');
});

test('On a stage without managed domains, there is nothing to reconcile, and the command says so.', async () => {
  expect(await refused('domains', 'reconcile')).toContain('the stage local has no managed domains: see managedDomains');
});

test('A wrong count of keys is found, with the exit code 1, and corrected if that is asked for.', async () => {
  const { id } = await service.newWorkspace();
  const verify = async (...more: string[]) => {
    const { code, stdout } = await admin('keys', 'verify', '--workspace', id, '--json', ...more);
    return [code, JSON.parse(stdout)];
  };
  expect(await verify()).toEqual([0, { counted: 1, found: 1, repaired: false }]);
  const { updateItem } = await import('../../lambdas/store/table/writes.ts');
  const wrong = { text: 'SET #keyCount = :wrong', values: { ':wrong': 200 } };
  await updateItem({ pk: `WORKSPACE#${id}`, sk: 'WORKSPACE' }, wrong);
  expect(await refused('keys', 'create', '--workspace', id)).toContain('at most 200 API keys');
  expect(await verify()).toEqual([1, { counted: 200, found: 1, repaired: false }]);
  expect(await verify('--repair')).toEqual([0, { counted: 200, found: 1, repaired: true }]);
  expect(await verify()).toEqual([0, { counted: 1, found: 1, repaired: false }]);
  expect(await refused('keys', 'verify', '--workspace', 'ws_none')).toContain('there is no workspace');
});

test('A domain goes from a claim to active, keeps its creation date, and belongs to one workspace once proven.', async () => {
  const [one, two] = [await json('workspaces', 'create', '--name', 'One'), await json('workspaces', 'create', '--name', 'Two')];
  const add = (workspace: string, status: string) =>
    ['domains', 'add', '--workspace', workspace, '--domain', 'go.shared.example.com', '--status', status] as const;
  await json(...add(one.id, 'PENDING_OWNERSHIP'));
  await json(...add(two.id, 'PENDING_OWNERSHIP'));
  expect((await json('domains', 'list', '--workspace', one.id)).domains).toMatchObject([{ status: 'PENDING_OWNERSHIP' }]);
  const pending = await json(...add(two.id, 'PENDING_DNS'));
  const active = await json(...add(two.id, 'ACTIVE'));
  expect(active).toEqual({ ...pending, status: 'ACTIVE' });
  expect((await json('domains', 'list', '--workspace', two.id)).domains).toEqual([active]);
  expect(await admin(...add(one.id, 'ACTIVE'))).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('already proven'),
  });
});

describe('An abuse report', () => {
  /** A link on a new domain, and what a visitor of it gets. */
  async function newLink(url = 'https://www.evil.example.com/') {
    const { domain, importLinks, call } = await service.newWorkspace();
    const { body } = await importLinks([{ url, customSlug: 'Launch' }]);
    const change = (changes: object) => call('PATCH', `/links/${body.links[0].id}`, changes);
    const visit = async () => {
      const [response] = await once(get(`${service.baseUrl}/launch`, { headers: { Host: domain } }), 'response');
      response.resume();
      return [response.statusCode, response.headers.location];
    };
    const create = (to: string) => call('POST', '/links', { domain, url: to });
    return { domain, id: body.links[0].id, url, change, create, visit };
  }

  test('A link to a blocked host does not exist for visitors.', async () => {
    const { visit } = await newLink('https://www.blocked.example.com/');
    await json('destinations', 'block', 'blocked.example.com');
    // This is the service's first visit, so no function has a blocklist in its cache.
    expect(await visit()).toEqual([404, undefined]);
    await json('destinations', 'unblock', 'blocked.example.com');
  });

  test('A link is disabled invisibly and irreversibly for its workspace, and can be enabled again.', async () => {
    const { domain, id, url, change, visit } = await newLink();
    expect(await visit()).toEqual([302, url]);
    const on = ['--domain', `${domain.toUpperCase()}.`, '--slug', 'LAUNCH'];
    const disabled = await json('links', 'disable', ...on);
    expect(disabled).toEqual({ id, domain, slug: 'Launch', disabledAt: timestamp });
    expect(await json('links', 'disable', ...on)).toEqual(disabled);
    // A function that has just redirected to the link may remember it for a second.
    await expect.poll(visit).toEqual([404, undefined]);
    const { status, body } = await change({ isActive: true });
    expect([status, body.link.isActive, 'disabledAt' in body.link]).toEqual([200, true, false]);
    expect(await visit()).toEqual([404, undefined]);
    expect(await json('links', 'enable', ...on)).toEqual({ id, domain, slug: 'Launch', disabledAt: null });
    expect(await visit()).toEqual([302, url]);
  });

  test('A host is blocked, listed and unblocked, however it is written.', async () => {
    const blocked = await json('destinations', 'block', 'Bücher.Example.COM.');
    expect(blocked).toEqual({ host: 'xn--bcher-kva.example.com', blockedAt: timestamp });
    expect(await json('destinations', 'block', 'xn--bcher-kva.example.com')).toEqual(blocked);
    const address = await json('destinations', 'block', '2606:4700:0::1');
    expect(address).toEqual({ host: '[2606:4700::1]', blockedAt: timestamp });
    expect(await json('destinations', 'list')).toEqual({ destinations: [address, blocked] });
    const { create } = await newLink();
    // This is the first creation of a single link, so its function has no blocklist in its cache.
    expect((await create('https://bücher.example.com/')).body.errors[0].code).toBe('destination_blocked');
    expect(await json('destinations', 'unblock', 'bücher.example.com')).toEqual({ host: blocked.host, unblockedAt: timestamp });
    expect(await json('destinations', 'list')).toEqual({ destinations: [address] });
  });
});

test("Visitors' reports are listed, the most reported link first, with the command against it; their texts cannot control the terminal, and no output names a workspace.", async () => {
  const { id: workspaceId, domain, importLinks } = await service.newWorkspace();
  await importLinks(['once', 'twice'].map((customSlug) => ({ url: `https://site.example.com/${customSlug}`, customSlug })));
  const note = `evil \u001b[31m\u0007 \u009b2J \u202e\u200f <b>\n\r${'😀'.repeat(400)}`;
  const report = (slug: string, reason: string) => {
    const body = new URLSearchParams({ address: `${domain}/${slug}`, reason, note }).toString();
    const lines = ['POST /+report HTTP/1.1', `Host: ${domain}`, `Content-Length: ${body.length}`, 'User-Agent: curl/8.10.1'];
    return rawRequest(Number(new URL(service.baseUrl).port), [...lines, 'Content-Type: application/x-www-form-urlencoded'], body);
  };
  for (const [slug, reason] of [
    ['twice', 'spam'],
    ['twice', 'phishing'],
    ['once', 'phishing'],
    ['none', 'phishing'],
  ] as const)
    expect(await report(slug, reason)).toMatch(/^HTTP\/1.1 200 /);
  const { reports } = await json('reports', 'list');
  expect(reports).toMatchObject([
    { slug: 'twice', reports: 2, reason: 'spam, phishing', disable: `links disable --domain=${domain} --slug=twice` },
    { slug: 'once', reports: 1, reason: 'phishing', url: 'https://site.example.com/once' },
  ]);
  for (const command of [['list'], ['show', '--id', reports[0].id], ['show', '--id', reports[0].id, '--json']]) {
    const { stdout } = await admin('reports', ...command);
    expect(stdout).not.toContain(workspaceId);
    expect(stdout.replaceAll('\n', '')).toMatch(/^\P{C}+$/u);
  }
  const { statements } = await json('reports', 'show', '--id', reports[0].id);
  expect(statements).toHaveLength(2);
  expect(statements[0].note).toMatch(/^evil \?\[31m\? \?2J \?\? <b>\?\?😀{400}$/u);
  const [, , , disable, ...options] = ['npm', 'run', 'admin', ...String(reports[0].disable).split(' ').slice(1)];
  expect((await json('links', String(disable), ...options)).slug).toBe('twice');
  for (const { id } of reports) expect((await json('reports', 'close', '--id', id)).closedAt).toEqual(timestamp);
  expect(await json('reports', 'list')).toEqual({ reports: [] });
});

test('A list of harmful hosts refuses new destinations, and reports existing links until a report is closed.', async () => {
  const { domain, importLinks, call } = await service.newWorkspace();
  const { body } = await importLinks([{ url: 'https://www.harm.example.com/a', customSlug: 'harm' }]);
  const list = join(folder.dataDir, 'list.txt');
  writeFileSync(list, '0.0.0.0 harm.example.com\nhttps://shared.example.com/malware.exe\n');
  expect(await json('destinations', 'update', '--list', list)).toEqual({ names: 2, lines: 2, unreadable: 0 });
  expect(await json('destinations', 'excuse', 'Shared.example.com')).toEqual({ host: 'shared.example.com', excused: true });
  expect(await json('destinations', 'list-info')).toEqual({ names: 2, updatedAt: timestamp, excused: ['shared.example.com'] });
  // This is the first PUT of a link, so its function has no blocklist in its cache.
  const put = (url: string) => call('PUT', '/links/by-external-id/harm', { domain, url });
  const refused422 = await put('https://harm.example.com/');
  expectProblem(refused422, 422, 'validation_failed');
  expect(refused422.body.errors).toMatchObject([{ path: '/url', code: 'destination_listed' }]);
  expect((await put('https://shared.example.com/')).status).toBe(201);

  expect(JSON.parse((await admin('destinations', 'rescan', '--json')).stdout)).toMatchObject({ listed: 1 });
  const [report] = (await json('reports', 'list')).reports;
  expect(report).toEqual({
    id: expect.stringMatching(/^rep_/),
    kind: 'listed',
    domain,
    linkId: body.links[0].id,
    slug: 'harm',
    url: 'https://www.harm.example.com/a',
    reason: 'harm.example.com',
    createdAt: timestamp,
    closedAt: null,
    reports: 1,
    lastReportedAt: report.createdAt,
    disable: `links disable --domain=${domain} --slug=harm`,
  });
  expect(await json('reports', 'show', '--id', report.id)).toEqual({ ...report, statements: [] });
  const closed = await json('reports', 'close', '--id', report.id);
  expect(closed).toEqual({ ...report, closedAt: timestamp, statements: [] });
  expect(await json('reports', 'list')).toEqual({ reports: [] });
  expect((await json('reports', 'list', '--closed')).reports).toContainEqual({ ...report, closedAt: closed.closedAt });
  expect(await json('reports', 'close', '--listed', 'Harm.example.com')).toEqual({ host: 'harm.example.com', closed: 0 });
  expect(await refused('reports', 'close')).toContain('say which report: --id or --listed');
  expect(await refused('reports', 'show', '--id', 'rep_none')).toContain('there is no report rep_none');

  // A list that may be truncated changes nothing.
  writeFileSync(list, '# nothing\n');
  expect(await refused('destinations', 'update', '--list', list)).toContain('has no names');
  expect(await json('destinations', 'drop-list')).toEqual({ names: 0 });
  expect(await refused('destinations', 'rescan')).toContain('there is no list of harmful hosts');
});

test('A list with less than half of the former names is refused without --smaller.', async () => {
  const list = join(folder.dataDir, 'long.txt');
  writeFileSync(list, 'a.example\nb.example\nc.example\n');
  expect((await json('destinations', 'update', '--list', list)).names).toBe(3);
  writeFileSync(list, 'a.example\n');
  expect(await refused('destinations', 'update', '--list', list)).toContain('has 1 names, and the one before 3');
  expect((await json('destinations', 'list-info')).names).toBe(3);
  expect((await json('destinations', 'update', '--smaller', '--list', list)).names).toBe(1);
  await json('destinations', 'drop-list');
});

test('Without --json, a new workspace is printed as one line for each field.', async () => {
  const { stdout } = await admin('workspaces', 'create', '--name', 'Readable');
  expect(stdout).toMatch(/^id +ws_\w+\nname +Readable\ncreatedAt +\S+\n$/);
});

describe('An error', () => {
  test.for([
    ['an unknown command', ['nothing'], 'no command "nothing": use one of start, workspaces, keys,'],
    ['an unknown option', ['workspaces', 'create', '--name', 'x', '--nothing'], 'unknown option'],
    ['a missing name', ['workspaces', 'create'], '--name'],
    ['an empty name', ['workspaces', 'create', '--name', ' '], 'empty'],
    ['a name that is too long', ['workspaces', 'create', '--name', 'x'.repeat(257)], 'at most 256'],
    ['a name with a line break', ['workspaces', 'create', '--name', 'a\nid b'], 'control characters'],
    ['a missing command', [], 'start, workspaces, keys, members, people, domains, links, destinations, reports'],
    ['a missing command of links', ['links'], 'disable, enable'],
    ['a missing command of destinations', ['destinations'], 'block, unblock, list'],
    ['a missing command of keys', ['keys'], 'create, list, update, rotate, revoke'],
    ['a mistyped command', ['workspaces', 'creat'], 'no command "creat": use one of create'],
    ['an invalid workspace id', ['keys', 'list', '--workspace', 'x'.repeat(3000)], 'no workspace'],
    ['an unknown workspace', ['keys', 'create', '--workspace', 'ws_none'], 'no workspace ws_none'],
    ['an unknown permission', ['keys', 'create', '--workspace', 'ws_none', '--permissions', 'links:read,all'], '"all"'],
    ['an unknown key', ['keys', 'revoke', '--id', 'key_none'], 'no API key key_none'],
    ['an invalid domain', ['domains', 'add', '--workspace', 'ws_none', '--domain', 'a b'], 'not a domain name'],
    ['an unknown domain', ['links', 'disable', '--domain', 'none.example', '--slug', 'x'], 'no domain none.example'],
    ['an unknown slug', ['links', 'disable', '--domain', 'known.example', '--slug', 'none'], 'no link none on known.example'],
    ['an unknown slug to enable', ['links', 'enable', '--domain', 'known.example', '--slug', 'none'], 'no link none'],
    ['an invalid slug', ['links', 'disable', '--domain', 'known.example', '--slug', 'a b'], '1 to 190 characters'],
    ['a missing slug', ['links', 'disable', '--domain', 'known.example'], '--slug'],
    ['a host that is a URL', ['destinations', 'block', 'https://evil.example.com/'], 'must be a domain name'],
    ['a host of one label', ['destinations', 'block', 'example'], 'must be a domain name'],
    ['a missing host', ['destinations', 'block'], 'host'],
    ['two hosts', ['destinations', 'block', 'a.example', 'b.example'], 'too many arguments'],
    ['a host that is not blocked', ['destinations', 'unblock', 'good.example'], 'good.example is not blocked'],
    ['an unknown status', ['domains', 'add', '--workspace', 'ws_none', '--domain', 'a.example', '--status', 'X'], 'PENDING_DNS'],
    ['an unknown stage', ['--stage', 'moon', 'workspaces', 'create', '--name', 'x'], 'staging'],
    ['a data folder without a service', ['--data-dir', 'nowhere', 'workspaces', 'create', '--name', 'x'], 'nowhere'],
  ] as const)('The command fails with one clear line for %s.', async ([, args, said]) => {
    expect(await refused(...args)).toContain(said);
  });
});
