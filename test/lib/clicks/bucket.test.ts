import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { DataStack } from '../../../lib/data-stack.ts';
import { localStage } from '../../../lib/stages/stages.ts';
import { TableFunction } from '../../../lib/table-function.ts';
import { allowing, type IamRequest } from '../../support/stacks/iam.ts';
import { functionsOf, type Template as Json } from '../../support/stacks/policies.ts';
import { restoredAt } from '../../support/stacks/restored-tables.ts';
import { newApp, stacksOf } from '../../support/stacks/stacks.ts';
import { ownStage, ownStageNames } from '../../support/stacks/stages.ts';

const stages = [
  ...ownStageNames.map((name) => ownStage(name)),
  localStage(3000),
  ownStage('dev', { restoredTables: restoredAt('20261121T100000Z') }),
];

test.for(stages)('$name has one private bucket, which keeps deleted files for 7 days.', (stage) => {
  const { all, data } = stacksOf(stage);
  expect(all.map((template) => Object.keys(template.findResources('AWS::S3::Bucket')).length)).toEqual([1, 0, 0, 0]);
  data.hasResourceProperties('AWS::S3::Bucket', {
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
    OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
    },
    VersioningConfiguration: { Status: 'Enabled' },
    LifecycleConfiguration: {
      Rules: [
        {
          Status: 'Enabled',
          NoncurrentVersionExpiration: { NoncurrentDays: 7 },
          ExpiredObjectDeleteMarker: true,
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
        },
        {
          Status: 'Enabled',
          Prefix: 'rankings/',
          ExpirationInDays: 1,
          NoncurrentVersionExpiration: { NoncurrentDays: 1 },
        },
      ],
    },
  });
});

