import { orNotFound } from '../../core/errors.ts';
import { domainOf } from '../../http/domain-parameter.ts';
import { endpoint } from '../../http/endpoint.ts';
import { readIfMatch } from '../../http/entity-tag.ts';
import { reply } from '../../http/reply.ts';
import { showDomain } from '../../http/shown/domain.ts';
import { deleteDomain } from '../../store/domains/deletion.ts';
import { findDomain } from '../../store/domains/domains.ts';

export const handler = endpoint({}, async ({ workspaceId, event }) => {
  const host = domainOf(event);
  const read = async () => orNotFound(await findDomain(workspaceId, host), 'domain');
  const shown = await readIfMatch(event, read, showDomain);
  await deleteDomain(workspaceId, host, shown);
  return reply(204);
});
