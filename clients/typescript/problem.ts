import type { components } from './openapi.ts';

type Schemas = components['schemas'];

/** The code of an error. Compare it instead of texts, which may change. */
export type ErrorCode = Schemas['ErrorCode'];

/** A broken rule: the JSON Pointer of the field, the rule's code, and what it says. */
export type FieldError = Schemas['FieldError'];

/** An error response of the service. Its message is the `detail` of the problem document (RFC 9457). */
export class ProblemError extends Error {
  readonly status: number;
  /**
   * `unknown` if the response is not a problem document, for example a proxy's. A newer service may have further codes.
   */
  readonly code: ErrorCode | 'unknown';
  readonly detail: string;
  /** The fields that are invalid; empty if the error is about something else. */
  readonly errors: readonly FieldError[];
  /** The id by which operators find the request in the logs. */
  readonly requestId: string | undefined;
  /**
   * Whether an earlier attempt of the same request may have been carried out although its response was lost. Then this
   * error may be the effect of that attempt: 404 of a deletion, 412 of a change with `If-Match`, `tag_name_taken`.
   */
  readonly repeated: boolean;
  /** In how many seconds to retry: `Retry-After`, or one second if only the request rate was exceeded. */
  readonly retryAfter: number | undefined;

  constructor(status: number, text: string, repeated: boolean, retryAfter?: number) {
    const { code, detail, errors, requestId } = problemIn(text);
    super(detail ?? text.slice(0, 200));
    this.name = 'ProblemError';
    this.status = status;
    this.code = code ?? 'unknown';
    this.detail = this.message;
    this.errors = errors ?? [];
    this.requestId = requestId;
    this.repeated = repeated;
    this.retryAfter = retryAfter;
  }
}

function problemIn(text: string): Partial<Schemas['Problem']> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
