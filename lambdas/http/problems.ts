import type { ErrorCode } from '../core/errors.ts';

/**
 * The status and title of each code of the API. The gateway's own responses (lib/gateway/gateway-responses.ts) are type-checked
 * against it; refusals of visitors are in lambdas/redirect/refusals.ts.
 */
export const problems = {
  bad_request: { status: 400, title: 'Bad request' },
  invalid_json: { status: 400, title: 'Invalid JSON' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not found' },
  not_acceptable: { status: 406, title: 'Not acceptable' },
  slug_taken: { status: 409, title: 'Slug taken' },
  slug_in_use: { status: 409, title: 'Slug in use' },
  alias_limit_reached: { status: 409, title: 'Too many aliases' },
  external_id_taken: { status: 409, title: 'External id taken' },
  domain_mismatch: { status: 409, title: 'Another domain' },
  link_deleted: { status: 409, title: 'Link deleted' },
  tag_name_taken: { status: 409, title: 'Tag name taken' },
  tag_limit_reached: { status: 409, title: 'Too many tags' },
  domain_taken: { status: 409, title: 'Domain taken' },
  domain_in_use: { status: 409, title: 'Domain in use' },
  domain_deletion_in_progress: { status: 409, title: 'Domain is being deleted' },
  domain_limit_reached: { status: 409, title: 'Too many domains' },
  webhook_limit_reached: { status: 409, title: 'Too many webhooks' },
  secret_limit_reached: { status: 409, title: 'Too many secrets' },
  secret_ended: { status: 409, title: 'Secret ended' },
  key_limit_reached: { status: 409, title: 'Too many API keys' },
  key_already_created: { status: 409, title: 'API key already created' },
  key_replaced: { status: 409, title: 'API key replaced' },
  key_ended: { status: 409, title: 'API key ended' },
  idempotency_in_progress: { status: 409, title: 'Request in progress' },
  revert_refused: { status: 409, title: 'Cannot be reverted' },
  precondition_failed: { status: 412, title: 'Precondition failed' },
  request_too_large: { status: 413, title: 'Request too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  validation_failed: { status: 422, title: 'Validation failed' },
  tag_not_found: { status: 422, title: 'Tag not found' },
  webhook_not_found: { status: 422, title: 'Webhook not found' },
  domain_not_verified: { status: 422, title: 'Domain not verified' },
  domain_check_failed: { status: 422, title: 'Domain check failed' },
  answer_too_large: { status: 422, title: 'Response too large' },
  too_much_to_read: { status: 422, title: 'Too much to read' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key reused' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Internal error' },
  temporarily_unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const satisfies Record<ErrorCode, { status: number; title: string }>;

export type ProblemTable = typeof problems;
