import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { deploy as realDeploy, destroy as realDestroy } from '../../../bin/cdk/commands.ts';
import type { lookFirst } from '../../../bin/cdk/look-first.ts';
import { nextSteps } from '../../../bin/cdk/next-steps.ts';
import { undoing } from '../../../lib/alarms.ts';
import type { SettingsInput } from '../../../lib/stages/settings.ts';
import { stageOfContext } from '../../../lib/stages/stages.ts';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';
import { stacksOf } from '../../support/stacks/stacks.ts';
import { folderWith, ownStage } from '../../support/stacks/stages.ts';

// What deploying and destroying a stage do besides running the CDK, against a stand-in for AWS.

/** Deployed stacks, with the physical ids and states of their alarms. */
let stacks: Record<string, readonly (readonly [name: string, status: string])[]> = {};
/** Other resources of deployed stacks, and their outputs. */
let resources: Record<string, readonly (readonly [type: string, id: string])[]> = {};
let outputs: Record<string, readonly (readonly [name: string, value: string])[]> = {};
/** The custom domain names of the account, and the APIs that their paths lead to. */
let names: Record<string, readonly (readonly [mapping: string, api: string])[]> = {};
/** The error of the function that makes secrets. */
let functionError: string | undefined;
/** Paths of API Gateway and Lambda that deny access. */
let denied = /^$/;
let gatewayKeys: { readonly id: string; readonly name: string }[] = [];
let isDenied = false;
let calls: string[] = [];

const caller = 'arn:aws-cn:iam::111122223333:user/ops';
const stackId = (name: string) => `arn:aws-cn:cloudformation:cn-north-1:111122223333:stack/${name}/6fb1`;
const xml = (action: string, inner: string) =>
  `<${action}Response xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><${action}Result>${inner}</${action}Result></${action}Response>`;
