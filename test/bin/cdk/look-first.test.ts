import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { bootstrap, lookFirst } from '../../../bin/cdk/look-first.ts';
import { templatesOf } from '../../../bin/cdk/templates.ts';
import type { SettingsInput } from '../../../lib/stages/settings.ts';
import type { Stage } from '../../../lib/stages/stages.ts';
import { everySetting } from '../../../tools/judge/every-setting.ts';
import { resourcesOf, type Template } from '../../support/stacks/policies.ts';
import { stacksOf } from '../../support/stacks/stacks.ts';
import { ownStage } from '../../support/stacks/stages.ts';

// What a deployment checks before it starts, against a stand-in for AWS.

const account = '111122223333';
const region = 'eu-central-1';
const arn = `arn:aws:sts::${account}:assumed-role/operators/ada`;

/** An account in which everything is as it should be. */
const usual = {
  bootstrap: { 'eu-central-1': '30', 'eu-west-1': '30' } as Record<string, string>,
  executions: 1_000,
  /** Fewer than `executions` if other functions have reserved some. */
  unreserved: undefined as number | undefined,
  requests: { rateLimit: 10_000, burstLimit: 5_000 },
  roles: { Roles: 100, RolesQuota: 1_000 },
  domainNames: [] as string[],
  /** By id: the name of each hosted zone, and whether it is private. */
  zones: {
    Z1: ['example.com', false],
    Z0123456789ABCDEFGHIJ: ['example.com', false],
    Z0123456789ABCDEFGHIK: ['links.example', false],
  } as Record<string, [name: string, isPrivate: boolean]>,
  stacks: [] as string[],
  /** The requests that are denied; `all` if an organisation denies everything. */
  denied: [] as string[],
  credentials: 'valid' as 'valid' | 'expired',
};
let now = usual;

const xml = (action: string, inner: string) =>
  `<${action}Response><${action}Result>${inner}</${action}Result></${action}Response>`;
