import { describe, expect, test } from 'vitest';
import { tableOf, tableSettings } from '../../lambdas/store/table/tables.ts';
import { routes } from '../../lib/endpoints.ts';
import { localStage } from '../../lib/stages/stages.ts';
import { functionsOf, type Statement, type Template, tableIn, tableStatements } from '../support/stacks/policies.ts';
import { stacksOf } from '../support/stacks/stacks.ts';
import { ownStage, ownStageNames } from '../support/stacks/stages.ts';

// `test/lambdas/faults.test.ts` checks that each function is allowed exactly what it does.

const writing = ['BatchWriteItem', 'DeleteItem', 'PartiQLDelete', 'PartiQLInsert', 'PartiQLUpdate', 'PutItem', 'UpdateItem'];
/** Reading the metadata of a page takes one of the workspace's requests for it. */
const readers = routes
  .filter(({ method, name }) => method === 'GET' && name !== 'get-metadata')
  .map(({ method, path }) => `${method} ${path}`);

/** The stages by their names in the titles. */
const stages = {
  ...Object.fromEntries(ownStageNames.map((name) => [name, ownStage(name)])),
  local: localStage(3000),
  'prod with managed domains': ownStage('prod', { managedDomains: true }),
};
const functions = Object.entries(stages).flatMap(([name, stage]) =>
  stacksOf(stage).all.flatMap((template) =>
    functionsOf(template.toJSON() as Template).map(({ properties, statements }) => ({
      stage: name,
      name: String(properties.Description),
      logGroup: properties.LoggingConfig.LogGroup.Ref as string,
      environment: (properties.Environment?.Variables ?? {}) as Readonly<Record<string, unknown>>,
      statements,
    })),
  ),
);

const actionsOf = (statements: readonly Statement[]) => statements.flatMap(({ Action }) => [Action].flat());
const allows = ({ Effect }: Statement) => Effect === 'Allow';

/** The function that makes certificates and names in AWS. managed-domains.test.ts tests its rights there. */
const isManager = (name: string) => name.startsWith('Makes certificates and custom domain names');
const ofDomains = /^(acm|apigateway|iam):/;

/** The end of a resource that is all files of clicks. */
const ofClickFiles = /(?<="Links-[\w-]+-Data:ExportsOutputFnGetAttclicks\w+"\},")\/(?:clicks|rankings)\/\*(?="\]\]\})/g;

const stageCount = Object.keys(stages).length;

test('Each endpoint and the authorizer has exactly one function on each stage.', () => {
  const names = [
    ...routes.map(({ method, path }) => `${method} ${path}`),
    'Resolves a bearer key to its workspace and permissions',
  ];
  for (const name of names)
    expect(
      functions.filter((one) => one.name === name),
      name,
    ).toHaveLength(stageCount);
});

