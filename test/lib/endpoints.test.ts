import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { localServiceOf, pointStoreAt } from '../../bin/shared/target.ts';
import { routes } from '../../lib/endpoints.ts';
import { startService } from '../../local/service.ts';
import { synthesise } from '../../local/template/synth.ts';

/** The names of the files that match, without the ending. */
const namesOf = (pattern: string, ending: string) => globSync(pattern).map((file) => basename(file, ending));
const names = routes.map(({ name }) => name);

test('Every endpoint has a file of its name in lambdas/endpoints, and no other file is there.', () => {
  expect(namesOf('lambdas/endpoints/**/*.ts', '.ts').sort()).toEqual(names.toSorted());
});

test('Every endpoint has a test file of its name in test/lambdas/endpoints.', () => {
  expect(namesOf('test/lambdas/endpoints/**/*.test.ts', '.test.ts')).toEqual(expect.arrayContaining(names));
});

test('An endpoint that sends requests to other servers has a throttle of its own, or counts towards the limit on look-ups.', () => {
  const unlimited = globSync('lambdas/{endpoints,links}/**/*.ts').filter((file) => {
    const source = readFileSync(file, 'utf8');
    const route = routes.find(({ name }) => name === basename(file, '.ts'));
    return /from '.*\/outbound\//.test(source) && !source.includes('takeLookUps(') && route?.throttled === undefined;
  });
  expect(unlimited).toEqual([]);
});

test('A new endpoint needs only a row in the table of routes and a file of its name.', async () => {
  const project = mkdtempSync(join(tmpdir(), 'links-copy-'));
  for (const part of ['bin', 'clients', 'lib', 'lambdas', 'cdk.json', 'openapi.json', 'package.json'])
    cpSync(part, join(project, part), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(project, 'node_modules'));

  const table = join(project, 'lib/endpoints.ts');
  const row = `{ name: 'greet', method: 'GET', path: '/api/v1/greetings/{id}', permission: 'links:read', environment: [], tableActions: {} },`;
  writeFileSync(
    table,
    readFileSync(table, 'utf8').replace('routes: readonly Route[] = [', (start) => `${start}\n${row}`),
  );
  mkdirSync(join(project, 'lambdas/endpoints/greetings'));
  writeFileSync(
    join(project, 'lambdas/endpoints/greetings/greet.ts'),
    `import { endpoint } from '../../http/endpoint.ts';
     import { reply } from '../../http/reply.ts';
     export const handler = endpoint({}, async ({ workspaceId, id }) => reply(200, { hello: id, workspaceId }));`,
  );

  const service = await startService({
    outdir: await synthesise(project, project, {}),
    inMemory: true,
    log: () => {},
  });
  try {
    pointStoreAt(localServiceOf(service));
    const { createWorkspace } = await import('../../lambdas/store/workspaces/workspaces.ts');
    const { createApiKey } = await import('../../lambdas/store/api-keys/api-keys.ts');
    const workspace = await createWorkspace('Copy', async () => 'gateway');
    const { key } = await createApiKey(workspace, { name: null, permissions: ['links:read'] });
    const greet = (bearer: string) =>
      fetch(`${service.baseUrl}/api/v1/greetings/world`, { headers: { Authorization: `Bearer ${bearer}` } });
    expect(await (await greet(key)).json()).toEqual({ hello: 'world', workspaceId: workspace.id });
    expect((await greet('nobody')).status).toBe(401);
    const { key: other } = await createApiKey(workspace, { name: null, permissions: ['tags:read'] });
    expect((await greet(other)).status).toBe(403);
  } finally {
    await service.stop();
    rmSync(project, { recursive: true, force: true });
  }
});
