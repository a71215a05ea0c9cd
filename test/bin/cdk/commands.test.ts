import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { destroy, deploy as realDeploy } from '../../../bin/cdk/commands.ts';
import type { lookFirst } from '../../../bin/cdk/look-first.ts';
import { undoing } from '../../../lib/alarms.ts';
import { type StageSettings, stageOf } from '../../../lib/stages.ts';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';

// What deployments and their end do besides the CDK, against a stand-in for CloudFormation and API Gateway.

/** Deployed stacks, with the physical ids and states of their alarms. */
let stacks: Record<string, readonly (readonly [name: string, status: string])[]> = {};
let gatewayKeys: { readonly id: string; readonly name: string }[] = [];
let isDenied = false;
let calls: string[] = [];

const stackId = (name: string) => `arn:aws-cn:cloudformation:cn-north-1:111122223333:stack/${name}/6fb1`;
const xml = (action: string, inner: string) =>
  `<${action}Response xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><${action}Result>${inner}</${action}Result></${action}Response>`;
const failure = (code: string, message: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;

const aws = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const answer = (status: number, type: string, text: string) => response.writeHead(status, { 'Content-Type': type }).end(text);
    const form = new URLSearchParams(body);
    const stack = form.get('StackName');
    if (stack) {
      const action = form.get('Action') ?? '';
      const token = form.get('NextToken');
      calls.push([action, stack, ...(token ? [token] : [])].join(' '));
      if (isDenied) return answer(403, 'text/xml', failure('AccessDenied', `not authorized to perform: ${action}`));
      const alarms = stacks[stack];
      if (!alarms) return answer(400, 'text/xml', failure('ValidationError', `Stack with id ${stack} does not exist`));
      if (action === 'DescribeStacks') {
        const about = `<StackName>${stack}</StackName><StackId>${stackId(stack)}</StackId><StackStatus>CREATE_COMPLETE</StackStatus>`;
        return answer(200, 'text/xml', xml(action, `<Stacks><member>${about}</member></Stacks>`));
      }
      // Each resource is a page of its own.
      const place = Number(token ?? 0);
      const page = [['links', 'CREATE_COMPLETE'] as const, ...alarms].map(
        ([name, status], index) =>
          `<member><LogicalResourceId>x</LogicalResourceId><PhysicalResourceId>${name}</PhysicalResourceId>
          <ResourceType>${index ? 'AWS::CloudWatch::Alarm' : 'AWS::Lambda::Function'}</ResourceType>
          <ResourceStatus>${status}</ResourceStatus></member>`,
      );
      const next = place + 1 < page.length ? `<NextToken>${place + 1}</NextToken>` : '';
      const summaries = `<StackResourceSummaries>${page[place]}</StackResourceSummaries>`;
      return answer(200, 'text/xml', xml(action, `${summaries}${next}`));
    }
    calls.push(`${request.method} ${request.url}`);
    if (request.method === 'DELETE') return answer(202, 'application/json', '');
    // Two pages. The query matches the beginning of a name, as AWS says.
    const url = new URL(`http://aws${request.url}`);
    const matching = gatewayKeys.filter(({ name }) => name.startsWith(url.searchParams.get('name') ?? '?'));
    const [page, position] = url.searchParams.has('position') ? [matching.slice(1)] : [matching.slice(0, 1), 'next'];
    return answer(200, 'application/json', JSON.stringify({ item: page, ...(position && { position }) }));
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => aws.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(aws.address() as AddressInfo).port}`;
  vi.stubEnv('AWS_REGION', 'cn-north-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', endpoint);
  vi.stubEnv('AWS_ENDPOINT_URL_API_GATEWAY', endpoint);
});
afterAll(() => aws.close());
beforeEach(() => {
  stacks = {};
  gatewayKeys = [];
  isDenied = false;
  calls = [];
});

/** Stands in for the CDK's command line: records its arguments, and ends with that code. */
const cdk = (code = 0, work = () => {}) =>
  vi.fn(async (_args: readonly string[]) => {
    work();
    return code;
  });

/** What a look at the account was asked. `look-first.test.ts` says what it does. */
const look = vi.fn(async (..._given: Parameters<typeof lookFirst>) => {});
const deploy = (args: readonly string[], command: ReturnType<typeof cdk>) => realDeploy(args, command, look);

/** The stage prod with alarms, in this test. */
const withAlarms = async <T>(work: () => Promise<T>, rollout: StageSettings['rollout'] = 'canary'): Promise<T> => {
  const settings = stageOf('prod').settings as { -readonly [key in keyof StageSettings]: StageSettings[key] };
  const { rollout: before } = settings;
  Object.assign(settings, { alarmEmail: 'operators@example.com', rollout });
  try {
    return await work();
  } finally {
    settings.rollout = before;
    delete settings.alarmEmail;
  }
};

const none = ['--rollback-trigger-alarm-arns', 'none', '--monitoring-time-minutes', '0'];
const arn = (alarm: string) => `arn:aws-cn:cloudwatch:cn-north-1:111122223333:alarm:Links-prod-${alarm}`;

test('A stage without alarms is deployed without a search for them, and its former alarms no longer watch it.', async () => {
  for (const [args, stage] of [
    [['-c', 'stage=dev', '--require-approval', 'never'], 'dev'],
    [['-cstage=prod'], 'prod'],
    [['--context=stage=preview', '--context', 'name=pr-12'], 'preview'],
  ] as const) {
    const command = cdk(7);
    expect(await deploy(args, command), stage).toBe(7);
    expect(command.mock.calls).toEqual([[['deploy', '--all', ...args, ...none]]]);
  }
  expect(calls).toEqual([]);
});

test('A stage with alarms is watched by those that its stacks have, five minutes longer, and by no others.', async () => {
  stacks = {
    'Links-prod-Api': [
      ['Links-prod-api-faults', 'CREATE_COMPLETE'],
      ['Links-prod-api-slow', 'CREATE_COMPLETE'],
      ['Links-prod-authorizer-failures', 'UPDATE_COMPLETE'],
    ],
    'Links-prod-Redirect': [
      ['Links-prod-redirect-errors', 'CREATE_COMPLETE'],
      ['Links-prod-clicks-failing', 'DELETE_COMPLETE'],
      ['Links-prod-clicks-not-recorded', 'CREATE_COMPLETE'],
    ],
  };
  const command = cdk();
  await withAlarms(() => deploy(['-c', 'stage=prod'], command));
  const alarms = ['api-faults', 'authorizer-failures', 'redirect-errors'].flatMap((alarm) => [
    '--rollback-trigger-alarm-arns',
    arn(alarm),
  ]);
  expect(command.mock.calls[0]?.[0].slice(4)).toEqual([...alarms, '--monitoring-time-minutes', '5']);
});

test('Each deployment looks at the account first, with the profile and region that the CDK gets, and starts nothing if that fails.', async () => {
  const command = cdk();
  for (const [args, aws] of [
    [['-c', 'stage=dev'], {}],
    [['-c', 'stage=dev', '--profile', 'ours', '--region=eu-west-1'], { profile: 'ours', region: 'eu-west-1' }],
    [['-c', 'stage=dev', '--rollback-trigger-alarm-arns', 'none'], {}],
  ] as const) {
    look.mockClear().mockRejectedValueOnce(new Error('not bootstrapped'));
    await expect(deploy(args, command)).rejects.toThrow('not bootstrapped');
    expect(look.mock.calls).toEqual([[expect.objectContaining({ name: 'dev' }), aws, expect.any(Function)]]);
  }
  expect(command).not.toHaveBeenCalled();
});

test("The CDK's command line understands what it is told to watch.", async () => {
  stacks = { 'Links-prod-Api': undoing.map((name) => [`Links-prod-${name}`, 'CREATE_COMPLETE'] as const) };
  const command = cdk();
  await withAlarms(() => deploy(['-c', 'stage=prod', '--app', 'exit 7', '--output', temporaryFolder()], command));
  const [args = []] = command.mock.calls[0] ?? [];
  expect(args.filter((arg) => arg.startsWith('arn:'))).toHaveLength(undoing.length);
  // It checks its arguments before it runs the app.
  const program = promisify(execFile)('cdk', [...args]);
  await expect(program).rejects.toMatchObject({ stderr: expect.stringMatching(/^exit 7: Subprocess exited with error 7$/m) });
});

test('A stage that changes all at once is not watched, so that an alarm that is on cannot keep its cure away.', async () => {
  stacks = { 'Links-prod-Api': [['Links-prod-api-errors', 'CREATE_COMPLETE']] };
  const command = cdk();
  await withAlarms(() => deploy(['-c', 'stage=prod'], command), 'all-at-once');
  expect(command.mock.calls[0]?.[0].slice(4)).toEqual(none);
});

test('A deployment that brings the first alarms is not watched, whether the stage exists or not.', async () => {
  const first = cdk();
  await withAlarms(() => deploy(['-c', 'stage=prod'], first));
  stacks = { 'Links-prod-Api': [], 'Links-prod-Redirect': [] };
  const second = cdk();
  await withAlarms(() => deploy(['-c', 'stage=prod'], second));
  for (const command of [first, second]) expect(command.mock.calls[0]?.[0].slice(4)).toEqual(none);
});

test('Alarms that the arguments name, or none, are passed on as they are.', async () => {
  const args = ['-c', 'stage=prod', '--rollback-trigger-alarm-arns', 'none'];
  const command = cdk();
  await withAlarms(() => deploy(args, command));
  expect([command.mock.calls, calls]).toEqual([[[['deploy', '--all', ...args]]], []]);
});

test('If the alarms cannot be looked up, nothing is deployed.', async () => {
  isDenied = true;
  const command = cdk();
  await expect(withAlarms(() => deploy(['-c', 'stage=prod'], command))).rejects.toThrow('not authorized to perform');
  expect(command).not.toHaveBeenCalled();
});

test('An unknown stage or a preview without a name is refused before the CDK starts. No stage at all is left to the CDK.', async () => {
  const command = cdk(1);
  for (const run of [deploy, destroy]) {
    look.mockClear();
    await expect(run(['-c', 'stage=production'], command)).rejects.toThrow(/^unknown stage "production"/);
    await expect(run(['-c', 'stage=preview'], command)).rejects.toThrow(/^no name given for the preview/);
    expect(command).not.toHaveBeenCalled();
    expect(await run([], command)).toBe(1);
    expect(look).not.toHaveBeenCalled();
    command.mockClear();
  }
});

const keys = [
  { id: 'one', name: 'links-preview-pr-1-ws_a' },
  { id: 'other', name: 'links-preview-pr-1-2-ws_a' },
  { id: 'two', name: 'links-preview-pr-1-ws_b' },
];
const preview = ['-c', 'stage=preview', '-c', 'name=pr-1', '--force'];

test("After a stage is gone, the gateway keys of its workspaces are gone, too, and no other stage's.", async () => {
  stacks = { 'Links-preview-pr-1-Data': [], 'Links-preview-pr-1-Api': [] };
  gatewayKeys = keys;
  const command = cdk(0, () => {
    stacks = {};
  });
  const said: string[] = [];
  expect(await destroy(preview, command, (line) => said.push(line))).toBe(0);
  expect(command.mock.calls).toEqual([[['destroy', '--all', ...preview]]]);
  expect(calls.filter((call) => call.startsWith('DELETE'))).toEqual(['DELETE /apikeys/one', 'DELETE /apikeys/two']);
  expect(said).toEqual(['deleted 2 gateway keys of preview-pr-1']);
});

test('Destroying a stage that is gone deletes the keys it left behind, and prints nothing if there are none.', async () => {
  gatewayKeys = keys;
  const said: string[] = [];
  const again = () => destroy(preview, cdk(), (line) => said.push(line));
  await again();
  expect(calls.filter((call) => call.startsWith('DELETE'))).toHaveLength(2);
  gatewayKeys = [];
  await again();
  expect(said).toHaveLength(1);
});

test.for([0, 1])(
  'Whoever destroys a stage with backups is told in one line what stays, and where; the CDK returned %i.',
  async (code) => {
    const said: string[] = [];
    const settings = stageOf('prod').settings as { backupRegion?: string };
    const run = () => destroy(['-c', 'stage=prod'], cdk(code), (line) => said.push(line));
    settings.backupRegion = 'eu-west-1';
    try {
      expect(await run()).toBe(code);
    } finally {
      delete settings.backupRegion;
    }
    expect(said).toEqual([expect.stringMatching(/^backups .*Links-prod .*Links-prod-copies of eu-west-1.* docs\/deploy\.md/)]);
    await run();
    expect(said).toHaveLength(1);
  },
);

test.for([
  ['the CDK fails', 1, preview, {}],
  ['the operator answers no, so that stacks remain', 0, preview, { 'Links-preview-pr-1-Data': [] }],
  ['only part of it went', 0, preview, { 'Links-preview-pr-1-Api': [] }],
  ['the stage keeps its data', 0, ['-c', 'stage=prod'], {}],
] as const)('No gateway key is deleted if %s.', async ([, code, args, remaining]) => {
  stacks = remaining;
  gatewayKeys = [...keys, { id: 'prod', name: 'links-prod-ws_a' }];
  expect(await destroy(args, cdk(code))).toBe(code);
  expect(calls.filter((call) => call.includes('apikeys'))).toEqual([]);
});
