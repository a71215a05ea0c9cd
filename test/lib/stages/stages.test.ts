import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { routes } from '../../../lib/endpoints.ts';
import { settingsOf } from '../../../lib/stages/settings.ts';
import { isPreview, localStage, readLaptopSignIn, stageNames, stageOf, stageOfContext } from '../../../lib/stages/stages.ts';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';
import { functionsOf, resourcesOf, type Template } from '../../support/stacks/policies.ts';
import { stacksOf } from '../../support/stacks/stacks.ts';
import { folderWith, ownStage, ownStageNames } from '../../support/stacks/stages.ts';

const run = promisify(execFile);
const folder = folderWith();
/** With the longest name that a preview may have. */
const preview = 'preview-pull-request-1234567' as const;
const stages = Object.fromEntries([...ownStageNames, preview].map((name) => [name, stacksOf(ownStage(name))]));
const stacks = Object.entries(stages).flatMap(([stage, { all }]) =>
  all.map((template) => ({ stage, template: template.toJSON() as Template })),
);

describe('A missing or unknown stage', () => {
  test.for([undefined, '', 'production', 'toString', 'local', 'dev\nprod', 3, 'preview', 'preview-', 'preview-PR'])(
    'The stage %j is refused with one line that names the stages.',
    (stage) => {
      expect(() => stageOf(stage, folder)).toThrow(
        new RegExp(`^[^\\n]*name one of ${stageNames(folder).join(', ')} or preview, as in: [^\\n]*$`),
      );
      if (stage !== 'preview' && stage !== undefined) {
        expect(() => stageOfContext({ stage }, folder)).toThrow(' or preview, as in: ');
      }
    },
  );

  test('cdk synth fails with that line before anything else.', async () => {
    const outdir = mkdtempSync(join(tmpdir(), 'links-synth-'));
    const cdk = run('cdk', ['synth', '--quiet', '--output', outdir, '-c', 'stage=local']).finally(() =>
      rmSync(outdir, { recursive: true }),
    );
    await expect(cdk).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^[^\n]* stage [^\n]*name one of [a-z0-9, -]+ or preview/),
    });
  });
});

