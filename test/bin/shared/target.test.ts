import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { accessTo } from '../../../bin/smoke/access.ts';
import { stageOf } from '../../../lib/stages/stages.ts';
import { runCommand, runHere } from '../../support/service/commands.ts';
import { stackAnswer } from '../../support/stacks/stack-answer.ts';
import { useTables } from '../../support/store/tables.ts';

// Stands in for AWS as far as the operator's command needs it: stack outputs, and keys of the API gateway.

type Call = { readonly request: string; readonly body: string };

let calls: Call[] = [];
let refuses = '';
let gatewayKeys: { readonly id: string; readonly name: string; readonly value?: string; readonly createdDate?: number }[] = [];
let table: Awaited<ReturnType<typeof useTables>>;

const outputs: Record<string, Record<string, string>> = {};

const aws = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const form = new URLSearchParams(body);
    const stack = form.get('StackName');
    const asked = stack ? `${form.get('Action')} ${stack}` : `${request.method} ${request.url}`;
    calls.push({ request: asked, body });
    const answer = (status: number, type: string, text: string) => response.writeHead(status, { 'Content-Type': type }).end(text);
    if (stack && outputs[stack]) return answer(200, 'text/xml', stackAnswer(outputs[stack]));
    if (stack)
      return answer(
        400,
        'text/xml',
        `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${stack} does not exist</Message></Error></ErrorResponse>`,
      );
    if (refuses && asked.includes(refuses)) return answer(400, 'application/json', '{"message":"not this time"}');
    if (request.method === 'GET') return answer(200, 'application/json', JSON.stringify({ item: gatewayKeys }));
    if (request.method === 'DELETE') return answer(202, 'application/json', '');
    return answer(201, 'application/json', '{"id":"key-id"}');
  });
});

beforeAll(async () => {
  table = await useTables();
  await new Promise<void>((resolve) => aws.listen(0, '127.0.0.1', resolve));
  outputs['Links-dev-Data'] = { TableName: table.tableName, ActivityTableName: table.activityTableName };
  outputs['Links-dev-Redirect'] = { ServedNames: 'go.example.com *.example.net !api.example.net' };
  outputs['Links-dev-Api'] = { ApiUrl: 'https://example.org/dev/', UsagePlanId: 'plan-id', LiftedUsagePlanId: 'lifted-plan' };
});
afterAll(() => aws.close());
afterEach(() => vi.unstubAllEnvs());
beforeEach(() => {
  calls = [];
  refuses = '';
});

/** Runs the command on a stage, against the stand-in for AWS. */
const admin = (...args: string[]) => run('admin', ...args);

const run = (command: 'admin' | 'smoke', ...args: string[]) => runHere(command, [...args, '--json'], environment());

function environment() {
  const endpoint = `http://127.0.0.1:${(aws.address() as AddressInfo).port}`;
  return {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_CLOUDFORMATION: endpoint,
    AWS_ENDPOINT_URL_API_GATEWAY: endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
  };
}

test('If AWS cannot be called, or has no such stage, a command says in one line what to do.', async () => {
  const { AWS_REGION, AWS_ACCESS_KEY_ID, ...rest } = { ...environment(), AWS_EC2_METADATA_DISABLED: 'true' };
  const list = async (environment: Record<string, string>) =>
    (await runCommand('admin', ['--stage', 'staging', 'workspaces', 'list'], { ...rest, ...environment })).stderr;
  expect(await list({ AWS_REGION, AWS_ACCESS_KEY_ID })).toBe(
    'error: there is no stack Links-staging-Data in eu-central-1: deploy the stage first, or set AWS_REGION and AWS_PROFILE to where it is\n',
  );
  expect(await list({ AWS_REGION })).toMatch(/^error: no AWS credentials: [^\n]*\n$/);
  expect(await list({ AWS_ACCESS_KEY_ID })).toBe('error: no region: set it, as in: export AWS_REGION=eu-central-1\n');
});

const createWorkspace = () => admin('--stage', 'dev', 'workspaces', 'create', '--name', 'Acme');

test('On a stage, the gateway key of a new workspace is made and joined to the plan before the workspace is written.', async () => {
  const { code, stdout, stderr } = await createWorkspace();
  expect([code, stderr]).toEqual([0, '']);
  const { id } = JSON.parse(stdout);
  expect(calls.map(({ request }) => request)).toEqual([
    'DescribeStacks Links-dev-Data',
    'DescribeStacks Links-dev-Api',
    'POST /apikeys',
    'POST /usageplans/plan-id/keys',
  ]);
  const made = JSON.parse(calls[2]?.body ?? '');
  expect(made).toMatchObject({ name: `links-dev-${id}`, enabled: true, tags: { service: 'links', stage: 'dev' } });
  expect(JSON.parse(calls[3]?.body ?? '')).toEqual({ keyId: 'key-id', keyType: 'API_KEY' });
  const { getWorkspace } = await import('../../../lambdas/store/workspaces/workspaces.ts');
  expect(await getWorkspace(id)).toMatchObject({ id, name: 'Acme', gatewayKey: made.value });
});

