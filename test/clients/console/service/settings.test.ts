import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SaidError, UnsureError } from '../../../../clients/console/service/failures.ts';
import { saveSettings, type Tagged, takeBack } from '../../../../clients/console/service/settings.ts';
import { ProblemError } from '../../../../clients/typescript/problem.ts';
import { runs } from '../../../support/run/proof.ts';

type Thing = { readonly a: string; readonly b: string; readonly c: string };

/** A service with one thing, and a plan of what happens to its next requests. */
function serviceWith(thing: Thing, plan: readonly ('lost-before' | 'lost-after' | Partial<Thing>)[]) {
  let now = thing;
  let version = 1;
  const steps = [...plan];
  const tagged = (): Tagged<Thing> => ({ value: now, etag: String(version) });
  const write = (change: Partial<Thing>) => {
    now = { ...now, ...change };
    version++;
  };
  const patch = async (body: object, etag: string): Promise<Tagged<Thing>> => {
    const step = steps.shift();
    if (typeof step === 'object') write(step);
    if (step === 'lost-before') throw new Error('lost');
    if (etag !== String(version)) throw new ProblemError(412, '{}', false);
    write(body);
    if (step === 'lost-after') throw new Error('lost');
    return tagged();
  };
  return { tagged, calls: { get: async () => tagged(), patch }, current: () => now };
}

const silent = { say: () => {}, wait: async () => {} };
const thing: Thing = { a: '0', b: '0', c: '0' };

describe('Saved settings', () => {
  const value = fc.constantFrom('0', '1', '2');
  const change = fc.record({ a: value, b: value, c: value }, { requiredKeys: [], noNullPrototype: true });
  const step = fc.oneof(fc.constantFrom('lost-before' as const, 'lost-after' as const), change);

  test('never overwrite what somebody else has changed since, are stored if the page says so, and are undone only where they changed something.', async () => {
    await fc.assert(
      fc.asyncProperty(change, fc.array(step, { maxLength: 3 }), async (mine, plan) => {
        const service = serviceWith(thing, plan);
        const saved = await saveSettings(mine, service.tagged(), service.calls, silent.say, silent.wait);
        const others = plan.filter((one) => typeof one === 'object');
        const touched = new Set(others.flatMap((one) => Object.keys(one)));
        if (saved.kind === 'saved') {
          expect(service.current()).toMatchObject(mine);
          // Undo leaves values that others had set before. After a lost answer, it is unknown whether they had.
          const theirs: Thing = Object.assign({}, thing, ...others);
          const hasLost = others.length < plan.length;
          const changed = Object.entries(mine).filter(([name, to]) => to !== (hasLost ? thing : theirs)[name as keyof Thing]);
          if (hasLost) expect(Object.fromEntries(changed.map(([name]) => [name, '0']))).toMatchObject(saved.former);
          else expect(saved.former).toEqual(Object.fromEntries(changed.map(([name]) => [name, '0'])));
        } else {
          expect(saved.names.every((name) => touched.has(name))).toBe(true);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test('that somebody else has changed to other values are named, with those values.', async () => {
    const service = serviceWith(thing, [{ a: '2', b: '1' }]);
    const saved = await saveSettings({ a: '1', b: '1', c: '1' }, service.tagged(), service.calls, silent.say, silent.wait);
    expect(saved).toMatchObject({ kind: 'clash', names: ['a'], version: { value: { a: '2', b: '1', c: '0' } } });
    expect(service.current()).toEqual({ a: '2', b: '1', c: '0' });
  });

  test('whose answers are all lost are reported as uncertain.', async () => {
    const service = serviceWith(
      thing,
      Array.from({ length: 9 }, () => 'lost-before' as const),
    );
    const said: string[] = [];
    const saving = saveSettings({ a: '1' }, service.tagged(), service.calls, (text) => void said.push(text), silent.wait);
    await expect(saving).rejects.toThrow(UnsureError);
    expect(said).toContain('Checking whether it was saved…');
  });

  test('are undone even if the answer is lost, but not if somebody has changed the same setting since.', async () => {
    const service = serviceWith(thing, [{}, 'lost-after']);
    const saved = await saveSettings({ a: '1' }, service.tagged(), service.calls, silent.say, silent.wait);
    await takeBack({ a: '0' }, saved.version, service.calls, silent.say, silent.wait);
    expect(service.current()).toEqual(thing);

    for (const others of [[{ a: '2' }], [{ a: '0' }, { a: '1' }]]) {
      const later = serviceWith(thing, []);
      const again = await saveSettings({ a: '1' }, later.tagged(), later.calls, silent.say, silent.wait);
      for (const change of others) await later.calls.patch(change, later.tagged().etag);
      const now = later.current();
      await expect(takeBack({ a: '0' }, again.version, later.calls, silent.say, silent.wait)).rejects.toThrow(SaidError);
      expect(later.current()).toEqual(now);
    }
  });
});
