import * as z from 'zod/mini';
import { type FieldError, fieldsRefused, RuleError } from '../core/errors.ts';

/** The most errors that a response lists. */
export const maxErrors = 20;
/** How much of an unknown name a response repeats, in characters. */
export const maxName = 128;

/** A schema for a text that obeys a rule of `lambdas/core`, which may also convert it. */
export const ruled = <T>(rule: (text: string) => T) =>
  z.pipe(
    z.string(),
    z.transform((text: string, context) => {
      try {
        return rule(text);
      } catch (error) {
        if (!(error instanceof RuleError)) throw error;
        context.issues.push({ code: 'custom', input: text, message: error.message, params: { code: error.code } });
        return z.NEVER;
      }
    }),
  );

/** A query parameter that is a whole number from `least` to `most`. */
export const wholeNumber = (least: number, most: number) =>
  ruled((text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most))
      throw new RuleError('out_of_range', `must be a whole number from ${least} to ${most}`);
    return value;
  });

/**
 * Validates a value.
 *
 * @throws RequestError `validation_failed`, which names the fields and the rules that they break.
 */
export function validate<S extends z.core.$ZodType>(schema: S, value: unknown): z.output<S> {
  const checked = check(schema, value);
  if (checked.errors) throw fieldsRefused(checked.errors);
  return checked.value;
}

/**
 * The schema's output, or the errors of the value.
 *
 * @param most how many errors to list. With 1, zod stops at the first one.
 */
export function check<S extends z.core.$ZodType>(
  schema: S,
  value: unknown,
  most = maxErrors,
): { value: z.output<S>; errors?: undefined } | { value?: undefined; errors: FieldError[] } {
  const context: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: most === 1 };
  const result = z.safeParse(schema, value, context);
  if (result.success) return { value: result.data };
  const issues = result.error.issues.slice(0, most);
  return { errors: issues.flatMap((issue) => toFieldErrors(issue, value)).slice(0, most) };
}

/** A JSON Pointer (RFC 6901). */
const pointer = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => `/${String(part).slice(0, maxName).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
    .toWellFormed();

/** Converts an error of zod. */
export function toFieldErrors(issue: z.core.$ZodIssue, input: unknown): FieldError[] {
  const path = pointer(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, maxErrors).map((name) => ({
        path: pointer([...issue.path, name]),
        code: 'unknown_field',
        message: 'is not a field of this request',
      }));
    case 'invalid_type':
      return [{ path, ...typeError(issue, input) }];
    case 'invalid_value':
      return [{ path, ...valueError(issue, input) }];
    case 'too_big':
      if (issue.origin === 'array') return [{ path, code: 'too_many', message: `must have at most ${entries(issue.maximum)}` }];
      return isNumeric(issue) ? [{ path, code: 'too_large', message: `must be at most ${issue.maximum}` }] : [];
    case 'too_small':
      if (issue.origin === 'array') return [{ path, code: 'too_few', message: `must have at least ${entries(issue.minimum)}` }];
      return isNumeric(issue) ? [{ path, code: 'too_small', message: `must be at least ${issue.minimum}` }] : [];
    case 'custom':
      return [{ path, code: issue.params?.code ?? 'invalid_value', message: issue.message }];
    default:
      return [{ path, code: 'invalid_value', message: 'is not valid' }];
  }
}

/** Whether a bound is that of a number. zod also measures other values' lengths, after its error about the type. */
const isNumeric = ({ origin }: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): boolean =>
  origin === 'number' || origin === 'int';

const entries = (count: number | bigint): string => `${count} ${Number(count) === 1 ? 'entry' : 'entries'}`;

const typeNames: Record<string, string> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

const absent = (value: unknown) =>
  value === undefined ? { code: 'required', message: 'is required' } : { code: 'null_not_allowed', message: 'must not be null' };

function typeError(issue: z.core.$ZodIssueInvalidType, input: unknown) {
  const value = valueAt(input, issue.path);
  if (value === undefined || (value === null && issue.path.length > 0)) return absent(value);
  return { code: 'invalid_type', message: `must be ${typeNames[issue.expected] ?? issue.expected}` };
}

function valueError(issue: z.core.$ZodIssueInvalidValue, input: unknown) {
  const value = valueAt(input, issue.path);
  if (value === undefined || value === null) return absent(value);
  return { code: 'invalid_value', message: `must be one of ${issue.values.map(String).join(', ')}` };
}

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((value: unknown, part) => (value as Record<PropertyKey, unknown> | null | undefined)?.[part], input);
