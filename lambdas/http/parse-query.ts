import * as z from 'zod/mini';
import { type FieldError, RequestError } from '../domain/errors.ts';
import { capitalised } from '../domain/text.ts';
import type { Middleware } from './api-event.ts';
import { check } from './validation.ts';

/** Of an operation without query parameters: a mistyped filter must not look as if it had worked. */
const none = z.strictObject({});

/** Checks the query parameters: `parsedQuery` is what the schema makes of them. Each may come once. */
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

/** A parameter's name, and what is wrong with it. */
type ParameterError = readonly [name: string, code: string, rule: string];

/** The path of a field is `/` and the parameter's name. */
const toParameterError = ({ path, code, message }: FieldError): ParameterError => {
  const name = path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
  return code === 'unknown_field' ? [name, 'unknown_parameter', 'is not supported by this operation'] : [name, code, message];
};

/** Refuses a request for one query parameter that breaks a rule. */
export const parameterRefused = (name: string, code: string, rule: string) => refused([[name, code, rule]]);

/** A JSON Pointer can name no parameter, so that the message does. */
function refused(refusals: readonly ParameterError[]): RequestError {
  const fieldErrors = refusals.slice(0, 20).map(([name, code, rule]) => ({
    path: '',
    code,
    message: `the query parameter "${name.slice(0, 128).toWellFormed()}" ${rule}`,
  }));
  const detail = fieldErrors.slice(0, 3).map(({ message }) => message);
  const more = fieldErrors.length > 3 ? `; and ${fieldErrors.length - 3} more` : '';
  return new RequestError('validation_failed', `${capitalised(detail.join('; '))}${more}.`, { fieldErrors });
}