/** How many items the table has. */
async function itemCount(): Promise<number | undefined> {
  const client = new DynamoDBClient({ endpoint: table.endpoint });
  const { Count } = await client.send(new ScanCommand({ TableName: table.tableName, Select: 'COUNT' }));
  client.destroy();
  return Count;
}

test('A gateway key that cannot be joined to the plan is deleted again, and no workspace is written.', async () => {
  const before = await itemCount();
  refuses = '/usageplans/';
  const { code, stdout, stderr } = await createWorkspace();
  expect([code, stdout, stderr]).toEqual([1, '', 'error: not this time\n']);
  expect(calls.at(-1)?.request).toBe('DELETE /apikeys/key-id');
  expect(await itemCount()).toBe(before);
});

test('A stage that is not deployed is reported with one clear line.', async () => {
  const { code, stdout, stderr } = await admin('--stage', 'prod', 'workspaces', 'create', '--name', 'Acme');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: .*Links-prod-Data.*\n$/);
});

test('A preview is a stage for the operator, under its whole name.', async () => {
  const { code, stderr } = await admin('--stage', 'preview-pr-12', 'workspaces', 'create', '--name', 'Acme');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: .*Links-preview-pr-12-Data.*\n$/)]);
  for (const stage of ['preview', 'preview-', 'preview-PR-12', 'preview-pr--12']) {
    const refused = await admin('--stage', stage, 'workspaces', 'create', '--name', 'Acme');
    expect(refused.code, stage).toBe(1);
    expect(refused.stderr).toMatch(/Allowed choices are local, .*preview-<name>\./);
  }
});

test("A workspace's deletion deletes its gateway key, and no other one, before the workspace.", async () => {
  const { id } = JSON.parse((await createWorkspace()).stdout);
  const { getWorkspace } = await import('../../../lambdas/store/workspaces/workspaces.ts');
  gatewayKeys = [
    { id: 'own', name: `links-dev-${id}` },
    { id: 'lifted', name: `links-dev-${id}-lifted` },
    { id: 'other', name: `links-dev-${id}2` },
  ];
  calls = [];
  refuses = 'DELETE';
  // In this process, because it would wait two minutes for requests that are under way.
  for (const [name, value] of Object.entries(environment())) vi.stubEnv(name, value);
  const remove = () => runHere('admin', ['--stage', 'dev', 'workspaces', 'delete', '--workspace', id, '--confirm', id]);
  expect((await remove()).code).toBe(1);
  expect(await getWorkspace(id)).toBeDefined();
  refuses = '';
  expect((await remove()).code).toBe(0);
  expect(calls.map(({ request }) => request).filter((request) => request.startsWith('DELETE'))).toEqual([
    'DELETE /apikeys/own',
    'DELETE /apikeys/own',
    'DELETE /apikeys/lifted',
  ]);
  expect(await getWorkspace(id)).toBeUndefined();
});

test('A domain becomes active only if a custom domain of the stage covers it; otherwise the command says what to do.', async () => {
  const { id } = JSON.parse((await createWorkspace()).stdout);
  const { getDomain } = await import('../../../lambdas/store/domains/domains.ts');
  const add = (domain: string, ...more: string[]) =>
    admin('--stage', 'dev', 'domains', 'add', '--workspace', id, '--domain', domain, ...more);
  const refused = await add('go.example.net.example');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /^error: no custom domain of the service covers go\.example\.net\.example, .* see shortDomains in docs\/deploy\.md, .*--status PENDING_DNS until then\n$/,
  );
  expect(await getDomain('go.example.net.example')).toBeUndefined();
  expect((await add('api.example.net')).stderr).toContain('api.example.net is the name of the API');

  const pending = await add('go.example.net.example', '--status', 'PENDING_DNS');
  expect(JSON.parse(pending.stdout)).toMatchObject({ status: 'PENDING_DNS' });
  const below = await add('a.example.net');
  expect(JSON.parse(below.stdout)).toMatchObject({ domain: 'a.example.net', status: 'ACTIVE' });
});

test('The smoke test makes nothing if visitors would not reach its domain.', async () => {
  const before = await itemCount();
  const { code, stderr } = await run('smoke', '--stage', 'dev', '--domain', 'example.net');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: no custom domain of the service covers example\.net/)]);
  expect(await itemCount()).toBe(before);
  expect(calls.map(({ request }) => request).filter((request) => !request.startsWith('DescribeStacks'))).toEqual([]);
});

