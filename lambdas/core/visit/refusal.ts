/** Why the decision on a link refuses a visitor. */
export type LinkRefusal =
  | 'unknown'
  | 'pending'
  | 'not_yet'
  | 'no_preview'
  | 'expired'
  | 'used_up'
  | 'bots_refused'
  | 'password_required'
  | 'prefetch_refused'
  | 'cross_site_confirmation'
  | 'address_too_long';

/** Why a visitor is refused: by the decision on a link, because of the password, or regardless of the link. */
export type Refusal =
  | LinkRefusal
  | 'password_wrong'
  | 'cross_site_password'
  | 'too_many_attempts'
  | 'method_not_allowed'
  | 'temporarily_unavailable'
  | 'internal_error';
