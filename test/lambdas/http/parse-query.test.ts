import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endpoint } from '../../../lambdas/http/endpoint.ts';
import { reply } from '../../../lambdas/http/reply.ts';
import { ask, expectProblem } from '../../support/http/api-event.ts';

beforeEach(() => vi.stubEnv('PERMISSION', 'things:write'));
afterEach(() => vi.unstubAllEnvs());

const handler = endpoint({}, async () => reply(200, {}));
const refusal = (...names: string[]) => ({
  status: 422,
  code: 'validation_failed',
  errors: names.map((name) => ({ path: '', code: 'unknown_parameter', message: expect.stringContaining(`"${name}"`) })),
});

test('A request without query parameters passes.', async () => {
  expect(await ask(handler)).toMatchObject({ status: 200 });
  expect(await ask(handler, { query: {} })).toMatchObject({ status: 200 });
});

test.for([
  ['one parameter', '{"limit":"5"}', ['limit']],
  ['a parameter without a value', '{"limit":""}', ['limit']],
  ['a parameter without a name', '{"":"1"}', ['']],
  ['several parameters', '{"a":"1","b":"2"}', ['a', 'b']],
  ['__proto__', '{"__proto__":"1"}', ['__proto__']],
  ['constructor', '{"constructor":"1"}', ['constructor']],
  ['half a surrogate pair', '{"\\ud800":"1"}', ['\ufffd']],
  ['markup', '{"<script>":"1"}', ['<script>']],
] as const)('A query with %s is refused by name.', async ([, query, names]) => {
  expectProblem(await ask(handler, { query: JSON.parse(query) }), refusal(...names));
});

test('A refusal does not quote values.', async () => {
  expect((await ask(handler, { query: { token: 'top-secret' } })).text).not.toContain('top-secret');
});

test('A refusal stays small, however many parameters there are and however long their names.', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `${index}`.padEnd(4000, 'x'));
  const response = await ask(handler, { query: Object.fromEntries(names.map((name) => [name, '1'])) });
  expectProblem(response, refusal(...names.slice(0, 20).map((name) => name.slice(0, 128))));
  expect(response.text.length).toBeLessThan(10_000);
});
