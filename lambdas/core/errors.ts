/** The codes of problem documents. `lambdas/http/problems.ts` maps each to its status and title. */
export type ErrorCode =
  | 'bad_request'
  | 'invalid_json'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'not_acceptable'
  | 'slug_taken'
  | 'slug_in_use'
  | 'alias_limit_reached'
  | 'external_id_taken'
  | 'domain_mismatch'
  | 'link_deleted'
  | 'tag_name_taken'
  | 'tag_limit_reached'
  | 'template_name_taken'
  | 'template_limit_reached'
  | 'domain_taken'
  | 'domain_in_use'
  | 'domain_deletion_in_progress'
  | 'domain_limit_reached'
  | 'webhook_limit_reached'
  | 'secret_limit_reached'
  | 'secret_ended'
  | 'key_limit_reached'
  | 'key_already_created'
  | 'key_replaced'
  | 'key_ended'
  | 'already_member'
  | 'member_limit_reached'
  | 'member_already_invited'
  | 'invitation_not_accepted'
  | 'last_owner'
  | 'membership_inconsistent'
  | 'idempotency_in_progress'
  | 'revert_refused'
  | 'precondition_failed'
  | 'request_too_large'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'tag_not_found'
  | 'template_not_found'
  | 'webhook_not_found'
  | 'domain_not_verified'
  | 'domain_check_failed'
  | 'answer_too_large'
  | 'too_much_to_read'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'internal_error'
  | 'temporarily_unavailable';

/**
 * One broken rule. `path` is a JSON Pointer (RFC 6901) into the request's body; empty for the body itself, a header, a
 * query parameter or a DNS record.
 */
export type FieldError = { readonly path: string; readonly code: string; readonly message: string };

/** A request fails for a reason that its sender may see. */
export class RequestError extends Error {
  readonly code: ErrorCode;
  readonly fieldErrors: readonly FieldError[];
  /** After how many seconds to retry, as a whole number. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    detail: string,
    more: { fieldErrors?: readonly FieldError[]; retryAfter?: number; cause?: Error } = {},
  ) {
    super(detail, more.cause && { cause: more.cause });
    this.name = 'RequestError';
    this.code = code;
    this.fieldErrors = more.fieldErrors ?? [];
    this.retryAfter = more.retryAfter;
  }
}

/** A value breaks a rule of its field. The message completes a sentence that starts with the field's name. */
export class RuleError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'RuleError';
    this.code = code;
  }
}

/** The error for a request with one invalid field; `path` is the field's JSON Pointer. */
export const fieldRefused = (path: string, { code, message }: RuleError) => fieldsRefused([{ path, code, message }]);

/** The error for a request with invalid fields. */
export const fieldsRefused = (fieldErrors: readonly FieldError[]) =>
  new RequestError('validation_failed', summaryOf(fieldErrors), { fieldErrors });

/** A sentence with the errors of up to three fields. */
const summaryOf = (errors: readonly FieldError[]): string =>
  errors
    .slice(0, 3)
    .map(({ path, message }) => `${path || 'The body'} ${message}`)
    .join('; ')
    .concat(errors.length > 3 ? `; and ${errors.length - 3} more.` : '.');

/** The error is the same if the thing is unknown, deleted or another workspace's, so that callers can't tell which. */
export const notFound = (thing: string) => new RequestError('not_found', `There is no such ${thing}.`);

/** @throws RequestError `not_found` if the thing is undefined. */
export function orNotFound<T>(thing: T | undefined, name: string): T {
  if (thing === undefined) throw notFound(name);
  return thing;
}

/** The workspace of the request's key has been deleted, or is being deleted. */
export const workspaceGone = () => new RequestError('unauthorized', 'The workspace of the API key no longer exists.');

/** The sign-in of the request has ended, or its person has been erased. */
export const signInEnded = () => new RequestError('unauthorized', 'The sign-in has ended. Sign in again.');

/** A restoration brought back only a part of a member, a membership or the roster, so it cannot be changed. */
export const membershipInconsistent = () =>
  new RequestError(
    'membership_inconsistent',
    'The stored data of this membership is inconsistent. Ask the operator to run "admin members verify --repair".',
  );

/** Why a request with `If-Match` or `If-None-Match` changes nothing. */
const preconditions = {
  changed: 'The resource has changed. Fetch it again and send its new ETag as If-Match.',
  absent: 'The resource does not exist, so no version matches If-Match. To create it, send the request without If-Match.',
  exists: 'The resource already exists, and If-None-Match: * only creates one. To replace it, send its ETag as If-Match.',
  known: 'If-None-Match names the current version, so nothing was changed.',
} as const;

/** @param why by default, the resource has changed since the sender of `If-Match` read it. */
export const preconditionFailed = (why: keyof typeof preconditions = 'changed') =>
  new RequestError('precondition_failed', preconditions[why]);

/** The rules for query parameters that narrow what a request reads. */
const narrower = {
  from: 'the query parameter "from" must be closer to "to"',
  tagIds: 'the query parameters "tagIds" and "tagNames" must name tags that fewer links have',
} as const;

/**
 * A request would read more than it may.
 *
 * @param most the limit, such as `20,000 clicks`.
 * @param narrow the query parameters that can narrow the request.
 */
export const tooMuchToRead = (most: string, narrow: readonly (keyof typeof narrower)[]) => {
  const fieldErrors = narrow.map((name) => ({
    path: '',
    code: 'too_much_to_read',
    message: narrower[name],
  }));
  const rules = fieldErrors.map(({ message }) => message).join(', or ');
  return new RequestError('too_much_to_read', `A request reads at most ${most}: ${rules}.`, { fieldErrors });
};

/** The store throttles, is slow or cannot be reached. A change may have been made. */
export const unavailable = () =>
  new RequestError('temporarily_unavailable', 'The service is temporarily unavailable. Send the request again.', {
    retryAfter: 1,
  });

/** This runtime cannot hash passwords. The cause is for the operator, and is logged. */
export const passwordsUnsupported = () =>
  new RequestError('temporarily_unavailable', 'The service cannot set or check passwords at the moment. Try again later.', {
    retryAfter: 60,
    cause: new Error('this runtime has no Argon2: it needs Node 24.7 or later with OpenSSL 3.2 or later'),
  });

/** A write got no response, and others have since changed the item too often to tell whether it was made. */
export const unsettled = () =>
  new RequestError(
    'temporarily_unavailable',
    'The change may have been made, and others have been made since. Fetch the current version before you send it again.',
    { retryAfter: 1 },
  );
