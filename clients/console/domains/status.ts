import type { IconName } from '../parts/icon-paths.ts';
import type { DomainDetails } from '../service/types.ts';

type Words = { readonly icon: IconName; readonly tone: 'good' | 'warning'; readonly word: string };

const words: Readonly<Record<DomainDetails['status'], Words>> = {
  PENDING_OWNERSHIP: { icon: 'clock', tone: 'warning', word: 'Waiting for proof' },
  PENDING_DNS: { icon: 'clock', tone: 'warning', word: 'Waiting for DNS' },
  ACTIVE: { icon: 'check', tone: 'good', word: 'Links work' },
};

/** How far a domain is, in words. */
export const statusOf = ({ status }: Pick<DomainDetails, 'status'>): Words => words[status];

/** What the last check saw, in a sentence. */
export function seenText({ seen, wanted }: NonNullable<DomainDetails['lastCheck']>): string {
  if (seen === null) return 'the DNS did not answer';
  if (seen.length === 0) return `no ${wanted.type} was found`;
  return `found ${seen.join(', ')}`;
}