describe('The file of a stage', () => {
  const refused = (files: Readonly<Record<string, unknown>>, name = Object.keys(files)[0]) => {
    const folder = folderWith(files);
    return expect(() => stageOf(name, folder));
  };

  test('It has the differences from the defaults, and each file is a stage.', () => {
    const folder = folderWith({ 'eu-2': { $schema: 'settings.schema.json', requestRate: 5 }, local: {}, 'preview-a': {} });
    expect(stageOf('eu-2', folder)).toEqual({ name: 'eu-2', settings: settingsOf({ requestRate: 5 }) });
    expect(stageOf('prod', folder).settings).toEqual(settingsOf({}));
    expect(stageNames(folder)).toEqual(['dev', 'eu-2', 'prod', 'staging']);
  });

  test('It may extend others: a setting of its own replaces theirs as a whole, and null returns to the default.', () => {
    const base = { clickDays: 7, historyDays: 8, stageThrottle: { api: { rate: 1, burst: 2 } }, alarmEmail: 'a@example.com' };
    const middle = { extends: 'base', historyDays: 9, alarmEmail: null };
    const stageThrottle = { redirect: { rate: 3, burst: 4 } };
    const folder = folderWith({ base, middle, top: { extends: 'middle', stageThrottle, clickDays: null } });
    expect(stageOf('top', folder).settings).toEqual(settingsOf({ historyDays: 9, stageThrottle }));
    expect(stageOf('base', folder).settings).toEqual(settingsOf(base));
  });

  test('A preview takes what preview.json extends, under a name of its own.', () => {
    const folder = folderWith({ preview: { extends: 'dev', tracing: 'off' } });
    const settings = { ...stageOf('dev', folder).settings, tracing: 'off' };
    expect(stageOfContext({ stage: 'preview', name: 'pr-12' }, folder)).toEqual({ name: 'preview-pr-12', settings });
  });

  test('A preview gets nothing of dev that names an account, or that each preview would reserve again.', () => {
    const dev = {
      signIn: { issuer: 'https://accounts.google.com', clientId: 'a' },
      reservedConcurrency: { redirect: 250 },
      apiDomain: { name: 'api.example.com', hostedZoneId: 'Z0123456789' },
      shortDomains: [{ name: 'go.example.com', hostedZoneId: 'Z0123456789' }],
      domainTarget: 'go.example.com',
      managedDomains: true,
      backupRegion: 'eu-west-1',
      alarmEmail: 'a@example.com',
      monthlyBudget: 100,
    };
    const preview: unknown = JSON.parse(readFileSync('stages/preview.json', 'utf8'));
    const previewOf = (files: Readonly<Record<string, unknown>>) => stageOf('preview-a', folderWith({ ...files, preview }));
    expect(previewOf({ dev })).toEqual(previewOf({ dev: {} }));
  });

  test('Errors name the file in which a setting is wrong, also if another one extends it.', () => {
    const wrong = { clickDays: 0, apiDomain: { name: 'Api.example.com' }, alarmMail: 'a@example.com' };
    refused({ wrong }).toThrow(/^stages\/wrong\.json: apiDomain\.name: [^\n]*; clickDays: [^\n]*; alarmMail: [^\n]*$/);
    refused({ top: { extends: 'wrong', clickDays: 1 }, wrong }).toThrow(/^stages\/wrong\.json: apiDomain\.name: /);
    refused({ top: { extends: 'dev', monthlyBudget: 1 } }).toThrow(/^stages\/top\.json: monthlyBudget: /);
  });

  test.for<[string, unknown, RegExp]>([
    ['it is not JSON', '{ "keepData": true, }', /^stages\/a\.json: it is not JSON: [^\n]*$/],
    ['it is a list', [], /^stages\/a\.json: it must be an object$/],
    ['it is null', null, /^stages\/a\.json: it must be an object$/],
    ['it extends a file that does not exist', { extends: 'b' }, /^stages\/a\.json: extends: there is no file stages\/b\.json$/],
    ['it extends something that is not a name', { extends: '../package' }, /^stages\/a\.json: extends: there is no file/],
    ['it extends itself', { extends: 'a' }, /^stages\/a\.json: extends: a extends a$/],
    ['it has an unknown key without a value', { keepdate: null }, /^stages\/a\.json: keepdate: there is no such setting/],
    ["it has the laptop's setting", { webhookLoopback: true }, /^stages\/a\.json: webhookLoopback: there is no such setting$/],
  ])('It is refused if %s.', ([, a, message]) => {
    refused({ a }).toThrow(message);
  });

  test('Files that extend each other in a cycle are refused.', () => {
    refused({ a: { extends: 'b' }, b: { extends: 'a' } }).toThrow('stages/b.json: extends: a extends b extends a');
  });

  test('Each file in stages/ has a valid name and valid settings.', () => {
    const files = readdirSync('stages').map((file) => file.replace(/\.json$/, ''));
    for (const name of files) expect(stageOf(name === 'preview' ? 'preview-a' : name).settings, name).toBeDefined();
  });
});

