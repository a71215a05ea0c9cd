/** What can go wrong with a whole request, as the wire names it. `lambdas/http/problems.ts` maps each to its status. */
export type ErrorCode =
  | 'bad_request'
  | 'invalid_json'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'slug_taken'
  | 'link_deleted'
  | 'tag_name_taken'
  | 'tag_limit_reached'
  | 'domain_taken'
  | 'domain_in_use'
  | 'domain_deletion_in_progress'
  | 'domain_limit_reached'
  | 'idempotency_in_progress'
  | 'precondition_failed'
  | 'request_too_large'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'tag_not_found'
  | 'domain_not_verified'
  | 'domain_check_failed'
  | 'answer_too_large'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'internal_error'
  | 'temporarily_unavailable';

/** What is wrong with one field: `path` is a JSON Pointer (RFC 6901) into the request's body. */
export type FieldError = { readonly path: string; readonly code: string; readonly message: string };

/** A request that cannot be granted, for a reason that its sender may read. */
export class RequestError extends Error {
  readonly code: ErrorCode;
  readonly fieldErrors: readonly FieldError[];
  /** When it makes sense to try again, in whole seconds. */
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

/** A value that breaks a rule of its field. The message completes a sentence that begins with the field's name. */
export class RuleError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'RuleError';
    this.code = code;
  }
}

/** Refuses a request for one field that breaks a rule; `path` is the field's JSON Pointer. */
export const fieldRefused = (path: string, { code, message }: RuleError) =>
  new RequestError('validation_failed', `${path} ${message}.`, { fieldErrors: [{ path, code, message }] });

/** One answer for what is unknown, gone, or another workspace's: nobody learns which. */
export const notFound = (thing: string) => new RequestError('not_found', `There is no such ${thing}.`);

/** The thing that was looked for. @throws RequestError `not_found` if there is none */
export function orNotFound<T>(thing: T | undefined, name: string): T {
  if (thing === undefined) throw notFound(name);
  return thing;
}

/** The thing is no longer as its sender knew it: a request with `If-Match` changes nothing then. */
export const preconditionFailed = () =>
  new RequestError('precondition_failed', 'The resource has changed. Fetch it again and send its new ETag as If-Match.');

/** The store throttles, is slow or cannot be reached; nothing of the request is known to be lost. */
export const unavailable = () =>
  new RequestError('temporarily_unavailable', 'The service is temporarily unavailable. Send the request again.', {
    retryAfter: 1,
  });

/** Passwords can neither be set nor checked in this runtime. The cause is for the operator: the log has it. */
export const passwordsUnsupported = () =>
  new RequestError('temporarily_unavailable', 'The service cannot set or check passwords at the moment. Try again later.', {
    retryAfter: 60,
    cause: new Error('this runtime has no Argon2: it needs Node 24.7 or later with OpenSSL 3.2 or later'),
  });

/** A change may have been made unheard, and others have changed the thing too often since to tell. */
export const unsettled = () =>
  new RequestError(
    'temporarily_unavailable',
    'The change may have been made, and others have been made since. Fetch the current version before you send it again.',
    { retryAfter: 1 },
  );
