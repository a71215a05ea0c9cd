import { ownCertificates } from '../outbound/certificates.ts';
import { allGatewayNames } from '../outbound/domain-names.ts';
import { allCertificates } from '../store/domains/certificates.ts';
import { isManaged } from './next-step.ts';

/** What differs between the domains, the items and AWS, by hosts. Nothing of it is touched by the comparison. */
export type Differences = {
  /** Domains for which nothing was begun. */
  readonly missing: readonly string[];
  /** What was made for domains that are gone, or is unknown to the table. */
  readonly unused: readonly string[];
  /** Domains that serve by a name that is not as it should be. */
  readonly broken: readonly string[];
  /** Where the list of certificates goes on; null if this was its end. */
  readonly next: string | null;
};

/**
 * Compares a page of the certificates of AWS, and on the first page also names and items, with the domains.
 *
 * @param after where the page before has ended; undefined for the first one.
 */
export async function compare(after: string | undefined): Promise<Differences> {
  const all = await Array.fromAsync(allCertificates());
  const known = new Map(all.map((one) => [one.host, one]));
  const { own, next } = await ownCertificates(after);
  const unused = new Set(own.flatMap(({ host, arn }) => (known.get(host)?.certificate?.certificateArn === arn ? [] : [host])));
  const missing: string[] = [];
  const broken: string[] = [];
  if (after === undefined) {
    const names = new Map((await allGatewayNames()).map((name) => [name.host, name]));
    for (const { host, domain, certificate } of all) {
      if (certificate && domain?.domainId !== certificate.domainId) unused.add(host);
      else if (domain && !certificate && isManaged(domain)) missing.push(host);
      else if (certificate?.target && certificate.target !== names.get(host)?.target) broken.push(host);
    }
    for (const { host, made } of names.values()) {
      if (made && known.get(host)?.certificate?.domainId !== made.domainId) unused.add(host);
    }
  }
  return { missing, unused: [...unused].sort(), broken, next: next ?? null };
}
