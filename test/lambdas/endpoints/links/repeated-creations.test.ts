import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { intercept } from '../../../../lambdas/store/table/interceptors.ts';
import type { Key } from '../../../../lambdas/store/table/keys.ts';
import type { Input } from '../../../../lambdas/store/table/operations.ts';
import { type Attempt, type Fault, underFaults } from '../../../support/faults/faults.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
});
beforeEach(async () => {
  workspace = await store.newWorkspace();
});

const url = 'https://example.org/';
const headers = { 'Idempotency-Key': 'key' };

const createLink = (body: object) =>
  callEndpoint('create-link', { workspaceId: workspace.workspaceId, headers, body: { domain: workspace.domain.host, ...body } });

const importLinks = (links: readonly object[], more: { headers?: Record<string, string>; budget?: number } = { headers }) =>
  callEndpoint('bulk-create-links', {
    workspaceId: workspace.workspaceId,
    body: { domain: workspace.domain.host, links },
    ...more,
  });

const recordOf = async () => {
  const records = store.query({ pk: `WORKSPACE#${workspace.workspaceId}`, skPrefix: 'REQUEST#' });
  const [record] = await Array.fromAsync(records);
  return record as Key & Record<string, unknown>;
};

/** Lets a function die after it has written links, before it records the results, and its lease expires. */
async function dyingBeforeItsResult(work: () => Promise<{ status: number }>): Promise<void> {
  let hasBegun = false;
  const dies = ({ command }: Attempt): Fault | undefined => {
    hasBegun ||= command === 'PutItem';
    return hasBegun && command === 'UpdateItem' ? 'dead-before' : undefined;
  };
  expect((await underFaults(dies, work)).result.status).toBe(500);
  await store.updateItem(await recordOf(), { text: 'SET #leaseUntil = :past', values: { ':past': 1 } });
}

const idsInTheTable = async () => {
  const entries = await Array.fromAsync(store.query({ gsi1pk: `WORKSPACE#${workspace.workspaceId}#LINKS` }));
  return entries.map(({ gsi1sk }) => String(gsi1sk).split('#')[1]).sort();
};

const deleteLink = (id: string) => callEndpoint('delete-link', { workspaceId: workspace.workspaceId, id });

describe('An import that is retried after its function died', () => {
  test('A link that was deleted meanwhile is not created again, and fails as deleted.', async () => {
    const links = [{ url, customSlug: 'kept' }, { url, customSlug: 'deleted' }, { url }, { url }];
    await dyingBeforeItsResult(() => importLinks(links));
    const ids = await idsInTheTable();
    expect(ids).toHaveLength(4);
    const deleted = await store.getLinkAt(workspace.domain.domainId, 'deleted');
    await deleteLink(deleted?.id ?? '');

    const { status, body } = await importLinks(links);
    expect(status).toBe(200);
    expect(body.failed).toEqual([
      expect.objectContaining({
        index: 1,
        customSlug: 'deleted',
        code: 'link_deleted',
        message: expect.stringMatching(/deleted/),
      }),
    ]);
    expect(body.links.map(({ id }: { id: string }) => id).sort()).toEqual(ids.filter((id) => id !== deleted?.id));
    expect(await idsInTheTable()).toEqual(ids.filter((id) => id !== deleted?.id));
    // And once more, from the record.
    expect((await importLinks(links)).body).toEqual(body);
  });

  test('The generated slug of a deleted link is not used again, not even by the retried import.', async () => {
    const links = [{ url }];
    await dyingBeforeItsResult(() => importLinks(links));
    const [id = ''] = await idsInTheTable();
    await deleteLink(id);
    expect((await importLinks(links)).body).toMatchObject({ created: 0, failed: [{ code: 'link_deleted' }] });
    expect(await idsInTheTable()).toEqual([]);
  });

  test('The import is refused if the domain was deleted and added again in between.', async () => {
    const links = [{ url, customSlug: 'one' }];
    await dyingBeforeItsResult(() => importLinks(links));
    const [id = ''] = await idsInTheTable();
    await deleteLink(id);
    const { host } = workspace.domain;
    await store.deleteDomain(workspace.workspaceId, host);
    await store.addDomain(workspace.workspaceId, host, 'ACTIVE');
    expect((await store.getDomain(host))?.domainId).not.toBe(workspace.domain.domainId);
    expect(await importLinks(links)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused', detail: expect.stringMatching(/domain/) },
    });
    expect(await idsInTheTable()).toEqual([]);
  });

  test("The import's record is kept for at least an hour after the retry, even in its 24th hour.", async () => {
    await dyingBeforeItsResult(() => importLinks([{ url }]));
    const soon = Date.now() + 2_000;
    await store.updateItem(await recordOf(), {
      text: 'SET #expiresAt = :soon, #ttl = :ttl',
      values: { ':soon': soon, ':ttl': Math.ceil(soon / 1_000) },
    });
    await importLinks([{ url }]);
    const { expiresAt, ttl } = await recordOf();
    expect(Number(expiresAt) - soon).toBeGreaterThan(3_500_000);
    expect(ttl).toBe(Math.ceil(Number(expiresAt) / 1_000));
  });
});

