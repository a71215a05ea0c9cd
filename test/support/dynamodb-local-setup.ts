import type { TestProject } from 'vitest/node';
import { hasJava17, startDynamoDbLocal } from './dynamodb-local.ts';
import { newContext } from './service-context.ts';

/** The same as `global-setup.ts`, but with AWS's DynamoDB Local as the engine. No-op if there is no Java 17. */
export default async function setup(project: TestProject) {
  if (!hasJava17()) return;
  const { folder, outdir } = newContext();
  const engine = await startDynamoDbLocal(folder);
  project.provide('service', { endpoint: engine.endpoint, outdir });
  return engine.stop;
}
