import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newOwner } from '../../../support/things/members.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

describe('GET /members', () => {
  test('Members are listed newest first, a page at a time, without removed ones and without secrets.', async () => {
    const { invite, list, remove, owner } = await newOwner(store);
    const ids: string[] = [];
    for (let number = 0; number < 4; number++) {
      const body = { email: `m${number}@example.com`, role: 'viewer' };
      ids.unshift((await invite({ body, receivedAt: Date.now() + 1_000 * (number + 1) })).body.id);
    }
    await remove({ id: ids[0] as string });
    const first = (await list({ query: { limit: '2' } })).body;
    const rest = (await list({ query: { limit: '2', cursor: first.nextCursor } })).body;
    expect([...first.members, ...rest.members].map(({ id }: { id: string }) => id)).toEqual([...ids.slice(1), owner.id]);
    expect(rest.nextCursor).toBeNull();
    expect(JSON.stringify([first, rest])).not.toMatch(/inv_|nvitationHash|per_/);
    expectProblem(await list({ query: { cursor: 'x' } }), 422, 'validation_failed');
  });
});