describe.for(functions)('On $stage, "$name"', ({ stage, name, logGroup, environment, statements }) => {
  test('The function cannot scan, and each of its actions is named in full.', () => {
    expect(statements.every(allows)).toBe(true);
    for (const action of actionsOf(statements).filter((one) => !(isManager(name) && ofDomains.test(one))))
      expect(action).toMatch(
        /^(dynamodb:(?!Scan|PartiQLSelect|\*)|events:(?:Dis|En)ableRule|lambda:InvokeFunction|logs:|s3:|sqs:|xray:)[A-Za-z]*$/,
      );
  });

  test('The function has a wildcard resource at most for the files of clicks, and for X-Ray, which has no resources.', () => {
    const wild = statements.filter(
      (statement) =>
        /[*]/.test(JSON.stringify(statement.Resource).replace(ofClickFiles, '')) &&
        !(isManager(name) && actionsOf([statement]).every((action) => ofDomains.test(action))),
    );
    expect(['', 'xray:PutTelemetryRecords xray:PutTraceSegments']).toContain(actionsOf(wild).join(' '));
  });

  test('The function logs only into the group that is set for it, which only endpoints share.', () => {
    const others = functions.filter((one) => one.stage === stage && one.name !== name && one.logGroup === logGroup);
    expect(others.length > 0).toBe(/^[A-Z]+ \//.test(name));
    for (const other of others) expect(other.name).toMatch(/^[A-Z]+ \//);

    const logging = statements.filter((statement) => actionsOf([statement]).some((action) => action.startsWith('logs:')));
    expect(logging).toMatchObject([
      { Action: ['logs:CreateLogStream', 'logs:PutLogEvents'], Resource: { 'Fn::GetAtt': [logGroup, 'Arn'] } },
    ]);
  });

  test('The function knows the names of exactly the tables that it may use, each by its own setting.', () => {
    const told = Object.entries(tableSettings).flatMap(([table, name]) =>
      name in environment ? [[table, tableIn(environment[name])]] : [],
    );
    const used = [...new Set(tableStatements(statements).map(({ table }) => table))];
    expect(told.sort()).toEqual(used.sort().map((table) => [table, table]));
  });

  test('Each partition that the function may touch is one of the table that the statement is about.', () => {
    for (const { table, leadingKeys, index } of tableStatements(statements)) {
      if (!index) expect(leadingKeys.map(tableOf)).toEqual(leadingKeys.map(() => table));
    }
  });

  test('The function reaches items only by named partition keys, even in requests without any.', () => {
    for (const { leadingKeys, index, condition } of tableStatements(statements)) {
      if (index) continue;
      for (const key of leadingKeys) expect(key).toMatch(/^[A-Z]+#\*$/);
      expect(condition).toMatchObject({ Null: { 'dynamodb:LeadingKeys': 'false' } });
    }
  });
});

describe('Without partition conditions', () => {
  const [on, off] = [true, false].map((partitionConditions) =>
    stacksOf(ownStage('dev', { partitionConditions })).all.flatMap((template) =>
      functionsOf(template.toJSON() as Template).map(({ properties, statements }) => ({
        name: String(properties.Description),
        statements,
      })),
    ),
  );
  const otherConditions = (condition: Statement['Condition'] = {}) =>
    Object.entries(condition).flatMap(([operator, keys]) =>
      Object.entries(keys).flatMap(([key, values]) => (key === 'dynamodb:LeadingKeys' ? [] : [{ operator, key, values }])),
    );
  /** Each action with its resource and all conditions except those on partitions. */
  const rights = (statements: readonly Statement[] = []) =>
    statements
      .flatMap(({ Effect, Action, Resource, Condition }) =>
        [Action]
          .flat()
          .flatMap((action) =>
            [Resource].flat().map((resource) => JSON.stringify({ Effect, action, resource, other: otherConditions(Condition) })),
          ),
      )
      .sort();

  test.for(on ?? [])('"$name" keeps the same actions on the same resources, on any partition.', ({ name, statements }) => {
    const now = off?.find((one) => one.name === name)?.statements;
    expect(rights(now)).toEqual(rights(statements));
    expect(JSON.stringify(now)).not.toContain('LeadingKeys');
  });

  test('The authorizer can still write only one attribute.', () => {
    const { statements = [] } = off?.find(({ name }) => name.includes('bearer key')) ?? {};
    expect(statements.find(({ Action }) => Action === 'dynamodb:UpdateItem')?.Condition).toEqual({
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'lastUsedAt'] },
      StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
      Null: { 'dynamodb:Attributes': 'false' },
    });
  });
});

const reading = functions.filter(({ name }) => readers.includes(name));
const authorizing = functions.filter(({ name }) => name.includes('bearer key'));

test.for(reading)('On $stage, "$name" cannot write.', ({ statements }) => {
  expect(actionsOf(statements).filter((action) => writing.includes(action.replace('dynamodb:', '')))).toEqual([]);
});

test.for(functions.filter(({ name }) => name === 'Answers the visitors of short links'))(
  'On $stage, the redirect can write only clicks, attempts at passwords, the use of caps, and reports of links.',
  ({ statements }) => {
    const writes = tableStatements(statements).flatMap(({ actions, leadingKeys }) =>
      actions
        .filter((action) => writing.includes(action.replace('dynamodb:', '')))
        .flatMap((action) => leadingKeys.map((key) => `${action} ${key}`)),
    );
    expect(writes.sort()).toEqual([
      'dynamodb:PutItem CLICK#*',
      'dynamodb:UpdateItem ATTEMPTS#*',
      'dynamodb:UpdateItem CAP#*',
      'dynamodb:UpdateItem REPORT#*',
      'dynamodb:UpdateItem REPORTER#*',
    ]);
  },
);

test.for(authorizing)(
  'On $stage, the authorizer can only read keys, members and sign-ins, and record the use of keys.',
  ({ statements }) => {
    expect(tableStatements(statements)).toEqual([
      {
        actions: ['dynamodb:BatchGetItem'],
        table: 'Links',
        leadingKeys: ['MEMBERS#*', 'SIGNIN#*'],
        index: undefined,
        condition: expect.anything(),
      },
      { actions: ['dynamodb:GetItem'], table: 'Links', leadingKeys: ['KEY#*'], index: undefined, condition: expect.anything() },
      {
        actions: ['dynamodb:UpdateItem'],
        table: 'Links',
        leadingKeys: ['KEY#*'],
        index: undefined,
        condition: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['KEY#*'] },
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'lastUsedAt'] },
          StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
          Null: { 'dynamodb:LeadingKeys': 'false', 'dynamodb:Attributes': 'false' },
        },
      },
    ]);
  },
);