test('If every domain belongs to a workspace, the smoke test is a guest there, with a key that it revokes at the end.', async () => {
  const { id } = JSON.parse((await createWorkspace()).stdout);
  await admin('--stage', 'dev', 'domains', 'add', '--workspace', id, '--domain', 'go.example.com');
  for (const [name, value] of Object.entries(environment())) vi.stubEnv(name, value);
  const { listApiKeys } = await import('../../../lambdas/store/api-keys/list.ts');
  const { getWorkspace } = await import('../../../lambdas/store/workspaces/workspaces.ts');
  const before = outputs['Links-dev-Redirect'];
  outputs['Links-dev-Redirect'] = { ServedNames: 'go.example.com' };
  const said: string[] = [];
  calls = [];
  try {
    const access = await accessTo({ stage: 'dev', dataDir: '' }, (line) => void said.push(line));
    expect(access).toMatchObject({ domain: 'go.example.com', isGuest: true, baseUrl: 'https://example.org/dev' });
    expect(said).toEqual([expect.stringContaining(`trying go.example.com in ${id} (Acme)`)]);
    expect(await listApiKeys(id)).toEqual([expect.not.objectContaining({ revokedAt: expect.anything() })]);
    await access.close();
  } finally {
    outputs['Links-dev-Redirect'] = before ?? {};
  }
  expect(await listApiKeys(id)).toMatchObject([{ name: 'smoke', revokedAt: expect.any(String) }]);
  expect([await getWorkspace(id), changes()]).toMatchObject([{ name: 'Acme' }, []]);
});

test('A new workspace gets the first domain of the stage that nobody has, or none is made.', async () => {
  const start = async (name: string, ...more: string[]) => admin('--stage', 'dev', 'start', '--name', name, ...more);
  // The previous test has given away the first one.
  const made = JSON.parse((await start('Zen')).stdout);
  expect(made.domain).toBe('zen.example.net');
  // The command reads the file of the stage.
  const address = `https://example.org/dev/console/${made.workspaceId}/links`;
  expect(made.console).toBe(stageOf('dev').settings.console ? address : undefined);
  expect(made.firstLink).toContain(`-H 'Authorization: Bearer ${made.key}' https://example.org/dev/api/v1/links`);
  // api.example.net is the name of the API.
  const before = await itemCount();
  const refused = await start('API');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^error: no domain is free: go\.example\.com belongs to ws_.* with --domain, or add one to shortDomains and deploy/,
    ),
  ]);
  expect((await start('Zen', '--domain', 'example.net')).stderr).toContain('no custom domain of the service covers example.net');
  expect(await itemCount()).toBe(before);
});

test('After a restoration, the gateway gets the keys of workspaces that came back, and loses those of workspaces that are gone.', async () => {
  const { listWorkspaces } = await import('../../../lambdas/store/workspaces/workspaces.ts');
  const [cameBack, changed, kept] = [
    JSON.parse((await createWorkspace()).stdout).id,
    JSON.parse((await createWorkspace()).stdout).id,
    JSON.parse((await createWorkspace()).stdout).id,
  ];
  const workspaces = await listWorkspaces();
  const gatewayKeyOf = (id: string) => workspaces.find((workspace) => workspace.id === id)?.gatewayKey ?? '';
  const others = workspaces.filter(({ id }) => id !== cameBack && id !== changed);
  const now = Math.floor(Date.now() / 1_000);
  gatewayKeys = [
    ...others.map(({ id, gatewayKey }) => ({ id: `of-${id}`, name: `links-dev-${id}`, value: gatewayKey, createdDate: 1 })),
    { id: 'other-value', name: `links-dev-${changed}`, value: 'other', createdDate: 1 },
    { id: 'gone', name: 'links-dev-ws_gone', value: 'a', createdDate: 1 },
    { id: 'new', name: 'links-dev-ws_new', value: 'b', createdDate: now },
    { id: 'of-another-stage', name: 'links-dev-2-ws_else', value: 'c', createdDate: 1 },
  ];
  const found = { missing: [cameBack, changed], unused: ['ws_gone'] };
  calls = [];
  const looked = await admin('--stage', 'dev', 'gateway', 'verify');
  expect(looked.code).toBe(1);
  expect(JSON.parse(looked.stdout)).toEqual({ workspaces: workspaces.length, ...found, repaired: false });
  expect(calls.filter(({ request }) => /^(POST|DELETE)/.test(request))).toEqual([]);

  calls = [];
  const { code, stdout, stderr } = await admin('--stage', 'dev', 'gateway', 'verify', '--repair');
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual({ workspaces: workspaces.length, ...found, repaired: true });
  const made = calls.filter(({ request }) => request === 'POST /apikeys').map(({ body }) => JSON.parse(body));
  expect(made.map(({ name, value }) => [name, value])).toEqual([
    [`links-dev-${cameBack}`, gatewayKeyOf(cameBack)],
    [`links-dev-${changed}`, gatewayKeyOf(changed)],
  ]);
  expect(calls.map(({ request }) => request).filter((request) => request.startsWith('DELETE'))).toEqual([
    'DELETE /apikeys/other-value',
    'DELETE /apikeys/gone',
  ]);
  expect(made.map(({ name }) => name)).not.toContain(`links-dev-${kept}`);
});

