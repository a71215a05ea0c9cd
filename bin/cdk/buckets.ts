import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { type Aws, resourcesIn, stackCalled } from '../shared/stacks.ts';

// A stage's bucket, which CloudFormation deletes only if it is empty.

/** The names of the buckets that a stack has; none if there is no such stack. */
export async function bucketsIn(client: CloudFormationClient, stack: string): Promise<string[]> {
  const resources = await Array.fromAsync(resourcesIn(client, await stackCalled(client, stack)));
  return resources.flatMap(({ ResourceType, PhysicalResourceId: name }) =>
    ResourceType === 'AWS::S3::Bucket' && name ? [name] : [],
  );
}

/**
 * Deletes everything in a bucket, with all versions. Can be repeated.
 *
 * @returns how many objects and versions were deleted.
 * @throws Error with one line for the operator if something remains
 */
export async function emptyBucket(Bucket: string, aws: Aws): Promise<number> {
  const { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } = await import('@aws-sdk/client-s3');
  const s3 = new S3Client({ ...aws, maxAttempts: 10 });
  let deleted = 0;
  for (;;) {
    // The objects of a page are deleted, so the next page is the first again.
    const { Versions = [], DeleteMarkers = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
    const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
    if (Objects.length === 0) return deleted;
    const { Errors = [] } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    const [first] = Errors;
    if (first) throw new Error(`${Bucket} cannot be emptied: ${first.Key}: ${first.Code}`);
    deleted += Objects.length;
  }
}
