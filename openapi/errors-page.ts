import type { ErrorCode } from '../lambdas/core/errors.ts';
import { problems } from '../lambdas/http/problems.ts';

/** When a response has each code. */
const meanings: Record<ErrorCode, string> = {
  bad_request:
    '`Content-Type`, `Idempotency-Key`, `If-Match`, `If-None-Match`, or `Accept` of a QR code, was sent more than once; or the request is malformed',
  invalid_json: "the body isn't JSON in UTF-8, or has U+FFFD unescaped",
  unauthorized: 'the key is missing, malformed, unknown, expired or revoked',
  forbidden:
    "the key lacks a permission, for the operation or to [give it](keys.md#what-a-key-may-give); or the operator's firewall refused the request",
  not_found: "an unknown id, route or method. Things of other workspaces look like things that don't exist",
  not_acceptable: 'a PNG was requested, but `Accept` does not begin with `image/png`',
  slug_taken: 'the slug is taken on that domain',
  slug_in_use: "the alias to remove is the link's current slug",
  alias_limit_reached: 'no more aliases are [allowed](README.md#limits)',
  external_id_taken: 'another link of the workspace has that `externalId`',
  domain_mismatch: 'the link with the external id is on another domain',
  link_deleted: 'the link that this request, or this deletion, made earlier has been deleted since',
  tag_name_taken: 'the workspace has a tag with that name',
  tag_limit_reached: 'no more tags are [allowed](README.md#limits)',
  template_name_taken: 'the workspace has a template with that name',
  template_limit_reached: 'no more templates are [allowed](README.md#limits)',
  domain_taken: 'somebody has proven that they own the domain',
  domain_in_use: 'the domain has links',
  domain_deletion_in_progress: "a deletion of the domain isn't finished: send the deletion again, or `verify` to keep the domain",
  domain_limit_reached: 'no more domains and claims are [allowed](README.md#limits)',
  webhook_limit_reached: 'no more webhooks are [allowed](README.md#limits)',
  secret_limit_reached: 'no more valid secrets are [allowed](README.md#limits)',
  secret_ended: 'the secret that an earlier attempt created has expired or been deleted since',
  key_limit_reached: 'no more keys are [allowed](README.md#limits)',
  key_already_created: 'an earlier attempt created the key that `detail` names, which cannot be [shown again](keys.md#keys)',
  key_replaced: 'the key to rotate or prolong has been replaced by the one that `detail` names',
  key_ended: 'the key to change or rotate is revoked, or the key to rotate has expired',
  already_member:
    'there is an invitation, or a member with that verified address, which `detail` names; or the person is a member',
  member_limit_reached: 'no more members and invitations are [allowed](README.md#limits)',
  member_already_invited: 'an earlier attempt made the invitation that `detail` names, whose link is shown only once',
  invitation_not_accepted: 'nobody has accepted the invitation, so there is nobody to approve',
  last_owner: 'the member is the last active owner: make another one first',
  membership_inconsistent:
    'a restoration brought back only a part of the member: the operator [repairs](../operate.md#verify-members) it',
  idempotency_in_progress: 'a request with this `Idempotency-Key` is still running; with `Retry-After`',
  revert_refused: 'a [change](statistics.md#revert-a-change) cannot be reverted; `errors` names the fields',
  precondition_failed:
    "`If-Match` doesn't match the current version, or there is none; a `PUT` with `If-None-Match: *` found a link",
  request_too_large:
    'the request is [too large](README.md#limits). Above 10 MB, API Gateway answers with its own `{"message":"…"}`',
  unsupported_media_type: "the body isn't declared as JSON, or has a `charset` other than UTF-8",
  validation_failed: 'a field, a header or a query parameter breaks a rule: see `errors`',
  tag_not_found: 'a tag does not exist in this workspace; `errors` says which',
  template_not_found: '`templateId` is not a template of this workspace',
  webhook_not_found: "`webhookId` isn't a webhook of this workspace",
  domain_not_verified: 'the workspace has not proven that it owns a domain with that name',
  domain_check_failed:
    'a DNS record is missing, or no custom domain of the service covers the domain; `errors` says which, and what was found',
  answer_too_large:
    'the response to an import could be [too large](README.md#limits), or its links have too many different tags: split the import',
  too_much_to_read: 'statistics would read more than [a request may](README.md#limits); `errors` names the parameters to narrow',
  idempotency_key_reused: 'the `Idempotency-Key` was sent with another body, or before the domain was proven anew',
  rate_limited: 'more requests than [allowed](README.md#limits); with `Retry-After`',
  internal_error: 'a bug in the service; no request should be able to cause it',
  temporarily_unavailable:
    "a table throttles requests or is slow, or the gateway doesn't know a new workspace yet; with `Retry-After`. A change may have been made",
};

