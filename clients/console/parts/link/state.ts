import type { Link } from '../../service/types.ts';
import type { StatusWords } from '../kit/status-words.ts';
import { count, shortTime } from '../time.ts';

type StateWords = StatusWords & {
  /** Why; empty if the word says it all. */
  readonly reason: string;
};

export const stateNames: Readonly<Record<Link['state'], string>> = {
  active: 'Active',
  inactive: 'Off',
  scheduled: 'Scheduled',
  expired: 'Expired',
  used_up: 'Click limit reached',
  pending: 'Domain not ready',
  disabled: 'Stopped by the operator',
  blocked: 'Blocked',
};

/** What a state means for visitors, and what to do about it. The active state needs no text. */
export const stateMeanings: Readonly<Partial<Record<Link['state'], string>>> = {
  inactive: 'Somebody in this workspace has switched it off. Visitors get “not found” until somebody switches it on.',
  scheduled: 'Visitors get “not found” until it starts. To start it now, remove the start under Schedule and limit.',
  expired: 'It has expired. To let visitors through again, choose a later expiry, or none, under Schedule and limit.',
  used_up: 'It has reached its click limit. To let visitors through again, raise or remove the limit under Schedule and limit.',
  pending: 'Its domain does not work yet. Open it under Domains to see what is missing.',
  disabled:
    'The operator of this service has stopped it, for example after a report of abuse. Only the operator can change that.',
  blocked:
    'The operator of this service has blocked the host of its destination. With another destination, the link works again.',
};

const whyNotNow: Readonly<Partial<Record<Link['state'], string>>> = {
  inactive: 'the link is switched off',
  scheduled: 'the link has not started yet',
  expired: 'the link has expired',
  used_up: 'the link has reached its click limit',
  pending: 'its domain does not work yet',
  disabled: 'the operator has stopped the link',
  blocked: 'the operator has blocked its destination',
};

/** A warning for people who save a link's QR code; undefined if the code leads to the destination. */
export function scanWarning({ state }: Pick<Link, 'state'>): string | undefined {
  const why = whyNotNow[state];
  return why && `Scanning the code does not lead to the destination now: ${why}.`;
}

/** Whether visitors get through, and why not, as a list shows it. */
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
      return { icon: 'clock', tone: 'warning', word, reason: '' };
    case 'disabled':
      return { icon: 'stop', tone: 'bad', word, reason: '' };
    case 'blocked':
      return { icon: 'stop', tone: 'bad', word, reason: 'its destination' };
    default:
      return { icon: 'alert', tone: 'quiet', word, reason: '' };
  }
}