const xmlError = (code: string, message: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;

/** The answer to a call: what was asked, the status, and the body. */
function answerTo(request: IncomingMessage, body: string): [asked: string, status: number, body: string] {
  const form = new URLSearchParams(body);
  switch (form.get('Action')) {
    case 'GetCallerIdentity':
      if (now.credentials === 'expired') return ['identity', 403, xmlError('ExpiredToken', 'The token is expired')];
      return ['identity', 200, xml('GetCallerIdentity', `<Account>${account}</Account><Arn>${arn}</Arn>`)];
    case 'GetAccountSummary': {
      const entries = Object.entries(now.roles).map(([key, value]) => `<entry><key>${key}</key><value>${value}</value></entry>`);
      return ['roles', 200, xml('GetAccountSummary', `<SummaryMap>${entries.join('')}</SummaryMap>`)];
    }
    case 'DescribeStacks': {
      const name = form.get('StackName') ?? '';
      if (!now.stacks.includes(name)) return ['stacks', 400, xmlError('ValidationError', `Stack with id ${name} does not exist`)];
      const stack = `<StackName>${name}</StackName><StackStatus>CREATE_COMPLETE</StackStatus>`;
      return ['stacks', 200, xml('DescribeStacks', `<Stacks><member>${stack}</member></Stacks>`)];
    }
  }
  if (request.headers['x-amz-target'] === 'AmazonSSM.GetParameter') {
    const [, signedFor = ''] = /Credential=[^/]+\/\d+\/([^/]+)\/ssm/.exec(request.headers.authorization ?? '') ?? [];
    const version = JSON.parse(body).Name === bootstrap.parameter ? now.bootstrap[signedFor] : undefined;
    return version === undefined
      ? ['bootstrap', 400, JSON.stringify({ __type: 'ParameterNotFound' })]
      : ['bootstrap', 200, JSON.stringify({ Parameter: { Value: version } })];
  }
  const [, zone = ''] = /^\/2013-04-01\/hostedzone\/(\w+)$/.exec(request.url ?? '') ?? [];
  if (zone) {
    const [name, isPrivate] = now.zones[zone] ?? [];
    if (name === undefined) return ['zones', 404, xmlError('NoSuchHostedZone', `No hosted zone found with ID: ${zone}`)];
    const config = `<Config><PrivateZone>${isPrivate}</PrivateZone></Config>`;
    const text = `<HostedZone><Id>/hostedzone/${zone}</Id><Name>${name}.</Name><CallerReference>1</CallerReference>${config}</HostedZone>`;
    return ['zones', 200, `<GetHostedZoneResponse>${text}</GetHostedZoneResponse>`];
  }
  if (request.url === '/account') return ['requests', 200, JSON.stringify({ throttleSettings: now.requests })];
  if (request.url?.startsWith('/domainnames')) {
    // Two pages.
    const isSecond = request.url.includes('position=');
    const page = isSecond ? now.domainNames.slice(1) : now.domainNames.slice(0, 1);
    const item = page.map((domainName) => ({ domainName }));
    return ['names', 200, JSON.stringify({ item, ...(!isSecond && item.length && { position: 'next' }) })];
  }
  const { executions: ConcurrentExecutions, unreserved: UnreservedConcurrentExecutions = ConcurrentExecutions } = now;
  return ['executions', 200, JSON.stringify({ AccountLimit: { ConcurrentExecutions, UnreservedConcurrentExecutions } })];
}

const aws = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const [asked, status, text] = answerTo(request, body);
    const isXml = text.startsWith('<');
    response.setHeader('Content-Type', isXml ? 'text/xml' : 'application/json');
    if (!now.denied.includes(asked) && !now.denied.includes('all')) return response.writeHead(status).end(text);
    if (!isXml) response.setHeader('x-amzn-ErrorType', 'AccessDeniedException');
    const denial = JSON.stringify({ __type: 'AccessDeniedException', message: 'no' });
    response.writeHead(isXml ? 403 : 400).end(isXml ? xmlError('AccessDenied', 'no') : denial);
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => aws.listen(0, '127.0.0.1', resolve));
  const { port } = aws.address() as AddressInfo;
  for (const service of ['API_GATEWAY', 'CLOUDFORMATION', 'IAM', 'LAMBDA', 'ROUTE_53', 'SSM', 'STS'])
    vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, `http://127.0.0.1:${port}`);
  const nowhere = '/nowhere/none';
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, nowhere);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  vi.stubEnv('AWS_DEFAULT_REGION', undefined);
});
afterAll(() => {
  aws.close();
  vi.unstubAllEnvs();
});
beforeEach(() => {
  now = usual;
  vi.stubEnv('AWS_REGION', region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
});

const provider = { issuer: 'https://accounts.google.com', clientId: 'client' };
const secret = (where: string, whose: string) => `arn:aws:secretsmanager:${where}:${whose}:secret:links-sign-in-AbCdEf`;
const certificate = (where = region, whose = account) => `arn:aws:acm:${where}:${whose}:certificate/one`;

const synthesised = new Map<string, ReturnType<typeof templatesOf>>();
/**
 * The templates of a stage, which take long to make. If nothing is reserved, a look only counts their roles: there, those of
 * `dev` stand for all.
 */
function synthesise(stage: Stage) {
  const isReserving = Object.keys(stage.settings.reservedConcurrency).length > 0;
  const key = isReserving ? JSON.stringify(stage) : 'dev';
  const templates = synthesised.get(key) ?? templatesOf(isReserving ? stage : ownStage('dev'));
  synthesised.set(key, templates);
  return templates;
}

/** The lines that are printed about a stage, and the error that prevents its deployment. */
async function look(settings: SettingsInput = {}, name: Parameters<typeof ownStage>[0] = 'dev', given = {}) {
  const said: string[] = [];
  const stage = ownStage(name, settings);
  const look = lookFirst(stage, given, (line) => said.push(line), synthesise);
  const error = await look.then(
    () => undefined,
    ({ message }: Error) => message,
  );
  for (const line of [...said, error ?? '']) expect(line).not.toContain('\n');
  return { said, error };
}

const first = `deploying dev to ${account} in ${region}, as ${arn}`;

test('If all is well, one line says which stage goes to which account and region, and with whose rights.', async () => {
  expect(await look()).toEqual({ said: [first], error: undefined });
});

describe('Nothing is deployed', () => {
  test('without a region, which the CDK would choose by itself.', async () => {
    vi.stubEnv('AWS_REGION', undefined);
    expect((await look()).error).toMatch(/^no region: .*AWS_REGION=/);
    expect((await look({}, 'dev', { region })).error).toBeUndefined();
  });

  test('without credentials, or with expired ones.', async () => {
    now = { ...usual, credentials: 'expired' };
    expect((await look()).error).toBe('cannot use AWS with these credentials: The token is expired');
    vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined);
    expect((await look()).error).toBe('no AWS credentials: sign in, as with "aws sso login", or set AWS_PROFILE');
  });

  test.for([
    ['dev', 'AWS_REGION=eu-central-1 npm run bootstrap -- -c stage=dev'],
    ['preview-pr-12', 'AWS_REGION=eu-central-1 npm run bootstrap -- -c stage=preview -c name=pr-12'],
  ] as const)(
    'to a region that is not bootstrapped for %s, or was long ago; the command that does it is named.',
    async ([name, command]) => {
      now = { ...usual, bootstrap: {} };
      expect((await look({}, name)).error).toBe(`eu-central-1 is not bootstrapped: run ${command}`);
      now = { ...usual, bootstrap: { [region]: '5' } };
      expect((await look({}, name)).error).toBe(`eu-central-1 has the bootstrap version 5, and needs 6: run ${command}`);
    },
  );

  test("if the region for backups is not bootstrapped, which a command in the stage's own region does.", async () => {
    now = { ...usual, bootstrap: { [region]: '30' } };
    expect((await look({ backupRegion: 'eu-west-1' })).error).toBe(
      'eu-west-1 is not bootstrapped: run AWS_REGION=eu-central-1 npm run bootstrap -- -c stage=dev',
    );
    now = usual;
    expect((await look({ backupRegion: 'eu-west-1' })).error).toBeUndefined();
  });

  test.for([
    [['example.com', 'a.b.example.com', '*.example.com'], 'Z1', undefined],
    [
      ['go.example.com', 'go.example.net', 'badexample.com'],
      'Z1',
      'hostedZoneId: go.example.net is not in Z1, the zone of example.com; hostedZoneId: badexample.com is not in Z1, the zone of example.com',
    ],
    [['go.example.com'], 'Z2', 'hostedZoneId: this account has no hosted zone Z2'],
    [['go.example.com'], 'Z3', 'hostedZoneId: Z3 is a private zone, which visitors cannot see'],
  ] as const)(
    'if %j are not in the zone %s, in which their certificates would be proven.',
    async ([names, hostedZoneId, error]) => {
      now = { ...usual, zones: { ...usual.zones, Z3: ['example.com', true] } };
      const shortDomains = names.map((name) => ({ name, hostedZoneId }));
      const domainTarget = 'links.example.com';
      expect((await look({ shortDomains, domainTarget })).error).toBe(error);
      const apiDomain = { name: 'api.example.org', hostedZoneId: 'Z1' };
      expect((await look({ apiDomain })).error).toBe('hostedZoneId: api.example.org is not in Z1, the zone of example.com');
    },
  );

  test.for<[SettingsInput, string]>([
    [{ apiDomain: { name: 'api.example.com', certificateArn: certificate('us-east-1') } }, 'apiDomain: '],
    [{ shortDomains: [{ name: 'go.example.com', certificateArn: certificate(region, '999988887777') }] }, 'shortDomains: '],
    [{ alarmTopicArn: `arn:aws:sns:us-east-1:${account}:operators` }, 'alarmTopicArn: '],
    [{ signIn: { ...provider, clientSecretArn: secret('us-east-1', account) } }, 'signIn: '],
    [{ signIn: { ...provider, clientSecretArn: secret(region, '999988887777') } }, 'signIn: '],
    [
      {
        restoredTables: {
          Links: { name: 'a-b', streamArn: `arn:aws:dynamodb:us-east-1:${account}:table/a-b/stream/1` },
          Activity: { name: 'a-c', streamArn: `arn:aws:dynamodb:${region}:${account}:table/a-c/stream/1` },
        },
      },
      'restoredTables: ',
    ],
  ])('if a setting names another account or region: %j.', async ([settings, start]) => {
    const { error = '' } = await look(settings);
    expect(error.startsWith(start)).toBe(true);
    expect(error).toMatch(/ is not in (111122223333 and )?eu-central-1$/);
  });

  test('if it reserves more executions than the account may reserve.', async () => {
    const reservedConcurrency = { redirect: 150, authorizer: 10 };
    expect((await look({ reservedConcurrency })).error).toBeUndefined();
    now = { ...usual, executions: 259 };
    expect((await look({ reservedConcurrency })).error).toBe(
      'reservedConcurrency: the stage reserves 160 executions, but this account may reserve only 159 of its 259',
    );
    now = { ...usual, executions: 260 };
    expect((await look({ reservedConcurrency })).error).toBeUndefined();
  });

  test.for([
    ['dev', {}],
    ['a stage with every setting', { ...everySetting, docs: true, console: true, mcp: true }],
  ] as const)('if the functions of %s, of all kinds together, reserve more.', async ([, settings]) => {
    const reservedConcurrency = { authorizer: 1, endpoint: 1, statistics: 1, redirect: 1, event: 1 };
    const { all } = stacksOf(ownStage('dev', { ...settings, reservedConcurrency }));
    const functions = all.flatMap((template) => resourcesOf(template.toJSON() as Template, 'AWS::Lambda::Function')).length;
    now = { ...usual, executions: 100 + functions };
    expect((await look({ ...settings, reservedConcurrency })).error).toBeUndefined();
    now = { ...usual, executions: 99 + functions };
    expect((await look({ ...settings, reservedConcurrency })).error).toContain(`the stage reserves ${functions} executions, but`);
  });

  test('if others have reserved what a new stage needs; an existing stage may be one of them.', async () => {
    const reservedConcurrency = { redirect: 150, authorizer: 10 };
    now = { ...usual, unreserved: 259 };
    expect((await look({ reservedConcurrency })).error).toBe(
      'reservedConcurrency: the stage reserves 160 executions, but this account may reserve only 159 of its 1000, because others have reserved 741',
    );
    now = { ...now, stacks: ['Links-dev-Api'] };
    expect((await look({ reservedConcurrency })).error).toBeUndefined();
  });

  test('All reasons are named at once.', async () => {
    now = { ...usual, bootstrap: {} };
    const { error = '' } = await look({ alarmTopicArn: `arn:aws:sns:us-east-1:${account}:operators` });
    expect(error.split('; ').map((reason) => reason.split(' ')[0])).toEqual(['alarmTopicArn:', 'eu-central-1']);
  });
});

