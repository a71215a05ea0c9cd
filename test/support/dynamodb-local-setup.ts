import type { TestProject } from 'vitest/node';
import { hasJava17, startDynamoDbLocal } from './dynamodb-local.ts';
import { synthesise } from './service-context.ts';

/** The same as `global-setup.ts`, with AWS's own DynamoDB Local for the engine; nothing where there is no Java for it. */
export default async function setup(project: TestProject) {
  if (!hasJava17()) return;
  const { folder, outdir } = synthesise();
  const engine = await startDynamoDbLocal(folder);
  project.provide('service', { endpoint: engine.endpoint, outdir });
  return engine.stop;
}