const failure = (code: string, message: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;

/** The versions in the bucket of `dev`, and those that cannot be deleted. */
let files: string[] = [];
let stuck: string[] = [];

/** Answers `ListObjectVersions`, two to a page, and `DeleteObjects`. */
function s3(url: string, body: string): string {
  if (url.includes('versions')) {
    const shown = files.slice(0, 2).map((file) => {
      const kind = file.startsWith('gone') ? 'DeleteMarker' : 'Version';
      return `<${kind}><Key>${file}</Key><VersionId>1</VersionId></${kind}>`;
    });
    return `<ListVersionsResult><IsTruncated>${files.length > 2}</IsTruncated>${shown.join('')}</ListVersionsResult>`;
  }
  const named = [...body.matchAll(/<Key>(.*?)<\/Key><VersionId>1<\/VersionId>/g)].map(([, file = '']) => file);
  const failed = named.filter((file) => stuck.includes(file));
  files = files.filter((file) => !named.includes(file) || failed.includes(file));
  const errors = failed.map((file) => `<Error><Key>${file}</Key><VersionId>1</VersionId><Code>AccessDenied</Code></Error>`);
  return `<DeleteResult>${errors.join('')}</DeleteResult>`;
}

const aws = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const answer = (status: number, type: string, text: string) => response.writeHead(status, { 'Content-Type': type }).end(text);
    const form = new URLSearchParams(body);
    if (form.get('Action') === 'GetCallerIdentity') {
      const identity = `<Account>111122223333</Account><Arn>${caller}</Arn>`;
      return answer(200, 'text/xml', xml('GetCallerIdentity', identity));
    }
    const stack = form.get('StackName');
    if (stack) {
      const action = form.get('Action') ?? '';
      const token = form.get('NextToken');
      calls.push([action, stack, ...(token ? [token] : [])].join(' '));
      if (isDenied) return answer(403, 'text/xml', failure('AccessDenied', `not authorized to perform: ${action}`));
      const alarms = stacks[stack];
      if (!alarms) return answer(400, 'text/xml', failure('ValidationError', `Stack with id ${stack} does not exist`));
      if (action === 'DescribeStacks') {
        const values = (outputs[stack] ?? []).map(
          ([name, value]) => `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
        );
        const about = `<StackName>${stack}</StackName><StackId>${stackId(stack)}</StackId><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${values.join('')}</Outputs>`;
        return answer(200, 'text/xml', xml(action, `<Stacks><member>${about}</member></Stacks>`));
      }
      // Each resource is a page of its own.
      const place = Number(token ?? 0);
      const page = [
        ['AWS::Lambda::Function', 'links', 'CREATE_COMPLETE'],
        ...alarms.map(([name, status]) => ['AWS::CloudWatch::Alarm', name, status]),
        ...(resources[stack] ?? []).map(([type, id]) => [type, id, 'CREATE_COMPLETE']),
      ].map(
        ([type, name, status]) =>
          `<member><LogicalResourceId>x</LogicalResourceId><PhysicalResourceId>${name}</PhysicalResourceId>
          <ResourceType>${type}</ResourceType>
          <ResourceStatus>${status}</ResourceStatus></member>`,
      );
      const next = place + 1 < page.length ? `<NextToken>${place + 1}</NextToken>` : '';
      const summaries = `<StackResourceSummaries>${page[place]}</StackResourceSummaries>`;
      return answer(200, 'text/xml', xml(action, `${summaries}${next}`));
    }
    calls.push(`${request.method} ${request.url}`);
    if (request.url?.startsWith('/links-dev-data-clicks-1/')) return answer(200, 'application/xml', s3(request.url, body));
    const url = new URL(`http://aws${request.url}`);
    if (denied.test(url.pathname)) {
      response.setHeader('x-amzn-ErrorType', 'AccessDeniedException');
      return answer(403, 'application/json', JSON.stringify({ message: 'no' }));
    }
    if (request.method === 'DELETE') return answer(202, 'application/json', '');
    if (url.pathname.endsWith('/invocations')) {
      if (functionError) response.setHeader('X-Amz-Function-Error', functionError);
      return answer(200, 'application/json', 'null');
    }
    const [, host] = /^\/v2\/domainnames\/([^/]+)\/apimappings$/.exec(url.pathname) ?? [];
    if (host !== undefined) {
      const items = names[host]?.map(([apiMappingId, apiId]) => ({ apiMappingId, apiId, stage: '$default' }));
      return answer(200, 'application/json', JSON.stringify({ items }));
    }
    if (url.pathname === '/v2/domainnames') {
      // Each name is a page of its own.
      const place = Number(url.searchParams.get('nextToken') ?? 0);
      const items = Object.keys(names)
        .slice(place, place + 1)
        .map((domainName) => ({ domainName }));
      const nextToken = place + 1 < Object.keys(names).length ? String(place + 1) : undefined;
      return answer(200, 'application/json', JSON.stringify({ items, nextToken }));
    }
    // Two pages. The query matches the beginning of a name, as AWS says.
    const matching = gatewayKeys.filter(({ name }) => name.startsWith(url.searchParams.get('name') ?? '?'));
    const [page, position] = url.searchParams.has('position') ? [matching.slice(1)] : [matching.slice(0, 1), 'next'];
    return answer(200, 'application/json', JSON.stringify({ item: page, ...(position && { position }) }));
  });
});

beforeAll(() => new Promise<void>((resolve) => aws.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  aws.close();
  vi.unstubAllEnvs();
});
beforeEach(() => {
  vi.unstubAllEnvs();
  const endpoint = `http://127.0.0.1:${(aws.address() as AddressInfo).port}`;
  vi.stubEnv('AWS_REGION', 'cn-north-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  for (const service of ['API_GATEWAY', 'APIGATEWAYV2', 'CLOUDFORMATION', 'LAMBDA', 'S3', 'STS'])
    vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, endpoint);
  stacks = {};
  files = [];
  stuck = [];
  gatewayKeys = [];
  isDenied = false;
  calls = [];
  resources = {};
  outputs = {};
  names = {};
  functionError = undefined;
  denied = /^$/;
});

/** The line that names the account and region of the stage to destroy. */
const place = (stage: string) => `destroying ${stage} of 111122223333 in cn-north-1, as ${caller}`;

/** Stands in for the CDK's command line: records its arguments, and ends with that code. */
const cdk = (code = 0, work = () => {}) =>
  vi.fn(async (_args: readonly string[]) => {
    work();
    return code;
  });