/**
 * The functions besides the authorizer that may use API keys, and their rights. None deletes one. Only sweeps and requests
 * about keys change one.
 */
const keyKeepers: Readonly<Record<string, readonly string[]>> = {
  'POST /api/v1/keys': ['ConditionCheckItem', 'GetItem', 'PutItem'],
  'GET /api/v1/keys': ['BatchGetItem'],
  'GET /api/v1/keys/{id}': ['GetItem'],
  'PATCH /api/v1/keys/{id}': ['BatchGetItem', 'ConditionCheckItem', 'UpdateItem'],
  'DELETE /api/v1/keys/{id}': ['BatchGetItem', 'ConditionCheckItem', 'UpdateItem'],
  'POST /api/v1/keys/{id}/rotate': ['BatchGetItem', 'ConditionCheckItem', 'PutItem', 'UpdateItem'],
  'POST /api/v1/members': ['ConditionCheckItem', 'GetItem'],
  'PATCH /api/v1/members/{id}': ['ConditionCheckItem', 'GetItem'],
  'DELETE /api/v1/members/{id}': ['BatchGetItem', 'ConditionCheckItem', 'GetItem'],
  'DELETE /api/v1/members/me': ['ConditionCheckItem', 'GetItem'],
  'Removes deleted tags from their links, and erased clicks, and revokes keys of removed members, a page at a time': [
    'BatchGetItem',
    'UpdateItem',
  ],
};

test.for(functions.filter((one) => !authorizing.includes(one)))(
  'On $stage, "$name" may use API keys only as listed here.',
  ({ name, statements }) => {
    const done = tableStatements(statements).flatMap(({ actions, leadingKeys }) =>
      leadingKeys.includes('KEY#*') ? actions : [],
    );
    expect(done.map((action) => action.replace('dynamodb:', '')).sort()).toEqual(keyKeepers[name] ?? []);
  },
);

/** The functions that may use the secrets of days on a stage that counts unique clicks, and their rights. */
const daySecretKeepers: Readonly<Record<string, readonly string[]>> = {
  'Answers the visitors of short links': ['GetItem'],
  'Makes the secrets under which visitors are hashed, a day ahead, and deletes them after their day': ['DeleteItem', 'PutItem'],
};

test.for(functions)(
  'On $stage, "$name" may use secrets of days only as listed here, and only if the stage counts unique clicks.',
  ({ stage, name, statements }) => {
    const done = tableStatements(statements).flatMap(({ actions, table }) => (table === 'Secrets' ? actions : []));
    const expected = stage === 'local' ? (daySecretKeepers[name] ?? []) : [];
    expect(done.map((action) => action.replace('dynamodb:', '')).sort()).toEqual(expected);
  },
);

test('The laptop has each function that is listed for secrets of days.', () => {
  const names = functions.filter(({ stage }) => stage === 'local').map(({ name }) => name);
  for (const keeper of Object.keys(daySecretKeepers)) expect(names).toContain(keeper);
});

/** The functions that may use the secrets of webhooks, and their rights. */
const secretKeepers: Readonly<Record<string, readonly string[]>> = {
  'POST /api/v1/webhooks': ['GetItem', 'PutItem'],
  'DELETE /api/v1/webhooks/{id}': ['DeleteItem'],
  'POST /api/v1/webhook-secrets': ['GetItem', 'UpdateItem'],
  'GET /api/v1/webhook-secrets': ['Query'],
  'DELETE /api/v1/webhook-secrets/{id}': ['Query', 'UpdateItem'],
  'Creates the deliveries of webhooks, and starts senders': ['GetItem'],
  'Sends what is due for URLs that receive webhooks': ['GetItem'],
};

