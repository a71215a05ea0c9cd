import { Resolver } from 'node:dns/promises';
import { type Check, checkOwnership, checkTarget, ownershipRecord, type Seen, targetRecord } from '../core/domain/domain.ts';
import { optionalSetting } from '../runtime/settings.ts';

/** The time for all queries of a check, in milliseconds. */
const lookUpBudget = 5_000;

/** DNS servers to use instead of the system's, as on a laptop: `host:port`, separated by commas. */
const servers = () => optionalSetting('DNS_SERVERS')?.split(',').filter(Boolean);

/** Runs `work` with a resolver, and cancels its queries when the time for a check is over. */
async function withResolver<T>(work: (resolver: Resolver) => Promise<T>): Promise<T> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  const own = servers();
  if (own?.length) resolver.setServers(own);
  const timer = setTimeout(() => resolver.cancel(), lookUpBudget);
  try {
    return await work(resolver);
  } finally {
    clearTimeout(timer);
  }
}

/** The name does not exist, or has no such record: https://nodejs.org/api/dns.html#error-codes */
const nothing = new Set(['ENOTFOUND', 'ENODATA']);

/** The values of a response, or its error code. Never throws. */
async function seen(answer: Promise<readonly string[]>): Promise<Seen> {
  try {
    return { values: await answer };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'EUNKNOWN';
    return nothing.has(code) ? { values: [] } : { failure: code };
  }
}

/**
 * Checks whether a domain's TXT record proves its ownership. Resolvers follow CNAMEs silently, so the CNAME is queried
 * separately.
 */
export const lookUpOwnership = (host: string, token: string): Promise<Check> =>
  withResolver(async (resolver) => {
    const record = ownershipRecord(host, token);
    const [alias, texts] = await Promise.all([
      seen(resolver.resolveCname(record.name)),
      seen(resolver.resolveTxt(record.name).then((records) => records.map((parts) => parts.join('')))),
    ]);
    return checkOwnership(record, alias, texts);
  });

/** Checks whether a domain points at the target. */
export const lookUpTarget = (host: string, target: string): Promise<Check> =>
  withResolver(async (resolver) => {
    const addressesOf = async (name: string): Promise<Seen> => {
      const [v4, v6] = await Promise.all([seen(resolver.resolve4(name)), seen(resolver.resolve6(name))]);
      const values = [v4, v6].flatMap((one) => ('values' in one ? one.values : []));
      return values.length === 0 && 'failure' in v4 ? v4 : { values };
    };
    const [cname, addresses, ofTarget] = await Promise.all([
      seen(resolver.resolveCname(host)),
      addressesOf(host),
      addressesOf(target),
    ]);
    return checkTarget(targetRecord(host, target), cname, addresses, ofTarget);
  });