/** The calls that change something, and the bodies of new keys. */
const changes = () => calls.filter(({ request }) => /^(POST|DELETE) /.test(request)).map(({ request }) => request);
const inHours = (hours: number) => new Date(Date.now() + hours * 60 * 60_000).toISOString();

test('On a stage, a lift makes a second gateway key, in the plan for lifts, and uses it again later, unless it is gone.', async () => {
  const { id } = JSON.parse((await createWorkspace()).stdout);
  const lift = async (perMinute: string, ...until: string[]) => {
    calls = [];
    const { code, stdout, stderr } = await admin(
      ...['--stage', 'dev', 'workspaces', 'imports', '--workspace', id, '--per-minute', perMinute],
      ...until.flatMap((time) => ['--until', time]),
    );
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };
  const { getWorkspace } = await import('../../../lambdas/store/workspaces/workspaces.ts');
  const liftedKey = async () => (await getWorkspace(id))?.lifted?.gatewayKey;
  // A command that died has left a key. It is unknown whether it is in the plan.
  gatewayKeys = [{ id: 'left', name: `links-dev-${id}-lifted`, value: 'left' }];
  const until = inHours(2);
  expect(await lift('30', until)).toEqual({ workspaceId: id, perMinute: 30, until });
  expect(changes()).toEqual(['DELETE /apikeys/left', 'POST /apikeys', 'POST /usageplans/lifted-plan/keys']);
  const made = JSON.parse(calls.find(({ request }) => request === 'POST /apikeys')?.body ?? '');
  expect(made).toMatchObject({ name: `links-dev-${id}-lifted`, value: await liftedKey() });

  gatewayKeys = [{ id: 'made', name: made.name, value: made.value }];
  expect(await lift('3')).toEqual({ workspaceId: id, perMinute: 3, until: null });
  expect(await lift('50', until)).toMatchObject({ perMinute: 50 });
  expect(changes()).toEqual([]);
  gatewayKeys = [];
  await lift('40', until);
  expect(changes()).toEqual(['POST /apikeys', 'POST /usageplans/lifted-plan/keys']);
  expect(await liftedKey()).toBe(made.value);
});

test('The gateway key of a lift is made again while the lift lasts, and deleted a week after it.', async () => {
  const { id } = JSON.parse((await createWorkspace()).stdout);
  await admin('--stage', 'dev', 'workspaces', 'imports', '--workspace', id, '--per-minute', '30', '--until', inHours(2));
  const { getWorkspace, listWorkspaces } = await import('../../../lambdas/store/workspaces/workspaces.ts');
  const { updateItem } = await import('../../../lambdas/store/table/writes.ts');
  const key = (name: string, value: string) => ({ id: `of ${name}`, name, value, createdDate: 1 });
  const others = (await listWorkspaces()).flatMap((one) => [
    key(`links-dev-${one.id}`, one.gatewayKey),
    ...(one.lifted && one.id !== id ? [key(`links-dev-${one.id}-lifted`, one.lifted.gatewayKey)] : []),
  ]);
  const value = (await getWorkspace(id))?.lifted?.gatewayKey ?? '';
  const lifted = { id: 'lifted', name: `links-dev-${id}-lifted`, value, createdDate: 1 };
  const verify = async (hours: number, keys: typeof gatewayKeys) => {
    await updateItem(
      { pk: `WORKSPACE#${id}`, sk: 'WORKSPACE' },
      { text: 'SET #liftedUntil = :until', values: { ':until': inHours(hours) } },
    );
    gatewayKeys = [...others, ...keys];
    calls = [];
    const { missing, unused } = JSON.parse((await admin('--stage', 'dev', 'gateway', 'verify', '--repair')).stdout);
    return {
      missing: missing.includes(id),
      unused: unused.includes(id),
      changes: changes(),
    };
  };
  const isFine = { missing: false, unused: false, changes: [] };
  expect(await verify(1, [lifted])).toEqual(isFine);
  expect(await verify(1, [])).toEqual({
    missing: true,
    unused: false,
    changes: ['POST /apikeys', 'POST /usageplans/lifted-plan/keys'],
  });
  // API keys whose cache misses an early end use this key until the end that they know.
  expect(await verify(-24 * 7, [lifted])).toEqual(isFine);
  expect(await verify(-24 * 7, [])).toEqual(isFine);
  expect(await verify(-24 * 9, [lifted])).toEqual({ missing: false, unused: true, changes: ['DELETE /apikeys/lifted'] });
});
