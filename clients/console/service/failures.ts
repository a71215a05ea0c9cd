import { type FieldError, ProblemError } from '../../typescript/problem.ts';

/** What the page says about something that did not work. */
export type Failure = {
  readonly text: string;
  /** Whether the same request may work later. */
  readonly mayWorkLater: boolean;
  /** By which the operator finds the request in the logs. */
  readonly requestId: string | undefined;
  /** What is wrong with fields, by the names of the fields. */
  readonly fields: Readonly<Record<string, string>>;
};

const failure = (text: string, more: Partial<Failure> = {}): Failure => ({
  text,
  mayWorkLater: false,
  requestId: undefined,
  fields: {},
  ...more,
});

/** Whether a request was aborted because its answer is no longer wanted. */
export const isAborted = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** Whether a request may have been carried out although there is no answer that says so. */
export const isUnsure = (error: unknown): boolean =>
  !isAborted(error) && (!(error instanceof ProblemError) || error.status >= 500 || error.code === 'idempotency_in_progress');

/**
 * What to say about an error of a request.
 *
 * @param isOnline what the browser knows about its network.
 * @param permission what the request needs.
 */
export function failureOf(error: unknown, isOnline: boolean, permission?: string): Failure {
  if (!(error instanceof ProblemError)) {
    return isOnline
      ? failure('The service did not answer.', { mayWorkLater: true })
      : failure('You are offline. This may be out of date.', { mayWorkLater: true });
  }
  const { status, requestId, retryAfter = 1 } = error;
  if (status === 403 && permission) return failure(`You need the permission ${permission}. Ask an owner.`, { requestId });
  if (status === 429) return failure(`Too many requests. Try again in ${retryAfter} s.`, { mayWorkLater: true, requestId });
  if (status >= 500) return failure('The service did not answer.', { mayWorkLater: true, requestId });
  const fields = fieldsOf(error.errors);
  return failure(error.detail || 'The service refused this.', { requestId, fields: { ...fieldOfCode(error), ...fields } });
}

/** The messages by field: the first part of each JSON Pointer, because a field shows all that is wrong in it. */
function fieldsOf(errors: readonly FieldError[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message } of errors) {
    const name = path.split('/')[1] ?? '';
    fields[name] = fields[name] === undefined ? message : `${fields[name]}; ${message}`;
  }
  return fields;
}

/** Errors about one field that have no list of fields. */
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