/** Records the calls of `lookFirst`, which `look-first.test.ts` tests. */
const look = vi.fn(async (..._given: Parameters<typeof lookFirst>) => {});
/** The tests' own stages, with these settings for prod. */
const stagesWith = (prod: SettingsInput) => {
  const folder = folderWith({ prod });
  return (context: Parameters<typeof stageOfContext>[0]) => stageOfContext(context, folder);
};
type Say = (line: string) => void;
const deploy = (args: readonly string[], command: ReturnType<typeof cdk>, prod: SettingsInput = {}, say?: Say) =>
  realDeploy(args, command, look, say, stagesWith(prod));
const destroy = (args: readonly string[], command: ReturnType<typeof cdk>, say?: Say, prod: SettingsInput = {}) =>
  realDestroy(args, command, say, stagesWith(prod));
const alarmEmail = 'operators@example.com';

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

test('A stage with alarms is watched by the alarms that its stacks have, and by no others, for five more minutes.', async () => {
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
  await deploy(['-c', 'stage=prod'], command, { alarmEmail });
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
  await deploy(['-c', 'stage=prod', '--app', 'exit 7', '--output', temporaryFolder()], command, { alarmEmail });
  const [args = []] = command.mock.calls[0] ?? [];
  expect(args.filter((arg) => arg.startsWith('arn:'))).toHaveLength(undoing.length);
  // It checks its arguments before it runs the app.
  const program = promisify(execFile)('cdk', [...args]);
  await expect(program).rejects.toMatchObject({ stderr: expect.stringMatching(/^exit 7: Subprocess exited with error 7$/m) });
});

test('A stage with the rollout all-at-once is not watched, so that an active alarm cannot roll back its own fix.', async () => {
  stacks = { 'Links-prod-Api': [['Links-prod-api-errors', 'CREATE_COMPLETE']] };
  const command = cdk();
  await deploy(['-c', 'stage=prod'], command, { alarmEmail, rollout: 'all-at-once' });
  expect(command.mock.calls[0]?.[0].slice(4)).toEqual(none);
});

test('A deployment that brings the first alarms is not watched, whether the stage exists or not.', async () => {
  const first = cdk();
  await deploy(['-c', 'stage=prod'], first, { alarmEmail });
  stacks = { 'Links-prod-Api': [], 'Links-prod-Redirect': [] };
  const second = cdk();
  await deploy(['-c', 'stage=prod'], second, { alarmEmail });
  for (const command of [first, second]) expect(command.mock.calls[0]?.[0].slice(4)).toEqual(none);
});

test('Alarms that the arguments name, or none, are passed on as they are.', async () => {
  const args = ['-c', 'stage=prod', '--rollback-trigger-alarm-arns', 'none'];
  const command = cdk();
  await deploy(args, command, { alarmEmail });
  expect([command.mock.calls, calls]).toEqual([[[['deploy', '--all', ...args]]], []]);
});

test('If the alarms cannot be looked up, nothing is deployed.', async () => {
  isDenied = true;
  const command = cdk();
  await expect(deploy(['-c', 'stage=prod'], command, { alarmEmail })).rejects.toThrow('not authorized to perform');
  expect(command).not.toHaveBeenCalled();
});

describe('After a deployment of a stage with unique clicks,', () => {
  const run = async (code = 0) => {
    const said: string[] = [];
    const command = cdk(code, () => {
      stacks = { 'Links-prod-Redirect': [] };
      outputs = { 'Links-prod-Redirect': [['DaySecretsFunction', 'Links-prod-Redirect-rotate-1']] };
    });
    const say = (line: string) => void said.push(line);
    expect(await deploy(['-c', 'stage=prod'], command, { uniqueClicks: 'daily' }, say)).toBe(code);
    return said.filter((line) => !nextSteps('prod', {}).includes(line));
  };
  const invoked = () => calls.filter((call) => call.startsWith('POST'));

  test('the secret of the day is made at once, so that the first visitors count as unique.', async () => {
    expect(await run()).toEqual([]);
    expect(invoked()).toEqual(['POST /2015-03-31/functions/Links-prod-Redirect-rotate-1/invocations']);
  });

  test('a failure of that is one line, and the deployment has succeeded.', async () => {
    functionError = 'Unhandled';
    expect(await run()).toEqual([
      'could not make the secret for unique clicks at once (Unhandled): they are counted within an hour',
    ]);
    denied = /invocations$/;
    expect(await run()).toEqual([expect.stringContaining('at once (AccessDeniedException)')]);
  });

  test('nothing is made if it failed; and without unique clicks, nothing ever is.', async () => {
    await run(1);
    await deploy(['-c', 'stage=prod'], cdk());
    expect(invoked()).toEqual([]);
  });

  test("the function is found by an output of the redirect's stack.", () => {
    const { redirect } = stacksOf(ownStage('prod', { uniqueClicks: 'daily' }));
    const { Value } = redirect.toJSON().Outputs.DaySecretsFunction;
    expect(redirect.toJSON().Resources[Value.Ref].Properties.Description).toMatch(/^Makes the secrets/);
    expect(stacksOf(ownStage('prod')).redirect.toJSON().Outputs).not.toHaveProperty('DaySecretsFunction');
  });
});

