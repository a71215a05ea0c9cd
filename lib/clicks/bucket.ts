import { Duration, RemovalPolicy, type Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { clickFolder, rankingFolder } from '../../lambdas/core/click/files.ts';
import type { StageSettings } from '../stages/settings.ts';

/** How many days a deleted file can be brought back. */
const versionDays = 7;

/**
 * Adds the bucket with the files of clicks, and with rankings of links by their clicks, which expire. Files are never
 * changed, so noncurrent versions are deleted files.
 */
export function addClickBucket(stack: Stack, { keepData }: StageSettings): Bucket {
  const bucket = new Bucket(stack, 'clicks', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    versioned: true,
    lifecycleRules: [
      {
        noncurrentVersionExpiration: Duration.days(versionDays),
        // Deletes the marker together with the file's last version.
        expiredObjectDeleteMarker: true,
        abortIncompleteMultipartUploadAfter: Duration.days(1),
      },
      { prefix: rankingFolder, expiration: Duration.days(1), noncurrentVersionExpiration: Duration.days(1) },
    ],
    removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'Only functions of the stage read it, and CloudTrail can record that; access logs would need a second bucket',
  });
  return bucket;
}

/** What a function may do with the files of clicks, or with rankings. */
export type FileAction = 'delete' | 'delete-versions' | 'get' | 'get-ranking' | 'list' | 'list-versions' | 'put' | 'put-ranking';

/** The folder in which an action reads or writes files. */
export const folderOf = (action: FileAction): string => (action.endsWith('-ranking') ? rankingFolder : clickFolder);

/**
 * The policy statements for actions, only on the files of their folders. Uploads must be conditional, so that they
 * can't replace a file: https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
 */
export function statementsOn({ bucketArn }: IBucket, actions: readonly FileAction[]): PolicyStatement[] {
  const files = `${bucketArn}/${clickFolder}*`;
  const rankings = `${bucketArn}/${rankingFolder}*`;
  const put = (resource: string) =>
    new PolicyStatement({
      actions: ['s3:PutObject'],
      resources: [resource],
      conditions: { Null: { 's3:if-none-match': 'false' } },
    });
  const statements: Readonly<Record<FileAction, () => PolicyStatement>> = {
    delete: () => new PolicyStatement({ actions: ['s3:DeleteObject'], resources: [files] }),
    // Irreversible: S3 keeps nothing of a deleted version.
    'delete-versions': () => new PolicyStatement({ actions: ['s3:DeleteObjectVersion'], resources: [files] }),
    get: () => new PolicyStatement({ actions: ['s3:GetObject'], resources: [files] }),
    'get-ranking': () => new PolicyStatement({ actions: ['s3:GetObject'], resources: [rankings] }),
    list: () =>
      new PolicyStatement({
        actions: ['s3:ListBucket'],
        resources: [bucketArn],
        // `IfExists`, because a download names no prefix. Without this permission, S3 responds with 403 for a missing
        // file: https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
        conditions: { StringLikeIfExists: { 's3:prefix': `${clickFolder}*` } },
      }),
    'list-versions': () =>
      new PolicyStatement({
        actions: ['s3:ListBucketVersions'],
        resources: [bucketArn],
        conditions: { StringLike: { 's3:prefix': `${clickFolder}*` } },
      }),
    put: () => put(files),
    'put-ranking': () => put(rankings),
  };
  return actions.map((action) => statements[action]());
}