test('The policy of the bucket only refuses calls without TLS.', () => {
  const [policy, ...others] = Object.values(stacksOf(ownStage('dev')).data.findResources('AWS::S3::BucketPolicy'));
  expect(others).toEqual([]);
  expect(policy?.Properties.PolicyDocument.Statement).toMatchObject([
    { Effect: 'Deny', Principal: { AWS: '*' }, Action: 's3:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
  ]);
});

describe('A function with rights to the files of clicks', () => {
  const bucket = 'links-dev-data-clicks-1a2b3c';
  const all = ['delete', 'delete-versions', 'get', 'get-ranking', 'list', 'list-versions', 'put', 'put-ranking'] as const;
  type Right = (typeof all)[number];
  const allBut = (one: Right) => all.filter((other) => other !== one);
  const sets = [...all.map((one) => [one]), ...all.map(allBut), ['get', 'list'] as const, all];

  const app = newApp();
  const { name: stage, settings } = ownStage('dev');
  const { tables, clicks } = new DataStack(app, 'Data', { stage, settings });
  const stack = new Stack(app, 'Events');
  for (const actions of sets)
    new TableFunction(stack, `seal-${actions.join('-')}`, {
      settings,
      kind: 'event',
      tables,
      code: join(import.meta.dirname, '../../support/laptop/local-handlers'),
      description: actions.join(),
      tableActions: {},
      clickFiles: { bucket: clicks, actions },
    });
  const functions = functionsOf(Template.fromStack(stack).toJSON() as Json);
  /** The function with these rights, and the statements of its role about S3. */
  const withRights = (actions: readonly Right[]) => {
    const found = functions.find(({ properties }) => properties.Description === actions.join());
    if (!found) throw new Error(`no function has the rights ${actions}`);
    return { found, ofS3: found.statements.filter(({ Action }) => /^s3:/.test([Action].flat()[0] ?? '')) };
  };

  /** What IAM is asked: https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html */
  const asked: Readonly<Record<Right, IamRequest>> = {
    delete: { action: 's3:DeleteObject', resource: `arn:aws:s3:::${bucket}/clicks/workspace=ws_1/1.parquet` },
    'delete-versions': {
      action: 's3:DeleteObjectVersion',
      resource: `arn:aws:s3:::${bucket}/clicks/workspace=ws_1/1.parquet`,
    },
    get: { action: 's3:GetObject', resource: `arn:aws:s3:::${bucket}/clicks/workspace=ws_1/1.parquet` },
    list: {
      action: 's3:ListBucket',
      resource: `arn:aws:s3:::${bucket}`,
      context: { 's3:prefix': 'clicks/workspace=ws_1/' },
    },
    'list-versions': {
      action: 's3:ListBucketVersions',
      resource: `arn:aws:s3:::${bucket}`,
      context: { 's3:prefix': 'clicks/workspace=ws_1/' },
    },
    'get-ranking': { action: 's3:GetObject', resource: `arn:aws:s3:::${bucket}/rankings/workspace=ws_1/1` },
    'put-ranking': {
      action: 's3:PutObject',
      resource: `arn:aws:s3:::${bucket}/rankings/workspace=ws_1/1`,
      context: { 's3:if-none-match': '*' },
    },
    put: {
      action: 's3:PutObject',
      resource: `arn:aws:s3:::${bucket}/clicks/workspace=ws_1/1.parquet`,
      context: { 's3:if-none-match': '*' },
    },
  };
  const mayOf = (actions: readonly Right[]) => {
    const { ofS3 } = withRights(actions);
    return (request: IamRequest) => allowing(ofS3, request, `arn:aws:s3:::${bucket}`).length > 0;
  };

  test.for(all)('may %s only with that right, which allows nothing else.', (one) => {
    const may = mayOf([one]);
    expect(all.filter((action) => may(asked[action]))).toEqual([one]);
    const mayElse = mayOf(allBut(one));
    expect(all.filter((action) => mayElse(asked[action]))).toEqual(allBut(one));
  });

  test('accesses and lists nothing else in the bucket, and replaces nothing.', () => {
    const may = mayOf(all);
    for (const action of ['delete', 'delete-versions', 'get', 'put'] as const)
      expect(may({ ...asked[action], resource: `arn:aws:s3:::${bucket}/other/1.parquet` })).toBe(false);
    for (const prefix of ['', 'other/', 'click'])
      for (const action of ['list', 'list-versions'] as const)
        expect(may({ ...asked[action], context: { 's3:prefix': prefix } })).toBe(false);
    expect(may({ ...asked['list-versions'], context: {} })).toBe(false);
    for (const action of ['put', 'put-ranking'] as const) expect(may({ ...asked[action], context: {} })).toBe(false);
    for (const action of ['s3:GetObjectVersion', 's3:PutObjectVersionTagging', 's3:PutObjectTagging'])
      expect(may({ ...asked.get, action })).toBe(false);
  });

  test('learns that a file does not exist, for which S3 requires the right to list, without a prefix.', () => {
    expect(mayOf(['get', 'list'])({ ...asked.list, context: {} })).toBe(true);
    expect(mayOf(['get'])({ ...asked.list, context: {} })).toBe(false);
  });

  test("knows the bucket's name, and a function without rights does not.", () => {
    expect(withRights(['get']).found.properties.Environment.Variables).toEqual({
      CLICK_BUCKET: { 'Fn::ImportValue': expect.stringMatching(/^Data:ExportsOutputRefclicks/) },
    });
    const { events } = stacksOf(ownStage('dev'));
    for (const { properties, statements } of functionsOf(events.toJSON() as Json))
      expect('CLICK_BUCKET' in (properties.Environment?.Variables ?? {})).toBe(JSON.stringify(statements).includes('"s3:'));
  });

  test("has no right that cdk-nag's rules find too broad.", () => {
    const { violations } = new AwsSolutionsChecks(app).validateScope(app);
    expect(violations.filter(({ ruleName }) => ruleName.startsWith('AwsSolutions-IAM')).map(({ ruleName }) => ruleName)).toEqual(
      [],
    );
  });
});