describe("The file of a laptop's provider", () => {
  const given = { issuer: 'http://localhost:8180/realms/links', clientId: 'links' };
  const join = [{ claim: 'groups', equals: 'editors', workspaceId: 'ws_a', role: 'editor' }];
  const write = (content: unknown): string => {
    const file = `${temporaryFolder()}/sign-in.json`;
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };

  test("It has what signIn takes, and the client's secret, which the settings of the stage know by an ARN only.", () => {
    const { signIn, secrets } = readLaptopSignIn(write({ ...given, join, trustEmails: true, clientSecret: 's3cret' }));
    const { signIn: resolved } = localStage(3000, signIn).settings;
    expect(resolved).toMatchObject({ ...given, join, trustEmails: true, clientSecretArn: expect.any(String) });
    expect(secrets).toEqual({ [resolved?.clientSecretArn ?? '']: 's3cret' });
    expect(readLaptopSignIn(write(given))).toMatchObject({ signIn: given, secrets: {} });
    expect(readLaptopSignIn(write(given)).signIn).not.toHaveProperty('clientSecretArn');
  });

  test.for<[string, unknown, RegExp]>([
    ['it is not JSON', '{ "issuer": "a",\n "clientSecret": "hunter2", }', /: it is not JSON \(line 2 column \d+\)$/],
    ['a quotation mark is missing', '{ "clientSecret": hunter2" }', /: it is not JSON$/],
    ['it is a list', [], /: it must be an object$/],
    ['it has no issuer and no client', { clientSecret: 'hunter2' }, /: issuer: is required; clientId: is required$/],
    [
      'a name is wrong',
      { ...given, clientSecrets: 'hunter2' },
      /: clientSecrets: there is no such setting: did you mean clientSecret\?$/,
    ],
    ['the secret is in place of an ARN', { ...given, clientSecretArn: 'hunter2' }, /: clientSecretArn: there is no such setting/],
    ['the secret is not a string', { ...given, clientSecret: ['hunter2'] }, /: clientSecret: must be a string$/],
    ['the secret is empty', { ...given, clientSecret: ' ' }, /: clientSecret: it is empty$/],
    [
      'the issuer is elsewhere, without https',
      { ...given, issuer: 'http://idp.example/' },
      /: issuer: "http:\/\/idp.example\/" must be the https URL/,
    ],
    ['a rule is wrong', { ...given, join: [...join, { ...join[0], role: 'admin' }] }, /: join\.1\.role: must be one of /],
    ['it is too long', { ...given, clientSecret: 'hunter2'.repeat(500) }, /: it: it has more than 3,000 bytes$/],
  ])('It is refused with one line, which names the place and never the secret, if %s.', ([, content, message]) => {
    const file = write(content);
    const read = () => readLaptopSignIn(file);
    expect(read).toThrow(new RegExp(`^${file}${message.source}`));
    expect(read).not.toThrow(/hunter2|\n/);
  });

  test('A file that cannot be read is refused by its name.', () => {
    expect(() => readLaptopSignIn('nowhere.json')).toThrow(/^nowhere\.json: it cannot be read: ENOENT$/);
  });
});

describe('In the context of the CDK', () => {
  const example = 'as in: npm run deploy -- -c stage=preview -c name=pr-12';

  test('A preview has its name, and the other stages have none.', () => {
    expect(stageOfContext({ stage: 'preview', name: 'pr-12' }, folder)).toEqual(stageOf('preview-pr-12', folder));
    expect(stageOfContext({ stage: 'prod' }, folder)).toEqual(stageOf('prod', folder));
    expect(stageOfContext({}, folder)).toEqual(stageOf('dev', folder));
    expect(stageOf('preview-pr-12', folder).name).toBe('preview-pr-12');
  });

  test.for([
    [{ stage: 'preview' }, `no name given for the preview: add one, ${example}`],
    [{ stage: 'preview', name: '' }, `no name given for the preview: add one, ${example}`],
    [{ stage: 'dev', name: 'pr-12' }, `the stage dev takes no name: leave out -c name=pr-12, which is for previews, ${example}`],
    ...['PR-12', 'pr_12', 'pr--12', '-pr', 'pr-', 'pr.12', 'pr 12', 'pr\n12', 'ü', 'a'.repeat(21)].map(
      (name) =>
        [
          { stage: 'preview', name },
          `the preview's name ${JSON.stringify(name)} must have 1 to 20 lowercase letters, digits and single hyphens between them, ${example}`,
        ] as const,
    ),
  ] as const)('%j is refused with one line that gives the reason.', ([context, message]) => {
    expect(() => stageOfContext(context, folder)).toThrow(new Error(message));
    if ('name' in context) expect(isPreview(`preview-${context.name}`)).toBe(context.stage === 'dev');
  });

  test.for(['a', '7', 'pr-12', 'a-b-c', 'a'.repeat(20)])('%s is a name for a preview.', (name) => {
    expect(stageOfContext({ stage: 'preview', name }, folder).name).toBe(`preview-${name}`);
    expect(isPreview(`preview-${name}`)).toBe(true);
  });
});