test('A client of the provider needs no secret, and may have one in the account and region of the stage.', async () => {
  for (const own of [{}, { clientSecretArn: secret(region, account) }])
    expect((await look({ signIn: { ...provider, ...own } })).error).toBeUndefined();
});

test('A topic for alarms may be in another account.', async () => {
  expect((await look({ alarmTopicArn: `arn:aws:sns:${region}:999988887777:operators` })).error).toBeUndefined();
});

describe('A line warns, and the deployment goes on,', () => {
  test('if the account may run few functions at once, as new ones do, with the command that asks for more.', async () => {
    now = { ...usual, executions: 10 };
    expect(await look()).toEqual({
      said: [
        first,
        'warning: Lambda runs at most 10 functions of this account at once, and refuses more visitors: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000 --region eu-central-1',
      ],
      error: undefined,
    });
  });

  test('if the account has no room for the roles of one more stage; not if the stage is there already.', async () => {
    const { all } = stacksOf(ownStage('dev'));
    const roles = all.flatMap((template) => resourcesOf(template.toJSON() as Template, 'AWS::IAM::Role')).length;
    now = { ...usual, roles: { Roles: 1_000 - roles, RolesQuota: 1_000 } };
    expect((await look()).said).toEqual([first]);
    now = { ...usual, roles: { Roles: 1_001 - roles, RolesQuota: 1_000 } };
    const { said, error } = await look();
    expect(error).toBeUndefined();
    expect(said.slice(1)).toEqual([
      expect.stringMatching(
        `^warning: IAM allows this account ${roles - 1} more roles, and the stage has ${roles}: .*Service Quotas`,
      ),
    ]);
    now = { ...now, stacks: ['Links-dev-Api'] };
    expect((await look()).said).toEqual([first]);
  });

  test.for(['dev', 'preview-pr-12'] as const)(
    'if one gateway of %s may take all requests that the account may get, as by default in some regions.',
    async (name) => {
      const lookAt = async (more: SettingsInput = {}) => (await look(more, name)).said.slice(1);
      expect(await lookAt()).toEqual([]);
      now = { ...usual, requests: { rateLimit: 2_500, burstLimit: 1_250 } };
      const warning =
        'warning: all APIs of this account together may get 2500 requests a second in eu-central-1, in bursts of 1250, and stageThrottle.api (5000, 2500), stageThrottle.redirect (1000, 2000) may take all of them: lower it in stageThrottle, as docs/deploy.md, "Outer limits", says, or ask for more: aws service-quotas request-service-quota-increase --service-code apigateway --quota-code L-8A5B8E43 --desired-value 10000 --region eu-central-1';
      expect(await lookAt()).toEqual(name === 'dev' ? [warning] : []);
      const stageThrottle = { api: { rate: 1_250, burst: 625 }, redirect: { rate: 1_000, burst: 625 } };
      expect(await lookAt({ stageThrottle })).toEqual([]);
      const [rate, burst] = [
        { rate: 2_500, burst: 1 },
        { rate: 1, burst: 1_250 },
      ];
      expect(await lookAt({ stageThrottle: { api: rate, redirect: burst } })).toEqual([
        expect.stringContaining(' stageThrottle.api (2500, 1), stageThrottle.redirect (1, 1250) may take all of them'),
      ]);
      expect(await lookAt({ stageThrottle, requestBurst: 1_250 })).toEqual([
        expect.stringContaining(' and requestRate and requestBurst (100, 1250) may take all of them'),
      ]);
      // Without a throttle of its own, a gateway takes all on purpose.
      expect(await lookAt({ stageThrottle: {} })).toEqual([]);
    },
  );

  test('if AWS allows fewer custom domain names than the stage adds; those that exist do not count twice.', async () => {
    const shortDomains = ['go.example.com', '*.go.example.com'].map((name) => ({ name, certificateArn: certificate() }));
    const others = Array.from({ length: 118 }, (_, index) => `name-${index}.example.com`);
    now = { ...usual, domainNames: others };
    expect((await look({ shortDomains })).said).toEqual([first]);
    now = { ...usual, domainNames: [...others, 'one-more.example.com'] };
    expect((await look()).said).toEqual([first]);
    const { said, error } = await look({ shortDomains });
    expect(error).toBeUndefined();
    expect(said.slice(1)).toEqual([
      expect.stringMatching(
        /^warning: the stage needs 2 more custom domain names, and the account has 119 of the 120 .* L-A93447B8 --desired-value 121 /,
      ),
    ]);
    now = { ...usual, domainNames: [...others, 'go.example.com', '*.go.example.com'] };
    expect((await look({ shortDomains })).said).toEqual([first]);
  });
});

