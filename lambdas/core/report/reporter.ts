import { createHmac } from 'node:crypto';
import { toBase62 } from '../base62.ts';
import type { Domain } from '../domain/domain.ts';
import { networkOfOne } from '../host/ip-address.ts';

/**
 * The name under which reports from an IP address are counted, so that the address is not stored. The hash is keyed
 * with the id of the domain whose page is used. That id is random and only in the table, so nobody else can find the
 * address by trying all of them.
 *
 * @param sourceIp as the gateway saw it.
 */
export function reporterName({ domainId }: Pick<Domain, 'domainId'>, sourceIp: string): string {
  const hash = createHmac('sha256', domainId)
    .update(`report/${networkOfOne(sourceIp)}`)
    .digest('hex');
  return toBase62(hash.slice(0, 32), 22);
}
