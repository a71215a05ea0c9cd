import { ownCertificates } from '../outbound/certificates.ts';
import { allGatewayNames } from '../outbound/domain-names.ts';
import { allCertificates } from '../store/domains/certificates.ts';
import { isManaged } from './next-step.ts';

/** The differences between the domains, the certificates' items and AWS, by hosts. The comparison changes nothing. */
export type Differences = {
  /** Managed domains whose certificate was not begun. */
  readonly missing: readonly string[];
  /** Hosts with something in AWS that was made for a domain that is gone, or that the table doesn't know. */
  readonly unused: readonly string[];
  /** Domains whose custom domain name is missing or has another target. */
  readonly broken: readonly string[];
  /** Where the list of certificates continues; null at its end. */
  readonly next: string | null;
};

/**
 * Compares a page of AWS's certificates with the domains, and on the first page also the names and items.
 *
 * @param after where the previous page ended; undefined for the first one.
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
