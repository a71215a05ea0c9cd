import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { RequestError, RuleError } from '../../../lambdas/core/errors.ts';
import { check, ruled, validate } from '../../../lambdas/http/validation.ts';
import { anyCharacter } from '../../support/run/any-character.ts';
import { runs } from '../../support/run/proof.ts';

const even = ruled((text) => {
  if (text.length % 2 === 1) throw new RuleError('odd', 'must have an even length');
  return text.toUpperCase();
});

describe('A field with a rule of the domain', () => {
  test('A value is returned as its rule returns it.', () => {
    expect(check(even, 'ab')).toEqual({ value: 'AB' });
  });

  test('A value is refused with the code and the message of the rule.', () => {
    expect(check(z.strictObject({ a: even }), { a: 'x' })).toEqual({
      errors: [{ path: '/a', code: 'odd', message: 'must have an even length' }],
    });
  });

  test.for([1, true, null, [], {}, ['ab']])("The rule is not called for a value that isn't a text: %j.", (value) => {
    expect(check(z.strictObject({ a: even }), { a: value }).errors).toHaveLength(1);
  });

  test('Any other error of the rule is thrown as an internal one.', () => {
    const broken = ruled(() => {
      throw new TypeError('broken');
    });
    expect(() => check(broken, 'a')).toThrow(TypeError);
  });
});

describe('errors', () => {
  const schema = z.strictObject({
    text: z.string(),
    choice: z.enum(['A', 'B']),
    list: z.array(z.strictObject({ n: z.int().check(z.minimum(1), z.maximum(9)) })).check(z.minLength(1), z.maxLength(2)),
  });
  const good = { text: 'a', choice: 'A', list: [{ n: 1 }] };

  test('A valid value has no errors.', () => {
    expect(check(schema, good)).toEqual({ value: good });
  });

  test.for([
    ['a field that is missing', { text: undefined }, '/text', 'required', 'is required'],
    ['null', { text: null }, '/text', 'null_not_allowed', 'must not be null'],
    ['another type', { text: 1 }, '/text', 'invalid_type', 'must be a string'],
    ['no choice', { choice: undefined }, '/choice', 'required', 'is required'],
    ['null for a choice', { choice: null }, '/choice', 'null_not_allowed', 'must not be null'],
    ['another choice', { choice: 'C' }, '/choice', 'invalid_value', 'must be one of A, B'],
    ['a choice of another type', { choice: ['A'] }, '/choice', 'invalid_value', 'must be one of A, B'],
    [
      'the name of an inherited property for a choice',
      { choice: 'constructor' },
      '/choice',
      'invalid_value',
      'must be one of A, B',
    ],
    ['an object for a list', { list: { 0: { n: 1 } } }, '/list', 'invalid_type', 'must be an array'],
    ['a text for a list', { list: '' }, '/list', 'invalid_type', 'must be an array'],
    ['a text that is longer than the list may be', { list: 'abc' }, '/list', 'invalid_type', 'must be an array'],
    ['an object with a length for a list', { list: { length: 3 } }, '/list', 'invalid_type', 'must be an array'],
    ['an empty list', { list: [] }, '/list', 'too_few', 'must have at least 1 entry'],
    ['a list that is too long', { list: [{ n: 1 }, { n: 1 }, { n: 1 }] }, '/list', 'too_many', 'must have at most 2 entries'],
    ['a list for an object', { list: [[]] }, '/list/0', 'invalid_type', 'must be an object'],
    ['a field that is missing within', { list: [{ n: 1 }, {}] }, '/list/1/n', 'required', 'is required'],
    ['a number that is too small', { list: [{ n: 0 }] }, '/list/0/n', 'too_small', 'must be at least 1'],
    ['a number that is too large', { list: [{ n: 10 }] }, '/list/0/n', 'too_large', 'must be at most 9'],
    ['a fraction', { list: [{ n: 1.5 }] }, '/list/0/n', 'invalid_type', 'must be a whole number'],
    ['a text for a number', { list: [{ n: '1' }] }, '/list/0/n', 'invalid_type', 'must be a number'],
    ['an unknown field within', { list: [{ n: 1, x: 1 }] }, '/list/0/x', 'unknown_field', 'is not a field of this request'],
    ['an unknown field', { x: 1 }, '/x', 'unknown_field', 'is not a field of this request'],
  ] as const)('One error has the path, the code and the reason: %s.', ([, change, path, code, message]) => {
    expect(check(schema, { ...good, ...change })).toEqual({ errors: [{ path, code, message }] });
    expect(() => validate(schema, { ...good, ...change })).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        message: `${path} ${message}.`,
        fieldErrors: [{ path, code, message }],
      }),
    );
  });

  test('Any JSON is returned as it is, or refused with pointers to its errors.', () => {
    const anything = fc.oneof(
      fc.json({ maxDepth: 4, stringUnit: 'binary' }),
      fc
        .record({ text: fc.json(), choice: fc.json(), list: fc.json() }, { requiredKeys: [] })
        .map((fields) => `{${Object.entries(fields).map(([name, json]) => `"${name}":${json}`)}}`),
    );
    fc.assert(
      fc.property(anything, (json) => {
        const { value, errors } = check(schema, JSON.parse(json));
        if (!errors) return expect(value).toEqual(JSON.parse(json)) === undefined;
        expect(errors.length).toBeGreaterThan(0);
        expect(errors.length).toBeLessThanOrEqual(20);
        for (const { path, code } of errors) {
          expect(path).toMatch(/^(\/([^~/]|~[01])*)*$/s);
          expect(code).toMatch(/^[a-z_]+$/);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test('The pointer of an error leads to its field, whatever its name.', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 64 }), (name) => {
        fc.pre(!['text', 'choice', 'list'].includes(name));
        const sent = JSON.parse(`{"text":"a","choice":"A","list":[{"n":1}],${JSON.stringify(name)}:1}`);
        const [error, ...others] = check(schema, sent).errors ?? [];
        expect(others).toEqual([]);
        expect(error?.code).toBe('unknown_field');
        expect(error?.path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')).toBe(name);
      }),
    );
  });
});

describe('a refusal', () => {
  const refusal = (value: unknown): RequestError => {
    try {
      validate(z.strictObject({}), value);
    } catch (error) {
      if (error instanceof RequestError) return error;
    }
    throw new Error('it was not refused');
  };

  test.for([
    ['a body of another type', [], 'The body must be an object.'],
    ['one error', { a: 1 }, '/a is not a field of this request.'],
    [
      'five errors',
      { a: 1, b: 1, c: 1, d: 1, e: 1 },
      '/a is not a field of this request; /b is not a field of this request; /c is not a field of this request; and 2 more.',
    ],
  ] as const)('The detail names at most three errors: %s.', ([, value, detail]) => {
    expect(refusal(value).message).toBe(detail);
  });

  test('A refusal quotes at most 128 characters of a name, and twenty names.', () => {
    const names = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(100_000, 'x'));
    const { fieldErrors } = refusal(Object.fromEntries(names.map((name) => [`x${name}`, 1])));
    expect(fieldErrors.map(({ path }) => path)).toEqual(names.slice(0, 20).map((name) => `/x${name}`.slice(0, 129)));
  });

  test('A refusal lists at most twenty errors of any other kind, too.', () => {
    expect(check(z.array(z.string()), new Array(50).fill(1)).errors).toHaveLength(20);
  });

  test('A refusal is a RequestError.', () => {
    expect(refusal(1)).toBeInstanceOf(RequestError);
  });
});