describe('A stage is not destroyed', () => {
  /** A stage with a custom domain of its own for each of its APIs. */
  const deployed = () => {
    stacks = { 'Links-dev-Api': [], 'Links-dev-Redirect': [] };
    resources = {
      'Links-dev-Api': [
        ['AWS::ApiGateway::RestApi', 'rest1'],
        ['AWS::ApiGateway::DomainName', 'api.example.com'],
      ],
      'Links-dev-Redirect': [
        ['AWS::ApiGatewayV2::Api', 'http1'],
        ['AWS::ApiGatewayV2::DomainName', 'go.example.com'],
      ],
    };
    names = {
      'api.example.com': [['own1', 'rest1']],
      'go.example.com': [['own2', 'http1']],
      'other.example.com': [['other1', 'http2']],
      'empty.example.com': [],
    };
  };
  const said: string[] = [];
  const command = cdk();
  const run = (args: readonly string[] = []) =>
    destroy(['-c', 'stage=dev', '--force', ...args], command, (line) => said.push(line));
  beforeEach(() => {
    said.length = 0;
    command.mockClear();
    deployed();
  });

  test('while custom domain names outside of its stacks lead to it: each is listed, with the command that ends that.', async () => {
    names = {
      ...names,
      'go.acme.example': [['made1', 'http1']],
      'hand.example.com': [
        ['a1', 'http2'],
        ['b2', 'rest1'],
      ],
    };
    const credentials = join(temporaryFolder(), 'credentials');
    writeFileSync(credentials, '[ours]\naws_access_key_id = test\naws_secret_access_key = test\n');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', credentials);
    await expect(run(['--profile', 'ours'])).rejects.toThrow(
      '2 custom domain names still lead to dev, and AWS would keep its API: delete the domains first, or run these commands, as docs/deploy.md, "Take a stage down", says',
    );
    const command1 = (host: string, id: string) =>
      `${host}: aws apigatewayv2 delete-api-mapping --domain-name ${host} --api-mapping-id ${id} --region cn-north-1 --profile ours`;
    expect(said).toEqual([place('dev'), command1('go.acme.example', 'made1'), command1('hand.example.com', 'b2')]);
    expect(command).not.toHaveBeenCalled();
  });

  test('but its own domains, and names that lead elsewhere, prevent nothing.', async () => {
    expect(await run()).toBe(0);
    expect([command.mock.calls.length, said]).toEqual([1, [place('dev')]]);
  });

  test('but a lookup that is denied prevents nothing, and a line says so.', async () => {
    denied = /^\/v2\/domainnames/;
    expect(await run()).toBe(0);
    expect(said.slice(1)).toEqual(['could not check whether custom domain names lead to dev (AccessDeniedException): going on']);
    expect(command).toHaveBeenCalled();
  });

  test('but the names are not looked up if it is gone already.', async () => {
    stacks = {};
    await run();
    expect(calls.filter((call) => call.includes('domainnames'))).toEqual([]);
  });
});

test('Nothing is destroyed without a region or credentials, and the line says what is missing.', async () => {
  const command = cdk();
  const nowhere = join(temporaryFolder(), 'none');
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, nowhere);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
  await expect(destroy(['-c', 'stage=dev'], command)).rejects.toThrow(/^no AWS credentials: /);
  vi.stubEnv('AWS_REGION', undefined);
  await expect(destroy(['-c', 'stage=dev'], command)).rejects.toThrow(/^no region: .*AWS_REGION=/);
  expect(command).not.toHaveBeenCalled();
});