describe('A function that stalls at its insert and continues after another has taken over', () => {
  test('The stalled function does not recreate deleted links, and gives the same response as the other one.', async () => {
    const links = [{ url, customSlug: 'a' }, { url }];
    const stalled = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const first = underFaults(
      () => undefined,
      () => importLinks(links),
    );
    let isFirst = true;
    const stop = intercept(async (operation, input, next) => {
      if (operation === 'BatchExecuteStatement' && isFirst) {
        isFirst = false;
        reached.resolve();
        await stalled.promise;
      }
      return next(input);
    });
    await reached.promise;
    await store.updateItem(await recordOf(), { text: 'SET #leaseUntil = :past', values: { ':past': 1 } });
    const second = await importLinks(links);
    expect(second.body).toMatchObject({ created: 2, failed: [] });
    for (const id of await idsInTheTable()) await deleteLink(id ?? '');
    stalled.resolve();
    expect((await first).result.body).toEqual(second.body);
    expect(await idsInTheTable()).toEqual([]);
    stop();
  });
});

describe('An import without a key that runs out of time', () => {
  test('A link is reported as failed only if none of its writes can succeed any more.', async () => {
    const { BatchExecuteStatement, send } = await import('../../../../lambdas/store/table/dynamodb.ts');
    // Each insert times out, and reaches the table only after the import's response.
    const late: Input<'BatchExecuteStatement'>[] = [];
    const stop = intercept(async (operation, input, next) => {
      if (operation !== 'BatchExecuteStatement') return next(input);
      late.push(input as Input<'BatchExecuteStatement'>);
      throw Object.assign(new Error('too late'), { name: 'TimeoutError' });
    });
    const links = [{ url, customSlug: 'a' }, { url }, { url }];
    const { status, body } = await importLinks(links, { budget: 3_000 });
    stop();
    expect([status, body.created, body.failed.length]).toEqual([200, 0, 3]);
    expect(late.length).toBeGreaterThan(0);
    for (const input of late) await send(BatchExecuteStatement, input, { timeLeft: 20_000 });
    expect(await idsInTheTable()).toEqual([]);
    // The failed ones can be sent again.
    expect((await importLinks(links, {})).body).toMatchObject({ created: 3, failed: [] });
    for (const input of late) await send(BatchExecuteStatement, input, { timeLeft: 20_000 });
    expect(await idsInTheTable()).toHaveLength(3);
  });

  test('The response says that links may have been created if the function cannot rule that out.', async () => {
    const down = ({ command }: Attempt): Fault | undefined =>
      ['BatchExecuteStatement', 'PutItem'].includes(command) ? 'lost-before' : undefined;
    const { result } = await underFaults(down, () => importLinks([{ url }], { budget: 2_000 }));
    expect(result).toMatchObject({ status: 503, body: { detail: expect.stringMatching(/may have created/) } });
  });
});

describe('A repeated POST /links', () => {
  const found = async (body: object, change: () => Promise<unknown>) => {
    await dyingBeforeItsResult(() => createLink(body));
    const [id] = await idsInTheTable();
    await change();
    const { status, body: response } = await createLink(body);
    expect([status, response.link?.id]).toEqual([201, id]);
    expect(await idsInTheTable()).toEqual([id]);
    return response.link;
  };

  test('The link is found even if its tag has been deleted.', async () => {
    const tag = await store.createTag(workspace.workspaceId, { name: 'T', color: '#123456' });
    const link = await found({ url, tagIds: [tag.id] }, () => store.deleteTag(workspace.workspaceId, tag.id));
    expect(link.tags).toEqual([]);
  });

  test('The link is found even if its destination has been blocked.', async () => {
    await found({ url: 'https://blocked.example.net/' }, () => store.blockHost('blocked.example.net'));
  });

  test('The link is returned as it is now if it was changed meanwhile.', async () => {
    const body = { url, customSlug: 'slug', title: 'Before' };
    const link = await found(body, async () => {
      const { id = '' } = (await store.getLinkAt(workspace.domain.domainId, 'slug')) ?? {};
      await callEndpoint('update-link', { workspaceId: workspace.workspaceId, id, body: { title: 'After' } });
    });
    expect(link.title).toBe('After');
  });

  test('A deleted link is reported as deleted, and not created again.', async () => {
    await dyingBeforeItsResult(() => createLink({ url }));
    const [id = ''] = await idsInTheTable();
    await deleteLink(id);
    for (let times = 0; times < 2; times++) {
      expect(await createLink({ url })).toMatchObject({ status: 409, body: { code: 'link_deleted' } });
    }
    expect(await idsInTheTable()).toEqual([]);
  });
});
