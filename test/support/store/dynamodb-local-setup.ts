import type { TestProject } from 'vitest/node';
import { findJava, startDynamoDbLocal } from '../../../local/database/dynamodb-local.ts';
import { newContext } from '../service/service-context.ts';

/** The same as `global-setup.ts`, but with AWS's DynamoDB Local as the engine. No-op if there is no Java 17. */
export default async function setup(project: TestProject) {
  const java = findJava();
  if (!java) return;
  const { folder, outdir } = newContext();
  const onFailure = (error: Error) => console.error(error.message);
  const engine = await startDynamoDbLocal(java, { folder, scratch: true, log: console.error, onFailure });
  project.provide('service', { endpoint: engine.endpoint, outdir });
  return engine.stop;
}
