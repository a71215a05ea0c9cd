import { expect, test } from 'vitest';
import { problems } from '../../../lambdas/http/problems.ts';

test('Each error code keeps its documented status.', () => {
  expect(Object.fromEntries(Object.entries(problems).map(([code, { status }]) => [code, status]))).toEqual({
    bad_request: 400,
    invalid_json: 400,
    unauthorized: 401,
    forbidden: 403,
    not_found: 404,
    not_acceptable: 406,
    slug_taken: 409,
    slug_in_use: 409,
    alias_limit_reached: 409,
    external_id_taken: 409,
    domain_mismatch: 409,
    link_deleted: 409,
    tag_name_taken: 409,
    template_name_taken: 409,
    template_limit_reached: 409,
    tag_limit_reached: 409,
    domain_taken: 409,
    domain_in_use: 409,
    domain_deletion_in_progress: 409,
    domain_limit_reached: 409,
    idempotency_in_progress: 409,
    revert_refused: 409,
    precondition_failed: 412,
    request_too_large: 413,
    unsupported_media_type: 415,
    validation_failed: 422,
    webhook_limit_reached: 409,
    secret_limit_reached: 409,
    secret_ended: 409,
    key_limit_reached: 409,
    key_already_created: 409,
    key_replaced: 409,
    key_ended: 409,
    already_member: 409,
    member_limit_reached: 409,
    member_already_invited: 409,
    invitation_not_accepted: 409,
    last_owner: 409,
    membership_inconsistent: 409,
    webhook_not_found: 422,
    tag_not_found: 422,
    template_not_found: 422,
    domain_not_verified: 422,
    domain_check_failed: 422,
    answer_too_large: 422,
    idempotency_key_reused: 422,
    rate_limited: 429,
    internal_error: 500,
    temporarily_unavailable: 503,
    too_much_to_read: 422,
  });
});

test('Each error code has its own title.', () => {
  const titles = Object.values(problems).map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});