test('An unknown stage or a preview without a name is refused before the CDK starts.', async () => {
  const command = cdk(1);
  for (const run of [deploy, destroy]) {
    look.mockClear();
    await expect(run(['-c', 'stage=production'], command)).rejects.toThrow(/^unknown stage "production"/);
    await expect(run(['-c', 'stage=preview'], command)).rejects.toThrow(/^no name given for the preview/);
    expect(command).not.toHaveBeenCalled();
    expect(look).not.toHaveBeenCalled();
  }
});

test('Without a stage, dev is deployed, whatever files of the CDK say, and none is destroyed.', async () => {
  const command = cdk();
  expect(await deploy(['--require-approval', 'never'], command)).toBe(0);
  expect(command.mock.calls).toEqual([[['deploy', '--all', '-c', 'stage=dev', '--require-approval', 'never', ...none]]]);
  expect(look).toHaveBeenLastCalledWith(expect.objectContaining({ name: 'dev' }), {}, expect.any(Function));
  await expect(destroy(['--force'], command)).rejects.toThrow(
    'no stage given: name the one to destroy, as in: npm run destroy -- -c stage=dev',
  );
  expect(command).toHaveBeenCalledTimes(1);
});

test('Only a deployment that succeeds ends with the next steps, in its region.', async () => {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  expect(await deploy(['--region', 'eu-west-1'], cdk(1), {}, say)).toBe(1);
  expect(said).toEqual([]);
  expect(await deploy(['--region', 'eu-west-1'], cdk(), {}, say)).toBe(0);
  expect(said).toEqual(nextSteps('dev', { region: 'eu-west-1' }));
});

const keys = [
  { id: 'one', name: 'links-preview-pr-1-ws_a' },
  { id: 'other', name: 'links-preview-pr-1-2-ws_a' },
  { id: 'two', name: 'links-preview-pr-1-ws_b' },
];
const preview = ['-c', 'stage=preview', '-c', 'name=pr-1', '--force'];

describe('A stage with a bucket', () => {
  const writers = ['Events', 'Api', 'Redirect'].map((part) => `Links-dev-${part}`);
  const dev = ['-c', 'stage=dev'];
  let said: string[];
  beforeEach(() => {
    said = [];
    stacks = Object.fromEntries(['Data', 'Api', 'Redirect', 'Events'].map((part) => [`Links-dev-${part}`, []]));
    resources = { 'Links-dev-Data': [['AWS::S3::Bucket', 'links-dev-data-clicks-1']] };
    files = ['one', 'two', 'gone-two', 'three', 'four'];
  });
  /** Destroys the given stacks. */
  const destroying = () =>
    vi.fn(async ([, ...names]: readonly string[]) => {
      const isGone = (stack: string) => names[0] === '--all' || names.includes(stack);
      stacks = Object.fromEntries(Object.entries(stacks).filter(([stack]) => !isGone(stack)));
      return 0;
    });
  const run = (command: ReturnType<typeof cdk>, args: readonly string[] = dev) =>
    destroy(args, command, (line) => void said.push(line));

  test('loses first what writes into it, then its files with all their versions, and then the rest; the CDK asks once.', async () => {
    const command = destroying();
    const left: number[] = [];
    command.mockImplementation(async (args) => {
      left.push(files.length);
      const [, ...names] = args;
      stacks = names[0] === '--all' ? {} : { 'Links-dev-Data': [] };
      return 0;
    });
    expect(await run(command)).toBe(0);
    expect(command.mock.calls).toEqual([[['destroy', ...writers, ...dev]], [['destroy', '--all', ...dev, '--force']]]);
    expect(left).toEqual([5, 0]);
    expect(said).toEqual([
      place('dev'),
      'dev keeps no data: once these stacks are gone, its files of clicks and its tables are deleted, too',
      'deleted 5 files of clicks and versions of them',
    ]);
  });

  test('is destroyed by the same command if only its empty bucket and tables are left.', async () => {
    stacks = { 'Links-dev-Data': [] };
    files = [];
    const command = destroying();
    expect(await run(command, [...dev, '--force'])).toBe(0);
    expect(command.mock.calls.map(([args]) => args)).toEqual([
      ['destroy', ...writers, ...dev, '--force'],
      ['destroy', '--all', ...dev, '--force'],
    ]);
    expect(stacks).toEqual({});
  });

  test.for([
    ['the operator answers no', cdk(0), 0],
    ['the CDK fails', cdk(1), 1],
  ] as const)('keeps its files if %s.', async ([, command, code]) => {
    expect(await run(command)).toBe(code);
    expect([command.mock.calls.length, files.length]).toEqual([1, 5]);
  });

  test('keeps the rest if a file cannot be deleted, which a line says.', async () => {
    stuck = ['three'];
    const command = destroying();
    await expect(run(command)).rejects.toThrow('links-dev-data-clicks-1 cannot be emptied: three: AccessDenied');
    expect([command.mock.calls.length, files]).toEqual([1, ['three', 'four']]);
    stuck = [];
    expect(await run(command)).toBe(0);
    expect([stacks, files]).toEqual([{}, []]);
  });

  test('is left as it is if it keeps its data.', async () => {
    stacks = { 'Links-prod-Data': [] };
    resources = { 'Links-prod-Data': [['AWS::S3::Bucket', 'links-dev-data-clicks-1']] };
    const command = cdk(1);
    expect(await run(command, ['-c', 'stage=prod'])).toBe(1);
    expect([command.mock.calls, files.length]).toEqual([[[['destroy', '--all', '-c', 'stage=prod']]], 5]);
  });
});