describe('Somebody who may deploy, but not look,', () => {
  const shortDomains = [{ name: 'go.example.com', certificateArn: certificate(), hostedZoneId: 'Z1' }];

  test.for([
    ['bootstrap', /^could not check the bootstrap version \(AccessDenied\w*\): going on$/],
    ['executions', /^could not check Lambda's executions \(AccessDenied\w*\): going on$/],
    ['roles', /^could not check IAM's roles \(AccessDenied\w*\): going on$/],
    ['stacks', /^could not check IAM's roles \(AccessDenied\w*\): going on$/],
    ['requests', /^could not check API Gateway's rate \(AccessDenied\w*\): going on$/],
    ['zones', /^could not check hosted zones \(AccessDenied\w*\): going on$/],
    ['names', /^could not check custom domain names \(AccessDenied\w*\): going on$/],
  ] as const)('can deploy without the look at %s, which a line says.', async ([denied, line]) => {
    now = { ...usual, denied: [denied] };
    expect(await look({ shortDomains })).toEqual({ said: [first, expect.stringMatching(line)], error: undefined });
  });

  test("can deploy even if asking for the caller's identity is denied.", async () => {
    now = { ...usual, denied: ['all'] };
    const { said, error } = await look({ shortDomains });
    expect(error).toBeUndefined();
    expect(said[0]).toBe(`deploying dev to an unknown account in ${region}`);
    expect(said[1]?.match(/AccessDenied/g)).toHaveLength(6);
    expect(said).toHaveLength(2);
  });
});

test('The bootstrap version is the one that the templates need, under the same name.', () => {
  const template = stacksOf(ownStage('dev')).api.toJSON();
  expect(template.Parameters.BootstrapVersion.Default).toBe(bootstrap.parameter);
  const refused = JSON.stringify(template.Rules.CheckBootstrapVersion).match(/"(\d+)"/g);
  expect(refused).toEqual(Array.from({ length: bootstrap.oldest - 1 }, (_, index) => `"${index + 1}"`));
});
