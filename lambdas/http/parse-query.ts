import * as z from 'zod/mini';
import { type FieldError, RequestError } from '../core/errors.ts';
import { capitalised } from '../core/text.ts';
import type { Middleware } from './api-event.ts';
import { check, maxErrors, maxName } from './validation.ts';

/** For operations without query parameters. Unknown ones are refused, so that a mistyped filter is noticed. */
const none = z.strictObject({});

/** Validates the query parameters. Sets `parsedQuery` to the schema's output. Each may be sent only once. */
export function parseQuery(schema: z.core.$ZodType = none): Middleware {
  return {
    before: function parseQueryBefore({ event }) {
      const sent = Object.entries(event.multiValueQueryStringParameters ?? {});
      const { value, errors } = check(schema, Object.fromEntries(sent.map(([name, values]) => [name, values?.[0] ?? ''])));
      if (errors) throw refused(errors.map(toParameterError));
      const repeated = sent.filter(([, values]) => values && values.length > 1).map(([name]) => name);
      if (repeated.length > 0) throw refused(repeated.map((name) => [name, 'repeated_parameter', 'must be sent only once']));
      event.parsedQuery = value;
    },
  };
}

/** A parameter's name and what is wrong with it. */
type ParameterError = readonly [name: string, code: string, rule: string];

/** A field's path is `/` followed by the parameter's name. */
const toParameterError = ({ path, code, message }: FieldError): ParameterError => {
  const name = path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
  return code === 'unknown_field' ? [name, 'unknown_parameter', 'is not supported by this operation'] : [name, code, message];
};

/** The error for a request with one invalid query parameter. */
export const parameterRefused = (name: string, code: string, rule: string) => refused([[name, code, rule]]);

/** The error for a request whose query parameter names something that does not exist in the workspace. */
export const parameterNotFound = (name: string, thing: string, rule: string): RequestError => {
  const message = `the query parameter "${name}" ${rule}`;
  const detail = `There is no such ${thing}: ${message}.`;
  return new RequestError('not_found', detail, { fieldErrors: [{ path: '', code: 'not_found', message }] });
};

/** A JSON Pointer cannot name a query parameter, so the message does. */
function refused(refusals: readonly ParameterError[]): RequestError {
  const fieldErrors = refusals.slice(0, maxErrors).map(([name, code, rule]) => ({
    path: '',
    code,
    message: `the query parameter "${name.slice(0, maxName).toWellFormed()}" ${rule}`,
  }));
  const detail = fieldErrors.slice(0, 3).map(({ message }) => message);
  const more = fieldErrors.length > 3 ? `; and ${fieldErrors.length - 3} more` : '';
  return new RequestError('validation_failed', `${capitalised(detail.join('; '))}${more}.`, { fieldErrors });
}
