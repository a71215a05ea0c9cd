import type { AnyRefusal } from './refusals.ts';

/** All that a visitor may read, in one place: a title and a sentence for each refusal. */
export const wording: Readonly<Record<AnyRefusal, readonly [title: string, sentence: string]>> = {
  unknown: ['Link not found', 'There is no such link, or it has been switched off.'],
  pending: ['Not ready yet', 'This domain does not serve its links yet. Please try again later.'],
  no_preview: ['No preview', 'This link shows no preview.'],
  expired: ['Link expired', 'This link was open until a date that has passed.'],
  used_up: ['Link used up', 'This link has been opened as often as it may be.'],
  bots_refused: ['Not for bots', 'This link is for people.'],
  password_required: ['Password needed', 'This link is protected. Please enter its password.'],
  password_wrong: ['Wrong password', 'That is not the password of this link. Please try again.'],
  cross_site_password: [
    'Enter the password here',
    'The password came from another page, so it was not checked. Please enter it here, or open the link in a new tab.',
  ],
  too_many_attempts: [
    'Too many attempts',
    'Too many wrong passwords have been entered. Please wait a few minutes and try again.',
  ],
  prefetch_refused: ['Not loaded ahead', 'This link cannot be loaded ahead of a visit.'],
  method_not_allowed: ['Method not allowed', 'A link is opened with GET.'],
  address_too_long: ['Address too long', 'The address has more parameters than can be passed on.'],
  temporarily_unavailable: ['Please try again', 'The service could not answer just now. Please try again in a moment.'],
  internal_error: ['Something went wrong', 'Something went wrong on our side.'],
};

/** Words beside them. */
export const labels = {
  password: 'Password',
  open: 'Open link',
  goOn: 'Continue',
  goingOn: 'One moment …',
  leadsTo: (host: string) => `This link leads to ${host}`,
  created: (day: string) => `Created on ${day}`,
} as const;
