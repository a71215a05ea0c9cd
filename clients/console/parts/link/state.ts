import type { Link } from '../../service/types.ts';
import type { IconName } from '../icon-paths.ts';
import { count, shortTime } from '../time.ts';

type StateWords = {
  readonly icon: IconName;
  readonly tone: 'good' | 'warning' | 'bad' | 'quiet';
  readonly word: string;
  /** Why; empty if the word says it all. */
  readonly reason: string;
};

export const stateNames: Readonly<Record<Link['state'], string>> = {
  active: 'Active',
  inactive: 'Switched off',
  scheduled: 'Scheduled',
  expired: 'Expired',
  used_up: 'Used up',
  pending: 'Waiting',
  disabled: 'Disabled',
  blocked: 'Blocked',
};

/** How a list says whether visitors get through, and why not. */
export function stateOf(link: Pick<Link, 'state' | 'startsAt' | 'expiresAt' | 'maxClicks'>, now?: number): StateWords {
  const word = stateNames[link.state] ?? link.state;
  switch (link.state) {
    case 'active':
      return { icon: 'check', tone: 'good', word, reason: '' };
    case 'inactive':
      return { icon: 'off', tone: 'quiet', word, reason: '' };
    case 'scheduled':
      return { icon: 'clock', tone: 'warning', word, reason: link.startsAt ? `starts ${shortTime(link.startsAt, now)}` : '' };
    case 'expired':
      return { icon: 'clock', tone: 'warning', word, reason: link.expiresAt ? shortTime(link.expiresAt, now) : '' };
    case 'used_up':
      return {
        icon: 'stop',
        tone: 'warning',
        word,
        reason: link.maxClicks ? `${count(link.maxClicks)} of ${count(link.maxClicks)}` : '',
      };
    case 'pending':
      return { icon: 'clock', tone: 'warning', word, reason: 'for the domain' };
    case 'disabled':
      return { icon: 'stop', tone: 'bad', word, reason: 'by the operator' };
    case 'blocked':
      return { icon: 'stop', tone: 'bad', word, reason: 'destination' };
    default:
      return { icon: 'alert', tone: 'quiet', word, reason: '' };
  }
}