test("After a stage is gone, the gateway keys of its workspaces are gone, too, and no other stage's.", async () => {
  stacks = { 'Links-preview-pr-1-Data': [], 'Links-preview-pr-1-Api': [] };
  gatewayKeys = keys;
  const command = cdk(0, () => {
    stacks = {};
  });
  const said: string[] = [];
  expect(await destroy(preview, command, (line) => void said.push(line))).toBe(0);
  expect(command.mock.calls).toEqual([[['destroy', '--all', ...preview]]]);
  expect(calls.filter((call) => call.startsWith('DELETE'))).toEqual(['DELETE /apikeys/one', 'DELETE /apikeys/two']);
  expect(said).toEqual([place('preview-pr-1'), 'deleted 2 gateway keys of preview-pr-1']);
});

test('Destroying a stage that is gone deletes the keys it left behind, and prints nothing if there are none.', async () => {
  gatewayKeys = keys;
  const said: string[] = [];
  const again = () => destroy(preview, cdk(), (line) => void said.push(line));
  await again();
  expect(calls.filter((call) => call.startsWith('DELETE'))).toHaveLength(2);
  gatewayKeys = [];
  said.length = 0;
  await again();
  expect(said).toEqual([place('preview-pr-1')]);
});

test.for([0, 1])(
  'After a stage with backups is destroyed, one line says what remains, and where; the CDK returned %i.',
  async (code) => {
    const said: string[] = [];
    const run = (prod: SettingsInput) => destroy(['-c', 'stage=prod'], cdk(code), (line) => void said.push(line), prod);
    expect(await run({ backupRegion: 'eu-west-1' })).toBe(code);
    expect(said.slice(1)).toEqual([
      expect.stringMatching(/^backups .*Links-prod .*Links-prod-copies of eu-west-1.* docs\/deploy\.md/),
    ]);
    said.length = 0;
    await run({});
    expect(said).toEqual([place('prod')]);
  },
);

test.for([
  ['the CDK fails', 1, preview, {}],
  ['the operator answers no, so that stacks remain', 0, preview, { 'Links-preview-pr-1-Data': [] }],
  ['a stack remains', 0, preview, { 'Links-preview-pr-1-Api': [] }],
  ['the stage keeps its data', 0, ['-c', 'stage=prod'], {}],
] as const)('No gateway key is deleted if %s.', async ([, code, args, remaining]) => {
  stacks = remaining;
  gatewayKeys = [...keys, { id: 'prod', name: 'links-prod-ws_a' }];
  expect(await destroy(args, cdk(code))).toBe(code);
  expect(calls.filter((call) => call.includes('apikeys'))).toEqual([]);
});
