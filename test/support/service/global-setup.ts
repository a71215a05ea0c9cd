import type { TestProject } from 'vitest/node';
import { startEngine } from '../../../local/database/engine.ts';
import { newContext } from './service-context.ts';

/** One embedded engine for each project, and one synthesised app for the whole run; each test file makes its own table. */
export default async function setup(project: TestProject) {
  const { folder, outdir } = newContext();
  const onFailure = (error: Error) => console.error(error.message);
  const engine = await startEngine({ folder, scratch: true, log: console.error, onFailure });
  project.provide('service', { endpoint: engine.endpoint, outdir });
  return () => engine.stop();
}