test.for(functions)('On $stage, "$name" may use secrets of webhooks only as listed here.', ({ name, statements }) => {
  const done = tableStatements(statements).flatMap(({ actions, leadingKeys }) =>
    leadingKeys.includes('SECRET#*') ? actions : [],
  );
  expect(done.map((action) => action.replace('dynamodb:', '')).sort()).toEqual(secretKeepers[name] ?? []);
});

/** The functions that may use the files of clicks, and their rights. */
const fileKeepers: Readonly<Record<string, readonly string[]>> = {
  'Moves clicks from the table into files, and merges the files of months that are over': [
    's3:DeleteObject',
    's3:DeleteObjectVersion',
    's3:GetObject',
    's3:ListBucket',
    's3:ListBucketVersions',
    's3:PutObject',
  ],
};

test.for(functions)(
  'On $stage, "$name" may use the files of clicks only as listed here.',
  ({ name, environment, statements }) => {
    const done = statements
      .filter(({ Resource }) => JSON.stringify(Resource).includes('Attclicks'))
      .flatMap(({ Action }) => Action);
    const inS3 = actionsOf(statements).filter((action) => action.startsWith('s3:'));
    expect(done.sort()).toEqual(inS3.sort());
    const route = routes.find(({ method, path }) => `${method} ${path}` === name);
    const asking = route?.asksAboutClicks ? ['s3:GetObject', 's3:ListBucket'] : [];
    const keeping = route?.keepsRankings ? ['s3:PutObject'] : [];
    expect(inS3).toEqual(route ? [...asking, ...keeping] : (fileKeepers[name] ?? []));
    const put = statements.filter(({ Action }) => [Action].flat().includes('s3:PutObject'));
    for (const { Resource } of put) expect(JSON.stringify(Resource)).toContain(route ? '/rankings/*' : '/clicks/*');
    expect('CLICK_BUCKET' in environment).toBe(inS3.length > 0);
  },
);

/** The functions that may use the queue of clicks that wait for the table, and their rights. */
const queueKeepers: Readonly<Record<string, readonly string[]>> = {
  'Answers the visitors of short links': ['sqs:SendMessage'],
  'Records clicks that waited in a queue, because the table was busy': [
    'sqs:DeleteMessage',
    'sqs:GetQueueAttributes',
    'sqs:ReceiveMessage',
  ],
};

test.for(functions)(
  'On $stage, "$name" may use the queue of clicks only as listed here.',
  ({ name, environment, statements }) => {
    const done = statements
      .filter(({ Resource }) => JSON.stringify(Resource).includes('Attwaitingclicks'))
      .flatMap(({ Action }) => Action);
    expect(done.sort()).toEqual(queueKeepers[name] ?? []);
    expect('WAITING_CLICKS_QUEUE' in environment).toBe(done.includes('sqs:SendMessage'));
  },
);

/** The functions besides the authorizer that may use members and memberships, and their rights. None deletes one. */
const memberKeepers: Readonly<Record<string, readonly string[]>> = {
  'POST /api/v1/keys': ['BatchGetItem', 'ConditionCheckItem'],
  'PATCH /api/v1/keys/{id}': ['BatchGetItem', 'ConditionCheckItem'],
  'DELETE /api/v1/keys/{id}': ['BatchGetItem', 'ConditionCheckItem'],
  'POST /api/v1/keys/{id}/rotate': ['BatchGetItem', 'ConditionCheckItem'],
  'GET /api/v1/history': ['BatchGetItem'],
  'GET /api/v1/links/{id}/history': ['BatchGetItem'],
  'POST /api/v1/members': ['BatchGetItem', 'ConditionCheckItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
  'GET /api/v1/members': ['Query'],
  'GET /api/v1/members/{id}': ['GetItem'],
  'PATCH /api/v1/members/{id}': ['BatchGetItem', 'ConditionCheckItem', 'GetItem', 'Query', 'UpdateItem'],
  'DELETE /api/v1/members/{id}': ['BatchGetItem', 'ConditionCheckItem', 'GetItem', 'Query', 'UpdateItem'],
  'DELETE /api/v1/members/me': ['BatchGetItem', 'GetItem', 'Query', 'UpdateItem'],
};

test.for(functions.filter((one) => !authorizing.includes(one)))(
  'On $stage, "$name" may use members only as listed here.',
  ({ name, statements }) => {
    const done = tableStatements(statements).flatMap(({ actions, leadingKeys }) =>
      leadingKeys.includes('MEMBERS#*') ? actions : [],
    );
    expect(done.map((action) => action.replace('dynamodb:', '')).sort()).toEqual(memberKeepers[name] ?? []);
  },
);