test('A preview is deleted with all its data, has no alarms, keeps logs for a day, and leaves most requests to the other stages.', () => {
  const { settings } = ownStage(preview);
  expect(settings).toMatchObject({
    keepData: false,
    backUpActivity: false,
    logRetentionDays: 1,
    docs: true,
    rollout: 'all-at-once',
  });
  expect(settings).not.toHaveProperty('alarmEmail');
  expect(settings).not.toHaveProperty('alarmTopicArn');
  expect(settings.stageThrottle?.api?.rate).toBeLessThan(1_000);
  expect(settings.stageThrottle?.redirect?.rate).toBeLessThan(1_000);
});

describe('npm run', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

  test.for(['deploy', 'destroy'])('npm run %s is a program of its own around the CDK.', (script) => {
    expect(scripts[script]).toBe(`node bin/${script}.ts`);
  });

  test('npm run bootstrap, diff and synth apply to all stacks by default, and synth prints no template.', () => {
    expect([scripts.bootstrap, scripts.diff, scripts.synth]).toEqual(['cdk bootstrap', 'cdk diff', 'cdk synth --quiet']);
  });
});

describe.for([...ownStageNames, preview])('On %s', (name) => {
  const { data, all, stackOf } = stacksOf(ownStage(name));
  const { keepData, backUpActivity, logRetentionDays } = ownStage(name).settings;

  test(`Both tables are ${keepData ? 'kept in every way' : 'deleted with their stack'}.`, () => {
    expect(backUpActivity).toBe(keepData);
    const policy = keepData ? 'Retain' : 'Delete';
    const kept = {
      DeletionPolicy: policy,
      UpdateReplacePolicy: policy,
      Properties: {
        Replicas: [
          {
            DeletionProtectionEnabled: keepData,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: keepData },
          },
        ],
      },
    };
    expect(Object.values(data.findResources('AWS::DynamoDB::GlobalTable'))).toMatchObject([kept, kept]);
    const [bucket] = Object.values(data.findResources('AWS::S3::Bucket'));
    expect(bucket).toMatchObject({ DeletionPolicy: policy, UpdateReplacePolicy: policy });
    for (const stack of ['Data', 'Api', 'Redirect', 'Events']) expect(stackOf(stack).terminationProtection).toBe(keepData);
  });

  test('Each function runs on Node 24 on arm64, within its limits, and logs as JSON into a group with a retention.', () => {
    for (const template of all) {
      for (const { id, properties } of resourcesOf(template.toJSON() as Template, 'AWS::Lambda::Function')) {
        expect(properties, id).toMatchObject({
          Runtime: 'nodejs24.x',
          Architectures: ['arm64'],
          // The sender mostly waits for receivers.
          ...(/^sendwebhooks/.test(id)
            ? { Timeout: 60, MemorySize: 256 }
            : /^sealclicks/.test(id)
              ? { Timeout: 300, MemorySize: 1769 }
              : asksAboutClicks(properties.Description)
                ? { Timeout: 25, MemorySize: 3008, EphemeralStorage: { Size: 2048 } }
                : {
                    Timeout: 25,
                    MemorySize: /^(createlink|updatelink|putlink|bulk\w+links|countclicks|recordwaitingclicks)[0-9A-F]{8}$/.test(
                      id,
                    )
                      ? 1769
                      : 512,
                  }),
          LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: expect.stringMatching(/logs[0-9A-F]{8}$/) } },
        });
        expect(properties, id).not.toHaveProperty('ReservedConcurrentExecutions');
        const group = template.toJSON().Resources[properties.LoggingConfig.LogGroup.Ref];
        expect(group, id).toMatchObject({ Properties: { RetentionInDays: logRetentionDays }, DeletionPolicy: 'Delete' });
      }
    }
  });

  test('Requests to the API are traced, except in a preview, and visits, events and schedules are not.', () => {
    const api = name !== preview;
    expect(tracedOf(all)).toEqual({
      gateway: api,
      authorizer: [api],
      endpoint: [api],
      statistics: [api],
      redirect: [false],
      event: [false],
    });
  });

  test('The outputs are those that the operator and CI need.', () => {
    const outputs = all.map((template) =>
      Object.entries((template.toJSON() as Template).Outputs ?? {})
        // By those with an export, the stacks find the tables.
        .filter(([, { Export }]) => !Export)
        .map(([output]) => output)
        .sort(),
    );
    expect(outputs).toEqual([
      ['ActivityTableName', 'ClickBucketName', 'TableName'],
      ['ApiUrl', 'LiftedUsagePlanId', 'UsagePlanId'],
      ['RedirectUrl', 'ServedNames'],
      [],
    ]);
  });

  test('Every resource that can be tagged names its service and stage.', () => {
    const tags = [
      { Key: 'service', Value: 'links' },
      { Key: 'stage', Value: name },
    ];
    const taggable = [
      'ApiGateway::RestApi',
      'ApiGateway::Stage',
      'ApiGateway::UsagePlan',
      'IAM::Role',
      'Lambda::Function',
      'Logs::LogGroup',
      'S3::Bucket',
      'SQS::Queue',
    ];
    for (const template of all) {
      for (const type of taggable) {
        for (const { id, properties } of resourcesOf(template.toJSON() as Template, `AWS::${type}`))
          expect(properties.Tags, id).toEqual(tags);
      }
    }
    data.allResourcesProperties('AWS::DynamoDB::GlobalTable', { Replicas: [Match.objectLike({ Tags: tags })] });
  });
});

