import type { StatusWords } from '../parts/kit/status-words.ts';
import type { Domain, DomainDetails } from '../service/types.ts';

const words: Readonly<Record<Domain['status'], StatusWords>> = {
  PENDING_OWNERSHIP: { icon: 'clock', tone: 'warning', word: 'Prove ownership' },
  PENDING_DNS: { icon: 'clock', tone: 'warning', word: 'DNS record missing' },
  ACTIVE: { icon: 'check', tone: 'good', word: 'Active' },
};

type Certificate = NonNullable<Domain['certificate']>;

const certificateWords: Readonly<Record<Certificate['status'], StatusWords>> = {
  PENDING_OWNERSHIP: words.PENDING_OWNERSHIP,
  REQUESTED: { icon: 'clock', tone: 'warning', word: 'Requesting a certificate' },
  PENDING_VALIDATION: words.PENDING_DNS,
  ISSUED: { icon: 'clock', tone: 'warning', word: 'Setting up' },
  PENDING_TRAFFIC: words.PENDING_DNS,
  ACTIVE: words.ACTIVE,
  EXPIRING: { icon: 'alert', tone: 'warning', word: 'Certificate expires soon' },
  WAITING: { icon: 'clock', tone: 'warning', word: 'Waiting' },
  FAILED: { icon: 'alert', tone: 'bad', word: 'Failed' },
};

/** The status of a domain, in words. */
export const statusOf = ({ status, certificate }: Pick<Domain, 'status' | 'certificate'>): StatusWords =>
  certificate ? certificateWords[certificate.status] : words[status];

const moving: readonly Certificate['status'][] = ['REQUESTED', 'PENDING_VALIDATION', 'ISSUED', 'PENDING_TRAFFIC', 'WAITING'];

/** Whether a domain may progress without anybody here. */
export const isMoving = ({ certificate }: Pick<Domain, 'certificate'>): boolean =>
  certificate !== null && moving.includes(certificate.status);

/** What the last check saw, in a sentence. */
export function seenText({ seen, wanted }: NonNullable<DomainDetails['lastCheck']>): string {
  if (seen === null) return 'the DNS did not answer';
  if (seen.length === 0) return `no ${wanted.type} record was found`;
  return `found ${seen.join(', ')}`;
}