const urls = (kind: string) => ['invalid', 'scheme', 'credentials', 'too_long'].map((rule) => `${kind}_${rule}`);

/** The codes of single fields, by what they are about. */
const fieldCodes: Record<string, readonly string[]> = {
  'any field': [
    'required',
    'null_not_allowed',
    'unknown_field',
    'invalid_type',
    'invalid_value',
    'invalid_format',
    'invalid_text',
    'invalid_timestamp',
    'too_long',
    'too_short',
    'too_many',
    'too_few',
    'too_large',
    'too_small',
    'out_of_range',
  ],
  'parameters and headers': [
    'unknown_parameter',
    'repeated_parameter',
    'not_together',
    'invalid_cursor',
    'invalid_domain',
    'invalid_actor',
    'invalid_idempotency_key',
  ],
  'slugs and external ids': [
    'slug_invalid',
    'slug_reserved',
    'slug_too_deep',
    'invalid_external_id',
    'invalid_managed_by',
    'invalid_owner',
  ],
  'the start and end of a link': ['starts_too_late', 'expires_too_early'],
  'rules and variants': [
    'countries_unknown',
    'unknown_country',
    'unknown_language',
    'invalid_parameter',
    'no_weight',
    'duplicate',
    'reserved',
  ],
  URLs: [
    ...['destination', 'webhook', 'image', 'logo'].flatMap(urls),
    'destination_private',
    'webhook_private',
    'logo_private',
    'destination_short_domain',
    'destination_blocked',
    'destination_listed',
    'url_required',
  ],
  'a page to read': ['page_unreachable', 'page_not_html'],
  'tags and colours': ['invalid_tag_name', 'invalid_color', 'low_contrast'],
  statistics: [
    'unknown_time_zone',
    'unknown_dimension',

    'not_on_second',
    'too_many_points',
    'invalid_day',
  ],
  'a change to revert': ['changed_since'],
  'the expiry of a key': ['not_in_future', 'too_late'],
  members: ['invalid_email'],
  domains: [
    ...['invalid', 'public_suffix', 'private', 'own'].map((rule) => `domain_${rule}`),
    'ownership_not_proven',
    'dns_not_pointed',
    'domain_not_covered',
    'app_id_invalid',
    'relation_invalid',
    'site_invalid',
    'package_name_invalid',
    'fingerprint_invalid',
    'include_invalid',
    'accent_contrast',
    'logo_unreachable',
    'logo_too_large',
    'logo_not_image',
  ],
};

/** Every code that an error or one of its `errors` may have. */
export const knownCodes: readonly string[] = [...Object.keys(problems), ...Object.values(fieldCodes).flat()];

const anchored = (code: string) => `<a id="${code}"></a>\`${code}\``;

/** The text of docs/api/errors.md. */
export function errorsPage(): string {
  const byStatus = Map.groupBy(Object.entries(problems), ([, { status }]) => status);
  const errors = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, some]) => {
      const lines = some.map(([code]) => `- ${anchored(code)}: ${meanings[code as ErrorCode]}`);
      return `## ${status}\n\n${lines.join('\n')}\n`;
    });
  const fields = Object.entries(fieldCodes).map(([about, codes]) => `- ${about}: ${codes.map(anchored).join(', ')}`);
  return `<!-- npm run docs writes this page from openapi/errors-page.ts. -->

# Errors

[The API](README.md#errors) shows the form of an error. Each code has an anchor here, such as
[\`errors.md#slug_taken\`](#slug_taken).

${errors.join('\n')}
## Single fields

The entries of \`errors\` and \`failed\` have these codes or those above:

${fields.join('\n')}
`;
}
