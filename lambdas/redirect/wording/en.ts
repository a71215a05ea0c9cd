import type { Wording } from './wording.ts';

/** English, which programs get too. */
export const en: Wording = {
  refusals: {
    unknown: ['Link not found', 'This link does not exist, or it has been disabled.'],
    pending: ['Not ready yet', 'Links on this domain do not work yet. Please try again later.'],
    not_yet: ['Not available yet', 'This link does not work yet. Please try again later.'],
    no_preview: ['No preview', 'This link has no preview.'],
    expired: ['Link expired', 'This link has expired.'],
    used_up: ['Click limit reached', 'This link has reached its click limit.'],
    bots_refused: ['Bots not allowed', 'Bots cannot open this link.'],
    password_required: ['Password required', 'This link is protected. Please enter its password.'],
    password_wrong: ['Wrong password', 'This password is incorrect. Please try again.'],
    cross_site_password: [
      'Enter the password here',
      'The password was sent from another website, so it was not checked. Please enter it here, or open the link in a new tab.',
    ],
    too_many_attempts: [
      'Too many attempts',
      'Too many wrong passwords have been entered. Please wait a few minutes and try again.',
    ],
    prefetch_refused: ['Prefetch not allowed', 'This link cannot be prefetched.'],
    cross_site_confirmation: [
      'Open the link here',
      'The confirmation was sent from another website. Please confirm here that you want to open the link.',
    ],
    method_not_allowed: ['Method not allowed', 'Use GET to open a link.'],
    address_too_long: ['Address too long', 'The address is too long to pass on.'],
    temporarily_unavailable: ['Temporarily unavailable', 'The service is temporarily unavailable. Please try again in a moment.'],
    internal_error: ['Something went wrong', 'Something went wrong on our side.'],
  },
  labels: {
    password: 'Password',
    open: 'Open link',
    confirm: ['Open this link?', 'Please confirm that you want to open this link.'],
    goOn: 'Continue',
    goingOn: 'Redirecting …',
    leadsTo: (host) => `This link leads to ${host}`,
    created: (day) => `Created on ${day}`,
    report: 'Report this link',
  },
};
