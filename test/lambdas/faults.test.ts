import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { Access } from '../support/access.ts';
import { authorizerScenarios } from '../support/faults/authorizer.ts';
import { bulkScenarios, seldomBulk } from '../support/faults/bulk.ts';
import { domainScenarios, openDns, seldomDomains } from '../support/faults/domains.ts';
import { type Attempt, type Fault, underFaults } from '../support/faults/faults.ts';
import { linkScenarios, seldomLinks } from '../support/faults/links.ts';
import { batchGet, get, insert, openStore, plenty, query, type Scenario, store } from '../support/faults/scenario.ts';
import { seldomTags, tagScenarios } from '../support/faults/tags.ts';
import { visitScenarios } from '../support/faults/visits.ts';
import { withoutLookUpTime } from '../support/look-ups.ts';
import { functionsOf, readTemplate, tableStatements } from '../support/policies.ts';

// The world outside is asked for nothing.
vi.mock('../../lambdas/outbound/framing.ts', () => ({ framingAllowed: async () => false }));

let dns: Awaited<ReturnType<typeof openDns>>;
beforeAll(async () => {
  withoutLookUpTime();
  await openStore();
  dns = await openDns();
});
afterAll(() => dns.stop());

const scenarios: Record<string, Scenario> = {
  ...visitScenarios,
  ...authorizerScenarios,
  ...linkScenarios,
  ...bulkScenarios,
  ...tagScenarios,
  ...domainScenarios,
};

const isWrite = (command: string) => ![get, batchGet, query].includes(command as never);

/** The faults that can befall a call: a read changes nothing, so that it does not matter when its answer was lost. */
function faultsOf(command: string): Fault[] {
  // After which the engine counts, for its conditions and its tokens. The others never come to it: one engine will do.
  if (isSecondEngine) return isWrite(command) ? ['lost-after'] : [];
  return isWrite(command)
    ? ['throttle', 'lost-before', 'lost-after', ...(command === insert ? [] : (['conflict'] as const))]
    : ['throttle', 'lost-before'];
}

/** Whether this is DynamoDB Local. `npm run proof` tries every fault on it, too. */
const isSecondEngine = process.env.ENGINE === 'dynamodb-local';

const little = 1_200;

describe.for(Object.entries(scenarios))('%s', ([, scenario]) => {
  const { calls, arrange, repeated = [], succeeds = 200, settles = calls.length, forgivenFrom = calls.length, alone } = scenario;
  const settlesFrom = settles === true ? 0 : settles;
  test('makes the store calls that are listed, and no others', async () => {
    const { act, check } = await arrange();
    const { result, commands } = await underFaults(
      store.client,
      () => undefined,
      () => act(plenty),
    );
    expect(result.status).toBe(succeeds);
    expect(commands).toEqual(calls);
    await check();
  });

  const each = alone ? test : test.concurrent;
  const points = calls.flatMap((command, index) => faultsOf(command).map((fault) => ({ index, command, fault })));

  each.for(points)('is not disturbed by one $fault at call $index, $command', async ({ index, fault }) => {
    const { act, check } = await arrange();
    const once = (attempt: Attempt) => (attempt.index === index ? fault : undefined);
    expect((await underFaults(store.client, once, () => act(plenty))).result.status).toBe(succeeds);
    await check();
  });

  each.for(points)(
    'says 503, or does without, while every call from $index on, $command, meets $fault, and is right after a repetition',
    async ({ index, fault }) => {
      const { act, check } = await arrange();
      // A conflict befalls writes alone; what is read meanwhile comes through.
      const down = (attempt: Attempt) =>
        attempt.index < index || (fault === 'conflict' && !isWrite(attempt.command)) ? undefined : fault;
      const { result: during } = await underFaults(store.client, down, () => act(little));
      if ((fault === 'lost-after' && index >= settlesFrom) || index >= forgivenFrom) expect(during.status).toBe(succeeds);
      else expect(during).toMatchObject({ status: 503, headers: { 'Retry-After': expect.any(String) } });
      const after = await act(plenty);
      const isDone = fault === 'lost-after' || index > calls.findLastIndex(isWrite);
      expect([succeeds, ...(isDone ? repeated : [])]).toContain(after.status);
      await check();
    },
  );
});

test('each function is allowed what it does on the partitions where it does it, and nothing more', async () => {
  const done: Access[] = [];
  const arranged = [
    ...Object.entries(scenarios).map(([name, { arrange }]) => [name, arrange] as const),
    ...Object.entries({ ...seldomDomains, ...seldomTags, ...seldomLinks, ...seldomBulk }),
  ];
  for (const [name, arrange] of arranged) {
    const { act, check } = await arrange();
    const record = async () => {
      const { accesses } = await underFaults(
        store.client,
        () => undefined,
        () => act(plenty),
      );
      done.push(...accesses.map((access) => ({ ...access, action: `${name.split(':')[0]} ${access.action}` })));
    };
    await record();
    await check();
    // Again: what a repetition finds, as slugs that are taken, needs to be allowed too.
    await record();
  }
  expect(byAction(done)).toEqual(byAction(grants()));
});

/** The leading keys of each action, in order. */
const byAction = (accesses: readonly Access[]): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(accesses, ({ action }) => action)).map(([action, some = []]) => [
      action,
      [...new Set(some.map(({ leadingKey }) => leadingKey))].sort(),
    ]),
  );

/** What the synthesised policies allow each function to do with the table, the function's name before the action. */
function grants(): Access[] {
  const resources = readdirSync(inject('service').outdir)
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => readTemplate(join(inject('service').outdir, file)));
  const names = [...new Set(Object.keys(scenarios).map((name) => name.split(':')[0] ?? ''))];
  // A logical id is the construct's id without its hyphens, and a hash.
  const nameOf = (id: string) => names.find((name) => id.replace(/[0-9A-F]{8}$/, '') === name.replaceAll('-', '')) ?? id;
  return resources
    .flatMap(functionsOf)
    .flatMap(({ id, statements }) =>
      tableStatements(statements).flatMap(({ actions, leadingKeys, index }) =>
        actions.flatMap((action) =>
          leadingKeys.map((leadingKey) => ({ action: `${nameOf(id)} ${action}${index ? ` on ${index}` : ''}`, leadingKey })),
        ),
      ),
    );
}
