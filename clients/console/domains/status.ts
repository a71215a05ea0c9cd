import type { IconName } from '../parts/icon-paths.ts';
import type { Domain, DomainDetails } from '../service/types.ts';

type Words = { readonly icon: IconName; readonly tone: 'good' | 'warning' | 'bad'; readonly word: string };

const words: Readonly<Record<Domain['status'], Words>> = {
  PENDING_OWNERSHIP: { icon: 'clock', tone: 'warning', word: 'Waiting for proof' },
  PENDING_DNS: { icon: 'clock', tone: 'warning', word: 'Waiting for DNS' },
  ACTIVE: { icon: 'check', tone: 'good', word: 'Links work' },
};

type Certificate = NonNullable<Domain['certificate']>;

const certificateWords: Readonly<Record<Certificate['status'], Words>> = {
  PENDING_OWNERSHIP: words.PENDING_OWNERSHIP,
  REQUESTED: { icon: 'clock', tone: 'warning', word: 'Requesting a certificate' },
  PENDING_VALIDATION: words.PENDING_DNS,
  ISSUED: { icon: 'clock', tone: 'warning', word: 'Preparing the domain' },
  PENDING_TRAFFIC: words.PENDING_DNS,
  ACTIVE: words.ACTIVE,
  EXPIRING: { icon: 'alert', tone: 'warning', word: 'Certificate expires' },
  WAITING: { icon: 'clock', tone: 'warning', word: 'Waiting' },
  FAILED: { icon: 'alert', tone: 'bad', word: 'Failed' },
};

/** How far a domain is, in words. */
export const statusOf = ({ status, certificate }: Pick<Domain, 'status' | 'certificate'>): Words =>
  certificate ? certificateWords[certificate.status] : words[status];

const moving: readonly Certificate['status'][] = ['REQUESTED', 'PENDING_VALIDATION', 'ISSUED', 'PENDING_TRAFFIC', 'WAITING'];

/** Whether a domain may come further without anybody here doing anything. */
export const isMoving = ({ certificate }: Pick<Domain, 'certificate'>): boolean =>
  certificate !== null && moving.includes(certificate.status);

/** What the last check saw, in a sentence. */
export function seenText({ seen, wanted }: NonNullable<DomainDetails['lastCheck']>): string {
  if (seen === null) return 'the DNS did not answer';
  if (seen.length === 0) return `no ${wanted.type} was found`;
  return `found ${seen.join(', ')}`;
}
