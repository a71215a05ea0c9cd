import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { Access } from '../support/access.ts';
import { authorizerScenarios } from '../support/faults/authorizer.ts';
import { bulkScenarios, seldomBulk } from '../support/faults/bulk.ts';
import { domainScenarios, openDns, seldomDomains } from '../support/faults/domains.ts';
import { type Attempt, type Fault, underFaults } from '../support/faults/faults.ts';
import { linkScenarios, seldomLinks } from '../support/faults/links.ts';
import { batchGet, get, insert, openStore, plenty, query, type Scenario } from '../support/faults/scenario.ts';
import { statisticsScenarios } from '../support/faults/statistics.ts';
import { seldomTags, tagScenarios } from '../support/faults/tags.ts';
import { visitScenarios } from '../support/faults/visits.ts';
import { withoutLookUpTime } from '../support/look-ups.ts';
import { functionsOf, readTemplate, tableStatements } from '../support/policies.ts';

// No request leaves the machine.
vi.mock('../../lambdas/outbound/framing.ts', () => ({ framingAllowed: async () => false }));

let dns: Awaited<ReturnType<typeof openDns>>;
beforeAll(async () => {
  withoutLookUpTime();
  await openStore();
  dns = await openDns();
});
afterAll(() => dns.stop());

/** Whether the store goes without the SDK, as in the redirect's bundle. */
const isLean = process.env.TRANSPORT === 'lean';

const scenarios: Record<string, Scenario> = {
  ...visitScenarios,
  ...authorizerScenarios,
  ...(isLean ? {} : { ...linkScenarios, ...bulkScenarios, ...tagScenarios, ...domainScenarios, ...statisticsScenarios }),
};

const isWrite = (command: string) => ![get, batchGet, query].includes(command as never);

/** The faults that a call can meet. A read changes nothing, so it does not matter when its response is lost. */
function faultsOf(command: string): Fault[] {
  // Only a lost response depends on the engine, on its conditions and tokens. Other faults never reach it: one engine is enough.
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
  test('The function makes exactly the store calls that are listed.', async () => {
    const { act, check } = await arrange();
    const { result, commands } = await underFaults(
      () => undefined,
      () => act(plenty),
    );
    expect(result.status).toBe(succeeds);
    expect(commands).toEqual(calls);
    await check();
  });

  const each = alone ? test : test.concurrent;
  const points = calls.flatMap((command, index) => faultsOf(command).map((fault) => ({ index, command, fault })));

  each.for(points)('The function succeeds despite one $fault at call $index ($command).', async ({ index, fault }) => {
    const { act, check } = await arrange();
    const once = (attempt: Attempt) => (attempt.index === index ? fault : undefined);
    expect((await underFaults(once, () => act(plenty))).result.status).toBe(succeeds);
    await check();
  });

  each.for(isSecondEngine ? [] : points)(
    'If every call from $index on, $command, meets $fault, the function reports 503 or does without, and a retry succeeds.',
    async ({ index, fault }) => {
      const { act, check } = await arrange();
      // Only writes meet a conflict; reads succeed meanwhile.
      const down = (attempt: Attempt) =>
        attempt.index < index || (fault === 'conflict' && !isWrite(attempt.command)) ? undefined : fault;
      const { result: during } = await underFaults(down, () => act(little));
      if ((fault === 'lost-after' && index >= settlesFrom) || index >= forgivenFrom) expect(during.status).toBe(succeeds);
      else expect(during).toMatchObject({ status: 503, headers: { 'Retry-After': expect.any(String) } });
      const after = await act(plenty);
      const isDone = fault === 'lost-after' || index > calls.findLastIndex(isWrite);
      expect([succeeds, ...(isDone ? repeated : [])]).toContain(after.status);
      await check();
    },
  );
});

test.skipIf(isLean)(
  'Each function is allowed exactly what it does, on exactly the tables and partitions on which it does it.',
  async () => {
    const done: Access[] = [];
    const arranged = [
      ...Object.entries(scenarios).map(([name, { arrange }]) => [name, arrange] as const),
      ...Object.entries({ ...seldomDomains, ...seldomTags, ...seldomLinks, ...seldomBulk }),
    ];
    for (const [name, arrange] of arranged) {
      const { act, check } = await arrange();
      const record = async () => {
        const { accesses } = await underFaults(
          () => undefined,
          () => act(plenty),
        );
        done.push(...accesses.map((access) => ({ ...access, action: `${name.split(':')[0]} ${access.action}` })));
      };
      await record();
      await check();
      // A repetition finds other things, such as taken slugs, which needs to be allowed too.
      await record();
    }
    expect(byAction(done)).toEqual(byAction(grants()));
  },
);

/** The leading keys of each action, in order. */
const byAction = (accesses: readonly Access[]): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(accesses, ({ action }) => action)).map(([action, some = []]) => [
      action,
      [...new Set(some.map(({ leadingKey }) => leadingKey))].sort(),
    ]),
  );

/** What the synthesised policies allow each function to do with the tables, as the function's name and the action. */
function grants(): Access[] {
  const resources = readdirSync(inject('service').outdir)
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => readTemplate(join(inject('service').outdir, file)));
  const names = [...new Set(Object.keys(scenarios).map((name) => name.split(':')[0] ?? ''))];
  // A logical id is the construct's id without its hyphens, and a hash.
  const nameOf = (id: string) => names.find((name) => id.replace(/[0-9A-F]{8}$/, '') === name.replaceAll('-', '')) ?? id;
  return resources.flatMap(functionsOf).flatMap(({ id, statements }) =>
    tableStatements(statements).flatMap(({ actions, table, leadingKeys, index }) =>
      actions.flatMap((action) =>
        leadingKeys.map((leadingKey) => ({
          action: `${nameOf(id)} ${action} on ${table}${index ? `/${index}` : ''}`,
          leadingKey,
        })),
      ),
    ),
  );
}