test.for([true, false])(
  'With keepData %j, the backup of Activity has a setting of its own, and that of Links has none.',
  (keepData) => {
    for (const backUpActivity of [true, false]) {
      const { data } = stacksOf(ownStage('dev', { keepData, backUpActivity }));
      const backedUp = Object.entries(data.findResources('AWS::DynamoDB::GlobalTable')).map(([id, { Properties }]) => [
        id.slice(0, -8),
        Properties.Replicas[0].PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled,
      ]);
      expect(Object.fromEntries(backedUp)).toEqual({ links: keepData, activity: backUpActivity });
    }
  },
);

test('Reserved concurrency is a setting for each kind of function.', () => {
  const reservedConcurrency = { authorizer: 20, endpoint: 10, statistics: 5, redirect: 30, event: 2 };
  const { all } = stacksOf(ownStage('dev', { reservedConcurrency }));
  const reserved = all.flatMap((template) =>
    resourcesOf(template.toJSON() as Template, 'AWS::Lambda::Function').map(({ properties }) => ({
      description: properties.Description as string,
      executions: properties.ReservedConcurrentExecutions,
    })),
  );
  expect(reserved.length).toBeGreaterThan(8);
  for (const { description, executions } of reserved)
    expect(executions, description).toBe(reservedConcurrency[kindOf(description)]);
});

/** Whether a function answers queries about clicks. */
const asksAboutClicks = (description: unknown) =>
  routes.some((route) => route.asksAboutClicks && `${route.method} ${route.path}` === description);

