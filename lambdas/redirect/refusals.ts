import type { Refusal } from '../core/visit/refusal.ts';

/** The status of each refusal, and the code of its problem document if that differs from the refusal's name. */
export const refusals: Readonly<Record<Refusal, { readonly status: number; readonly code?: string }>> = {
  unknown: { status: 404, code: 'not_found' },
  pending: { status: 404, code: 'not_found' },
  not_yet: { status: 404, code: 'not_found' },
  no_preview: { status: 404, code: 'not_found' },
  expired: { status: 410, code: 'gone' },
  used_up: { status: 410, code: 'gone' },
  bots_refused: { status: 403 },
  password_required: { status: 401 },
  password_wrong: { status: 401, code: 'password_required' },
  cross_site_password: { status: 401, code: 'password_required' },
  too_many_attempts: { status: 429 },
  prefetch_refused: { status: 503 },
  cross_site_confirmation: { status: 403, code: 'confirmation_required' },
  method_not_allowed: { status: 405 },
  address_too_long: { status: 414 },
  temporarily_unavailable: { status: 503 },
  internal_error: { status: 500 },
};
