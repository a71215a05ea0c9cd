import { beforeAll, expect, test } from 'vitest';
import { expectProblem, type Service, useService } from '../../../support/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});
test('A deletion responds with 204 without a body, and the tag is gone.', async () => {
  const { call, newTag } = await service.newWorkspace();
  const id = await newTag('Gone');
  expect(await call('DELETE', `/tags/${id}`)).toMatchObject({ status: 204, text: '' });
  expectProblem(await call('GET', `/tags/${id}`), 404, 'not_found');
  expectProblem(await call('DELETE', `/tags/${id}`), 404, 'not_found');
  expect((await call('GET', '/tags')).body).toEqual({ tags: [], nextCursor: null });
});

test('A deletion removes the tag from all links at once, and the sweep removes its pairs.', async () => {
  const { call, newTag, importLinks } = await service.newWorkspace();
  const [gone, kept] = [await newTag('Gone'), await newTag('Kept')];
  const { body } = await importLinks(Array.from({ length: 30 }, () => ({ url: 'https://example.org/' })));
  const ids: string[] = body.links.map((link: { id: string }) => link.id);
  await Promise.all(ids.map((id) => call('PATCH', `/links/${id}`, { tagIds: [gone, kept] })));
  expect((await call('GET', `/tags/${gone}`)).body._count).toEqual({ links: 30 });

  await call('DELETE', `/tags/${gone}`);
  const shown = await Promise.all(ids.map((id) => call('PATCH', `/links/${id}`, {})));
  expect(shown.every(({ body }) => body.link.tags.length === 1 && body.link.tags[0].id === kept)).toBe(true);

  const { query } = await import('../../../../lambdas/store/table/reads.ts');
  const left = async () => (await Array.fromAsync(query({ pk: `TAG#${gone}`, skPrefix: '' }))).length;
  await expect.poll(left).toBe(0);
  expect((await call('GET', `/tags/${kept}`)).body._count).toEqual({ links: 30 });
});