/** What kind of function has that description. */
const kindOf = (description: string) => {
  if (asksAboutClicks(description)) return 'statistics';
  if (/^(GET|POST|PUT|PATCH|DELETE) \//.test(description)) return 'endpoint';
  if (description.includes('bearer')) return 'authorizer';
  return description.includes('visitors') ? 'redirect' : 'event';
};

/** Whether the gateway and each kind of function are traced. A function may send traces exactly if it is. */
function tracedOf(templates: ReturnType<typeof stacksOf>['all']) {
  const traced: Record<string, boolean[]> = {};
  for (const { id, properties, statements } of templates.flatMap((template) => functionsOf(template.toJSON() as Template))) {
    const isTraced = properties.TracingConfig.Mode === 'Active';
    expect(JSON.stringify(statements).includes('xray:'), id).toBe(isTraced);
    if (!isTraced) expect(properties.TracingConfig, id).toEqual({ Mode: 'PassThrough' });
    const kind = kindOf(properties.Description);
    traced[kind] = [...new Set([...(traced[kind] ?? []), isTraced])];
  }
  const gateways = templates.flatMap((template) => resourcesOf(template.toJSON() as Template, 'AWS::ApiGateway::Stage'));
  return { ...traced, gateway: gateways[0]?.properties.TracingEnabled };
}

test.for([
  ['off', { gateway: false, authorizer: [false], endpoint: [false], statistics: [false], redirect: [false], event: [false] }],
  ['all', { gateway: true, authorizer: [true], endpoint: [true], statistics: [true], redirect: [true], event: [true] }],
] as const)('Tracing %s applies to every function, and only traced ones may send traces.', ([tracing, traced]) => {
  const { all } = stacksOf(ownStage('dev', { tracing }));
  expect(tracedOf(all)).toEqual(traced);
});

test('Only the redirect logs nothing for invocations that succeed.', () => {
  for (const { template } of stacks) {
    for (const { id, properties } of resourcesOf(template, 'AWS::Lambda::Function')) {
      const levels = kindOf(properties.Description) === 'redirect' ? ['WARN', 'WARN'] : [undefined, undefined];
      const { SystemLogLevel, ApplicationLogLevel } = properties.LoggingConfig;
      expect([SystemLogLevel, ApplicationLogLevel], id).toEqual(levels);
    }
  }
});

describe('Several stages in one account', () => {
  /** Names that need to be unique only within their resource. The API's is a label; a metric has the stage in its namespace. */
  const inner = new Set([
    'AWS::ApiGateway::RestApi Name',
    'AWS::ApiGateway::Authorizer Name',
    'AWS::ApiGateway::Stage StageName',
    'AWS::ApiGatewayV2::Api Name',
    'AWS::ApiGatewayV2::Stage StageName',
    'AWS::Lambda::Alias Name',
    'AWS::Logs::MetricFilter MetricName',
    'AWS::Logs::QueryDefinition Name',
    'AWS::CloudWatch::Alarm MetricName',
  ]);

  test('No resource has a name that another stage could have taken.', () => {
    const named = stacks.flatMap(({ template }) =>
      Object.values(template.Resources).flatMap(({ Type, Properties }) =>
        Object.entries(Properties ?? {})
          .filter(([property, value]) => /Name$/.test(property) && typeof value === 'string' && !inner.has(`${Type} ${property}`))
          .map(([property, value]) => `${Type} ${property}: ${value}`),
      ),
    );
    // The function that a rule starts switches it off by its name, and the operator's command runs a function by its name.
    // Both have the stage's.
    expect(named).toEqual(
      Object.keys(stages).flatMap((stage) => [
        `AWS::Lambda::Function FunctionName: Links-${stage}-seal-clicks`,
        `AWS::Events::Rule Name: Links-${stage}-sealing`,
        `AWS::Events::Rule Name: Links-${stage}-senders`,
      ]),
    );
    // https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutRule.html,
    // https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html
    for (const name of named) expect(name.replace(/^.*: /, '').length).toBeLessThanOrEqual(64);
  });

  test('No two stacks export the same name.', () => {
    const exported = stacks.flatMap(({ template }) =>
      Object.values(template.Outputs ?? {}).flatMap(({ Export }) => (Export ? [JSON.stringify(Export.Name)] : [])),
    );
    expect(exported.length).toBeGreaterThan(0);
    expect(new Set(exported).size).toBe(exported.length);
  });
});
