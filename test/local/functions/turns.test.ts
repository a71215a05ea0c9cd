import fc from 'fast-check';
import { expect, test } from 'vitest';
import { turns } from '../../../local/functions/turns.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Tracks who is at work, in the order in which they begin, with a way to end each. */
function follow(limits: Parameters<typeof turns>[0]) {
  const turn = turns(limits);
  const begun: { readonly name: string; readonly caller: string; readonly end: () => void }[] = [];
  const order: string[] = [];
  const come = (name: string, caller: string, line = '') =>
    void turn({ caller, line }).then((end) => {
      begun.push({ name, caller, end });
      order.push(name);
    });
  const end = async (index = 0) => {
    const [ending] = begun.splice(index % (begun.length || 1), 1);
    ending?.end();
    ending?.end();
    await settled();
    return ending;
  };
  return { come, end, begun, order };
}

test('The limits hold, no capacity stays free while a caller waits, and each caller is eventually served.', () =>
  fc.assert(
    fc.asyncProperty(
      fc.record({ each: fc.integer({ min: 1, max: 3 }), all: fc.integer({ min: 1, max: 5 }) }),
      fc.array(
        fc.oneof(
          fc.record({ caller: fc.constantFrom('a', 'b', 'c', 'd'), line: fc.constantFrom('', '1', '2') }),
          fc.record({ ends: fc.nat({ max: 20 }) }),
        ),
      ),
      async (limits, steps) => {
        const { come, end, begun, order } = follow(limits);
        const came: { readonly name: string; readonly caller: string }[] = [];
        for (const [index, step] of steps.entries()) {
          if ('ends' in step) await end(step.ends);
          else {
            came.push({ name: `${index}`, caller: step.caller });
            come(`${index}`, step.caller, step.line);
            await settled();
          }
          const atWork = (caller: string) => begun.filter((one) => one.caller === caller).length;
          const waiting = came.filter(({ name }) => !order.includes(name));
          expect(begun.length).toBeLessThanOrEqual(limits.all);
          for (const { caller } of begun) expect(atWork(caller)).toBeLessThanOrEqual(limits.each);
          expect(begun.length === limits.all || waiting.every(({ caller }) => atWork(caller) === limits.each)).toBe(true);
        }
        while (begun.length > 0) await end();
        expect(order).toHaveLength(came.length);
      },
    ),
  ));

test('A new caller is served next, however many wait before it, even among the lines of one caller.', async () => {
  const { come, end, begun, order } = follow({ each: 4, all: 6 });
  for (let index = 0; index < 20; index++) come(`a${index}`, 'a', `${index % 2}`);
  for (let index = 0; index < 20; index++) come(`b${index}`, 'b');
  come('c', 'c');
  come('a, another line', 'a', 'another');
  await settled();
  // Four of a, which is its limit, and two of b.
  expect(begun.map(({ caller }) => caller).join('')).toBe('aaaabb');
  await end();
  expect(order.at(-1)).toBe('c');
  while (begun.length > 0) await end();
  // It comes after one of each line that was there.
  expect(order.filter((name) => name.startsWith('a'))[6]).toBe('a, another line');
});

test("A caller's requests are served in the order of arrival, and ending one twice counts once.", async () => {
  const { come, end, begun, order } = follow({ each: 3, all: 3 });
  for (let index = 0; index < 20; index++) come(`${index}`, 'a');
  await settled();
  expect(begun).toHaveLength(3);
  while (begun.length > 0) await end();
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => `${index}`));
});
