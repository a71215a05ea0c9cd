import { type FieldError, ProblemError } from '../../typescript/problem.ts';
import { lackText } from './permissions.ts';

/** What the page says about an error. */
export type Failure = {
  readonly text: string;
  /** Whether the same request may work later. */
  readonly mayWorkLater: boolean;
  /** The id by which operators find the request in the logs. */
  readonly requestId: string | undefined;
  /** The errors of fields, by name. */
  readonly fields: Readonly<Record<string, string>>;
  /** The same by the whole path, such as `rules/2/url`, for fields with several parts. */
  readonly paths: Readonly<Record<string, string>>;
};

const failure = (text: string, more: Partial<Failure> = {}): Failure => ({
  text,
  mayWorkLater: false,
  requestId: undefined,
  fields: {},
  paths: {},
  ...more,
});

/** Whether a request was aborted because its answer is no longer wanted. */
export const isAborted = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** Whether a request may have been carried out without a success response. */
export const isUnsure = (error: unknown): boolean =>
  !isAborted(error) && (!(error instanceof ProblemError) || error.status >= 500 || error.code === 'idempotency_in_progress');

/** How many seconds a refused request has to wait. */
export const waitOf = (error: unknown): number => (error instanceof ProblemError && error.retryAfter) || 1;

/** An error of the page itself, in words for people. */
export class SaidError extends Error {
  override name = 'SaidError';
}

/** A change may have been made: the page has retried several times without an answer. */
export class UnsureError extends Error {
  override name = 'UnsureError';
  /** Why the last attempt has no answer. */
  readonly reason: unknown;

  constructor(reason: unknown) {
    super('it is not known whether it was saved');
    this.reason = reason;
  }
}

/**
 * What to say about an error of a request.
 *
 * @param isOnline whether the browser has a network.
 * @param permission the permission that the request needs.
 */
export function failureOf(error: unknown, isOnline: boolean, permission?: string): Failure {
  if (error instanceof UnsureError) {
    const { reason } = error;
    const why = isOnline ? 'The service did not answer' : 'You are offline';
    const requestId = reason instanceof ProblemError ? reason.requestId : undefined;
    return failure(`${why}, so this may or may not be saved. Try again: nothing is done twice.`, {
      mayWorkLater: true,
      requestId,
    });
  }
  if (error instanceof SaidError) return failure(error.message, { mayWorkLater: true });
  if (!(error instanceof ProblemError)) {
    return isOnline
      ? failure('The service did not answer.', { mayWorkLater: true })
      : failure('You are offline. This may be out of date.', { mayWorkLater: true });
  }
  const { status, requestId } = error;
  if (status === 403 && permission) return failure(lackText(permission), { requestId });
  if (status === 429) return failure(`Too many requests. Try again in ${waitOf(error)} s.`, { mayWorkLater: true, requestId });
  if (error.code === 'temporarily_unavailable') return failure(unavailableText, { mayWorkLater: true, requestId });
  if (status >= 500) return failure('The service did not answer.', { mayWorkLater: true, requestId });
  const ofCode = fieldOfCode(error);
  return failure(onThisPage[error.code] ?? (error.detail || 'The service refused this, and did not say why.'), {
    requestId,
    fields: { ...ofCode, ...messages(error.errors, (path) => path.split('/')[0] ?? '') },
    paths: { ...ofCode, ...messages(error.errors, (path) => path) },
  });
}

/** The messages by JSON Pointer, without its first slash. Several of the same are joined. */
function messages(errors: readonly FieldError[], nameOf: (path: string) => string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { path, message } of errors) {
    // No field shows errors of query parameters and headers.
    if (path === '') continue;
    const name = nameOf(path.slice(1));
    found[name] = found[name] === undefined ? message : `${found[name]}; ${message}`;
  }
  return found;
}

/** Whether an error at `path` is about a field, or about a part of it. */
export const isAt = (path: string, field: string): boolean => path === field || path.startsWith(`${field}/`);

/** All errors of a field and its parts; undefined if there are none. */
export const wrongAt = (paths: Failure['paths'], field: string): string | undefined =>
  Object.entries(paths)
    .filter(([path]) => isAt(path, field))
    .map(([, message]) => message)
    .join('; ') || undefined;

const unavailableText =
  'The service cannot do this now. Try again in a minute. If that does not help, tell the operator the request id.';

/** Replaces the service's advice for programs by advice for people at these pages. */
const onThisPage: Readonly<Record<string, string>> = {
  domain_deletion_in_progress: 'This domain is being deleted. Open it under Domains to finish that, or to keep it.',
  domain_not_verified: 'This domain is not ready for links. Open it under Domains to see what is missing.',
  last_owner: 'This is the only owner of the workspace. Make somebody else an owner first.',
  secret_limit_reached: 'No more secrets can be valid at once. Delete one first.',
  precondition_failed: 'Somebody else has changed this meanwhile. Reload the page, and make your change again.',
};

/** Errors about one field without a list of fields. */
const codes: Readonly<Record<string, readonly [field: string, text: string]>> = {
  slug_taken: ['customSlug', 'is taken. Choose another one'],
  alias_limit_reached: ['customSlug', 'cannot change again: the link has 10 former addresses'],
  external_id_taken: ['externalId', 'belongs to another link'],
  tag_not_found: ['tagIds', 'names a tag that no longer exists'],
  domain_not_verified: ['domain', 'is not a domain of this workspace'],
};

function fieldOfCode({ code }: ProblemError): Record<string, string> {
  const [field, text] = codes[code] ?? [];
  return field && text ? { [field]: text } : {};
}
