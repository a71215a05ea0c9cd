import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { newContext } from './service-context.ts';

/** One service for all tests of the project. They only send requests to it, or call the store on its tables. */
export default async function setup(project: TestProject) {
  const { folder, outdir } = newContext();
  const host = fork(join(import.meta.dirname, 'shared-service.ts'), [outdir, folder]);
  const ended = once(host, 'exit');
  const failed = ended.then(() => Promise.reject(new Error('the service that the tests share has not started')));
  const [{ baseUrl, endpoint, logFile }] = await Promise.race([once(host, 'message'), failed]);
  project.provide('service', { endpoint, outdir, shared: { baseUrl, logFile } });
  return async () => {
    if (host.connected) host.disconnect();
    await ended;
  };
}
