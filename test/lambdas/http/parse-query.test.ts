import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endpoint } from '../../../lambdas/http/endpoint.ts';
import { reply } from '../../../lambdas/http/reply.ts';
import { ask, expectProblem } from '../../support/api-event.ts';

beforeEach(() => vi.stubEnv('PERMISSION', 'things:write'));
afterEach(() => vi.unstubAllEnvs());

const handler = endpoint({}, async () => reply(200, {}));
const refusal = (...names: string[]) => ({
  status: 422,
  code: 'validation_failed',
  errors: names.map((name) => ({ path: '', code: 'unknown_parameter', message: expect.stringContaining(`"${name}"`) })),
});

test('a request without query parameters passes', async () => {
  expect(await ask(handler)).toMatchObject({ status: 200 });
  expect(await ask(handler, { query: {} })).toMatchObject({ status: 200 });
});

test.for([
  ['one', '{"limit":"5"}', ['limit']],
  ['one without a value', '{"limit":""}', ['limit']],
  ['one without a name', '{"":"1"}', ['']],
  ['several', '{"a":"1","b":"2"}', ['a', 'b']],
  ['__proto__', '{"__proto__":"1"}', ['__proto__']],
  ['constructor', '{"constructor":"1"}', ['constructor']],
  ['half a surrogate pair', '{"\\ud800":"1"}', ['\ufffd']],
  ['markup', '{"<script>":"1"}', ['<script>']],
] as const)('a request with %s is refused by the names of them', async ([, query, names]) => {
  expectProblem(await ask(handler, { query: JSON.parse(query) }), refusal(...names));
});

test('values are not repeated', async () => {
  expect((await ask(handler, { query: { token: 'top-secret' } })).text).not.toContain('top-secret');
});

test('however many there are and however long their names, the answer stays small', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `${index}`.padEnd(4000, 'x'));
  const answer = await ask(handler, { query: Object.fromEntries(names.map((name) => [name, '1'])) });
  expectProblem(answer, refusal(...names.slice(0, 20).map((name) => name.slice(0, 128))));
  expect(answer.text.length).toBeLessThan(10_000);
});
