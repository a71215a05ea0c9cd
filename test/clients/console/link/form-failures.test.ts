import { expect, test } from 'vitest';
import { aboveForm, withoutChanged } from '../../../../clients/console/link/form-failures.ts';
import { failureOf } from '../../../../clients/console/service/failures.ts';
import { ProblemError } from '../../../../clients/typescript/problem.ts';

const failed = (...paths: string[]) => {
  const errors = paths.map((path) => ({ path, code: 'x', message: `wrong ${path}` }));
  return failureOf(new ProblemError(422, JSON.stringify({ detail: 'All of it.', errors }), false), true);
};

test('An error stays at its field until somebody changes that field or, in a list, that item.', () => {
  const [a, b] = [{ url: 'a' }, { url: 'b' }] as never[];
  const failure = failed('/title', '/rules/0/url', '/rules/1/if/country/2');
  const first = withoutChanged(failure, 'title', 'old', 'new');
  expect(Object.keys(first?.paths ?? {})).toEqual(['rules/0/url', 'rules/1/if/country/2']);
  const second = first && withoutChanged(first, 'rules', [a, b] as never, [a, { url: 'c' }] as never);
  expect(Object.keys(second?.paths ?? {})).toEqual(['rules/0/url']);
  expect(Object.keys(second?.fields ?? {})).toEqual(['rules']);
  expect(second && withoutChanged(second, 'rules', [a, b] as never, [b] as never)).toBeUndefined();
});

test('An error that no field of the form shows is shown above the form.', () => {
  expect(aboveForm(failed('/title', '/rules/0/url'))).toBeUndefined();
  expect(aboveForm(failed('/title', '/colour'))).toBe('All of it.');
  expect(aboveForm(failed())).toBe('All of it.');
  expect(aboveForm(failed('/domain'), ['domain'])).toBeUndefined();
});
