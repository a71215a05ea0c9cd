import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { localServiceOf, pointStoreAt } from '../../bin/shared/target.ts';
import { randomBase62 } from '../../lambdas/core/base62.ts';
import { newClickId } from '../../lambdas/core/ids.ts';
import { permissions } from '../../lambdas/core/key/permissions.ts';
import { startEngine } from '../../local/database/engine.ts';
import type { Engine } from '../../local/database/engine-types.ts';
import { loadTemplate } from '../../local/template/template.ts';
import { type FaultProxy, type Passage, startFaultProxy } from '../support/faults/proxy.ts';
import { patience } from '../support/run/patience.ts';
import { sized, someOf } from '../support/run/proof.ts';
import { temporaryFolder } from '../support/run/temporary-folder.ts';
import { run } from '../support/service/local-processes.ts';

// The service is killed while it works, and its clients retry their requests with the next process.

let engine: Engine;
let proxy: FaultProxy;
beforeAll(async () => {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'links-killed-'));
  engine = await startEngine({ folder, scratch: true, log: console.error, onFailure: console.error });
  proxy = await startFaultProxy(engine.endpoint);
});
afterAll(async () => {
  await proxy?.stop();
  await engine?.stop();
});

/** Starts the service in its own process, on a database engine that outlives it. */
async function startProcess() {
  const { output, kill, ended } = run(
    join(import.meta.dirname, '../support/service/local-host.ts'),
    [inject('service').outdir, temporaryFolder()],
    { DYNAMODB_ENDPOINT: proxy.endpoint },
  );
  const [line = ''] = await output(/^\{.*\}$/m);
  const { baseUrl } = JSON.parse(line) as { baseUrl: string };
  pointStoreAt(localServiceOf({ endpoint: engine.endpoint, output: loadTemplate(inject('service').outdir).output }));
  return { baseUrl, ended, kill: () => kill('SIGKILL') };
}

async function newWorkspace() {
  const { createWorkspace } = await import('../../lambdas/store/workspaces/workspaces.ts');
  const { createApiKey } = await import('../../lambdas/store/api-keys/api-keys.ts');
  const { addDomain } = await import('../../lambdas/store/domains/ownership.ts');
  const workspace = await createWorkspace('Workspace', async () => 'gateway');
  const domain = `${workspace.id.slice(3).toLowerCase()}.example.com`;
  await addDomain(workspace.id, domain, 'ACTIVE');
  const { key } = await createApiKey(workspace, { name: null, permissions });
  return { workspaceId: workspace.id, domain, key };
}

type Sent = { readonly method: string; readonly path: string; readonly key: string; readonly body: unknown };

type Body = { created: number; links: { id: string }[]; link: { tags: { id: string }[] } };

const send = (baseUrl: string, { method, path, key, body }: Sent) =>
  fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'key' },
    body: JSON.stringify(body),
  });

/** Sends a request, kills the service after this many store calls, and sends the request again to a new one. */
async function sendThroughDeath(service: Awaited<ReturnType<typeof startProcess>>, sent: Sent, calls: number, last: Passage) {
  proxy.plan([...Array<Passage>(calls).fill('pass'), last], service.kill);
  await expect(send(service.baseUrl, sent)).rejects.toThrow();
  await service.ended;
  proxy.plan([]);
  const next = await startProcess();
  const response = await send(next.baseUrl, sent);
  return { next, status: response.status, body: (await response.json()) as Body };
}

/** The number of a call that the function always makes: after the authorizer, the limit and the record. */
const anyCall = fc.integer({ min: 7, max: 42 });

/** Whether the last call before the death is executed. */
const lastCalls = ['lost-before', 'lost-after'] as const;

test('An import of 1,000 links that is killed at any of its calls has each link once after a retry.', async () => {
  let service = await startProcess();
  for (const last of someOf(lastCalls, 'import')) {
    const [calls = 0] = fc.sample(anyCall, 1);
    const { workspaceId, domain, key } = await newWorkspace();
    const links = Array.from({ length: 1_000 }, (_, index) => ({ url: `https://example.org/${index}` }));
    const sent = { method: 'POST', path: '/links/bulk', key, body: { domain, links } };
    const { next, status, body } = await sendThroughDeath(service, sent, calls, last);
    expect([status, body.created], `killed at call ${calls}`).toEqual([200, 1_000]);
    const { query } = await import('../../lambdas/store/table/reads.ts');
    const listed = await Array.fromAsync(query({ gsi1pk: `WORKSPACE#${workspaceId}#LINKS` }));
    expect(listed).toHaveLength(1_000);
    service = next;
  }
});

test('A change of tags that is killed at its transaction is completed by a retry, and counted once.', async () => {
  let service = await startProcess();
  for (const last of someOf(lastCalls, 'retag')) {
    const { workspaceId, domain, key } = await newWorkspace();
    const created = await send(service.baseUrl, {
      method: 'POST',
      path: '/links/bulk',
      key,
      body: { domain, links: [{ url: 'https://example.org' }] },
    });
    const { links } = (await created.json()) as Body;
    const { createTag, getTag } = await import('../../lambdas/store/tags/tags.ts');
    const tag = await createTag(workspaceId, { name: 'Tag', color: '#000000' });
    const sent = { method: 'PATCH', path: `/links/${links[0]?.id}`, key, body: { tagIds: [tag.id] } };
    // Before that, the link and its tags are read.
    const { next, status, body } = await sendThroughDeath(service, sent, 2, last);
    expect([status, body.link.tags.map(({ id }) => id)]).toEqual([200, [tag.id]]);
    expect((await getTag(workspaceId, tag.id))?.linkCount).toBe(1);
    service = next;
  }
});

test('Each click is counted once, however often the service is killed at a write and reads the whole stream again.', async () => {
  const { clickKey, countKey } = await import('../../lambdas/store/table/keys.ts');
  const { insertItems } = await import('../../lambdas/store/table/writes.ts');
  const { chunks, getItem } = await import('../../lambdas/store/table/reads.ts');
  const linkIds = Array.from({ length: 4 }, () => `lnk_${randomBase62(28)}`);
  const [last = '', ...others] = linkIds;
  const click = (linkId: string) => ({
    ...clickKey({ id: newClickId(), linkId, at: new Date().toISOString() }),
    workspaceId: 'ws_killed',
    host: 'go.example.com',
  });
  const insert = async (clicked: readonly string[]) => {
    for (const some of chunks(clicked.map(click), 25)) await insertItems(some);
  };
  const counts = () => Promise.all(linkIds.map(async (id) => Number((await getItem(countKey(id)))?.count ?? 0)));

  let service = await startProcess();
  const deaths = sized(2, 20);
  // Each process begins with the first click, and makes more writes than this, however clicks are batched.
  for (const [made, writes] of fc.sample(fc.nat({ max: 5 }), deaths).entries()) {
    const death = made % 2 === 0 ? 'lost-after' : 'lost-before';
    proxy.plan([...Array<Passage>(writes).fill('pass'), death], () => service.kill());
    await insert(Array.from({ length: 1_500 }, (_, index) => others[index % 3] ?? ''));
    await service.ended;
    proxy.plan([]);
    service = await startProcess();
  }
  // Once the last click is counted, so are all before it.
  await insert([last]);
  const each = (deaths * 1_500) / 3;
  await vi.waitFor(async () => expect((await counts())[0]).toBe(1), { timeout: patience, interval: 100 });
  expect(await counts()).toEqual([1, each, each, each]);
  service.kill();
});
