import * as z from 'zod/mini';
import { parseShortDomain } from '../../core/domain/short-domain.ts';
import { fieldRefused, RuleError } from '../../core/errors.ts';
import { canonicalHost } from '../../core/host/host.ts';
import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { shownStage } from '../../http/shown/domain.ts';
import { setting } from '../../runtime/settings.ts';
import { claimDomain } from '../../store/domains/ownership.ts';
import { fullDomainView } from '../../views/domain.ts';

export const body = z.strictObject({ domain: z.string() });

export const handler = endpoint({ body }, async ({ workspaceId, body: { domain }, event }) => {
  const target = setting('DOMAIN_TARGET');
  // The host name that the client used:
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
  const own = canonicalHost(event.requestContext.domainName ?? '');
  let host: string;
  try {
    host = parseShortDomain(domain, [own], target);
  } catch (error) {
    throw error instanceof RuleError ? fieldRefused('/domain', error) : error;
  }
  const claim = await claimDomain(workspaceId, host);
  return reply(201, fullDomainView(claim, shownStage()), {
    Location: `${event.requestContext.path}/${host}`,
  });
});
