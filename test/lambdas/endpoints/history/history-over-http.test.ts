import { expect, test } from 'vitest';
import { actions } from '../../../../lambdas/core/history/history.ts';
import { useService } from '../../../support/service/service.ts';

test('Each kind of change of links, tags, templates, domains and keys over HTTP is in the history a moment later.', async () => {
  const service = await useService();
  const { call, domain, newTag } = await service.newWorkspace();
  const { link } = (await call('POST', '/links', { domain, url: 'https://example.org/' })).body;
  const tag = await newTag('Old');
  const template = (await call('POST', '/templates', { name: 'Old' })).body.id;
  const key = (await call('POST', '/keys', { name: 'Old', permissions: ['links:read'] })).body.id;
  await call('PATCH', `/links/${link.id}`, { title: 'New' });
  await call('DELETE', `/links/${link.id}/clicks`);
  await call('PATCH', `/tags/${tag}`, { name: 'New' });
  await call('PATCH', `/templates/${template}`, { name: 'New' });
  await call('PATCH', `/domains/${domain}`, { publicQr: true });
  await call('PATCH', `/keys/${key}`, { name: 'New' });
  for (const path of [`links/${link.id}`, `tags/${tag}`, `templates/${template}`, `domains/${domain}`, `keys/${key}`])
    await call('DELETE', `/${path}`);
  const recorded = async () => {
    const { entries } = (await call('GET', '/history')).body;
    return [...new Set(entries.map(({ action }: { action: string }) => action))].sort();
  };
  // Lists show creations of links. Members need a provider.
  const expected = actions.filter((action) => action !== 'link.created' && !action.startsWith('member.'));
  await expect.poll(recorded).toEqual(expected.toSorted());
});
