import { expect, test } from 'vitest';
import { localStage } from '../../../lib/stages/stages.ts';
import { restoredAt } from '../../support/stacks/restored-tables.ts';
import { stacksOf } from '../../support/stacks/stacks.ts';
import { ownStage, ownStageNames } from '../../support/stacks/stages.ts';

const stages = [
  ...ownStageNames.map((name) => ownStage(name)),
  localStage(3000),
  ownStage('dev', { restoredTables: restoredAt('20261121T100000Z') }),
];

test.for(stages)('$name has one bucket, which nobody else can read, with its deleted files of 7 days.', (stage) => {
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
      ],
    },
  });
});

test('The policy of the bucket only refuses: calls without TLS.', () => {
  const [policy, ...others] = Object.values(stacksOf(ownStage('dev')).data.findResources('AWS::S3::BucketPolicy'));
  expect(others).toEqual([]);
  expect(policy?.Properties.PolicyDocument.Statement).toMatchObject([
    { Effect: 'Deny', Principal: { AWS: '*' }, Action: 's3:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
  ]);
});
