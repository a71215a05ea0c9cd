import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { localStage } from '../../lib/stages/stages.ts';
import { sealingScenarios } from '../support/clicks/sealing-faults.ts';
import { adminScenarios } from '../support/faults/admin.ts';
import { authorizerScenarios } from '../support/faults/authorizer.ts';
import { bulkScenarios } from '../support/faults/bulk.ts';
import { deliveryScenarios, openReceiver } from '../support/faults/deliveries.ts';
import { domainScenarios, openDns } from '../support/faults/domains.ts';
import { type Attempt, type Fault, ifPossible, underFaults } from '../support/faults/faults.ts';
import { historyScenarios } from '../support/faults/history.ts';
import { keyScenarios } from '../support/faults/keys.ts';
import { linkScenarios } from '../support/faults/links.ts';
import { awsForDomains, managedDomainScenarios } from '../support/faults/managed-domains.ts';
import { memberScenarios } from '../support/faults/members.ts';
import { namedLinkScenarios } from '../support/faults/named-links.ts';
import {
  type Answer,
  type Command,
  isWrite,
  openStore,
  plenty,
  type Scenario,
  type Scenarios,
} from '../support/faults/scenario.ts';
import { signInScenarios } from '../support/faults/sign-ins.ts';
import { unsignedIn } from '../support/faults/signatures.ts';
import { statisticsScenarios } from '../support/faults/statistics.ts';
import { tagScenarios } from '../support/faults/tags.ts';
import { uniqueScenarios } from '../support/faults/uniques.ts';
import { visitScenarios } from '../support/faults/visits.ts';
import { webhookScenarios } from '../support/faults/webhooks.ts';
import { withoutLookUpTime } from '../support/http/look-ups.ts';
import { isProof, someOf } from '../support/run/proof.ts';
import { functionsOf, readTemplate, type Template, tableStatements } from '../support/stacks/policies.ts';
import { stacksOf } from '../support/stacks/stacks.ts';
import type { Access } from '../support/store/access.ts';
import { inOwnTime } from '../support/store/own-time.ts';
import { templateScenarios } from '../support/things/template-faults.ts';

vi.mock('../../lambdas/runtime/instant.ts', async (original) =>
  (await import('../support/store/own-time.ts')).withOwnTime(await original()),
);
// The tests send no request to the internet.
vi.mock('../../lambdas/outbound/framing.ts', () => ({ framingAllowed: async () => false }));

vi.mock('../../lambdas/outbound/click-files.ts', async () => (await import('../support/clicks/sealing-faults.ts')).bucket.module);
vi.mock(
  '../../lambdas/outbound/waiting-clicks.ts',
  async () => (await import('../support/clicks/waiting-queue.ts')).waitingQueue({ isRead: true }).module,
);

let dns: Awaited<ReturnType<typeof openDns>>;
let closeReceiver: () => Promise<void>;
beforeAll(async () => {
  withoutLookUpTime();
  await openStore();
  dns = await openDns();
  closeReceiver = await openReceiver(awsForDomains);
});
afterAll(() => Promise.all([dns.stop(), closeReceiver()]));

/**
 * With the lean transport, each scenario runs: it takes half of the SDK's processor time. Only a lost response to a
 * write depends on what is below the store: on the conditions and tokens of the engine, and on how the transport reports
 * them. Other faults never reach either. So with the SDK, and on the second engine, each function loses the response to
 * its first write of each kind, and each scenario without writes runs once. `npm run proof` tries everything.
 */
const isWhole = process.env.TRANSPORT === 'lean' || isProof;

const scenarios: Scenarios = {
  ...visitScenarios,
  ...uniqueScenarios,
  ...authorizerScenarios,
  ...linkScenarios,
  ...namedLinkScenarios,
  ...bulkScenarios,
  ...tagScenarios,
  ...templateScenarios,
  ...domainScenarios,
  ...managedDomainScenarios,
  ...webhookScenarios,
  ...keyScenarios,
  ...memberScenarios,
  ...signInScenarios,
  ...statisticsScenarios,
  ...deliveryScenarios,
  ...sealingScenarios,
  ...historyScenarios,
  ...adminScenarios,
};

type Point = { readonly index: number; readonly command: Command; readonly fault: Fault };

/** Each call of a scenario with each of these faults that it can meet, those of reads and those of writes. */
const pointsOf = ({ calls }: Scenario, ofReads: readonly Fault[], ofWrites: readonly Fault[]): Point[] =>
  calls.flatMap((command, index) => {
    const faults = (isWrite(command) ? ofWrites : ofReads).filter((fault) => ifPossible(fault, command));
    return faults.map((fault) => ({ index, command, fault }));
  });

/** A call's command and items, without values that differ, such as the end of a lease. */
const aimOf = ({ command, input }: Attempt): string =>
  `${command} ${JSON.stringify(input, (name, value) => {
    if (name === 'ExpressionAttributeValues') return undefined;
    return name === 'Item' ? [value.pk, value.sk] : value;
  })}`;

/**
 * The first attempt at each call fails in a way that executes nothing: those at reads are lost, and those at writes are
 * refused in turn. The second attempt at each write is executed, and its response is lost. An attempt is a retry if the
 * same call was sent before.
 */
function eachOnce() {
  const sent = new Set<string>();
  const lost = new Set<string>();
  return (attempt: Attempt): Fault | undefined => {
    const { command, input } = attempt;
    const call = `${command} ${JSON.stringify(input)}`;
    if (!sent.has(call)) {
      sent.add(call);
      const refusal = sent.size % 2 ? 'throttle' : 'conflict';
      return isWrite(command) ? (ifPossible(refusal, command) ?? 'throttle') : 'lost-before';
    }
    const aim = aimOf(attempt);
    if (!isWrite(command) || lost.has(aim)) return undefined;
    lost.add(aim);
    return 'lost-after';
  };
}

const sampled = new Set<string>();

/** The function's first write of each kind in any scenario. */
const sampleOf = (name: string, writes: readonly Point[]): readonly Point[] =>
  writes.filter(({ command }) => {
    const kind = `${name.split(':')[0]} ${command}`;
    return !sampled.has(kind) && sampled.add(kind);
  });

/** The scenarios, each with the writes whose responses are lost while somebody else acts. */
const tried = Object.entries(scenarios).flatMap(([name, scenario]) => {
  const writes = pointsOf(scenario, [], isWhole ? ['lost-before', 'lost-after'] : ['lost-after']);
  const rivalled = isWhole ? someOf(writes, name) : sampleOf(name, writes);
  return isWhole || rivalled.length > 0 || writes.length === 0 ? [[name, scenario, rivalled] as const] : [];
});

/** The scenarios of functions. The operator's commands have the operator's own rights. */
const ofFunctions = Object.entries(scenarios).filter(([name]) => !name.startsWith('admin:'));

const little = 1_200;

/** The fault, at one call. */
const once = (index: number, fault: Fault) => (attempt: Attempt) => (attempt.index === index ? fault : undefined);

/** Runs work without faults, in its own time. */
const undisturbed = (work: () => Promise<Answer>) =>
  underFaults(
    () => undefined,
    () => inOwnTime(work),
  );

/** The accesses of each scenario to the tables, as far as its tests have run. */
const accessesOf = new Map<string, readonly Access[]>();

/** Runs a scenario twice: the second run meets the results of the first one, such as taken slugs. */
async function record([name, { arrange }]: [string, Scenario]) {
  const { act, check } = await arrange();
  const first = await undisturbed(() => act(plenty));
  await check();
  if (isWhole) accessesOf.set(name, [...first.accesses, ...(await undisturbed(() => act(plenty))).accesses]);
  return first;
}

// In turn, because the other client's actions take some of the function's time for a write.
describe.for(tried)('%s', ([name, scenario, rivalled]) => {
  const { calls, arrange, succeeds = 200 } = scenario;

  // A run that loses a response makes the same calls.
  if (isWhole || rivalled.length === 0) {
    test('The function makes exactly the store calls that are listed.', async () => {
      const { result, commands, attempts } = await record([name, scenario]);
      expect(result.status).toBe(succeeds);
      expect(commands).toEqual(calls);
      expect(unsignedIn(attempts), 'each write of a link, tag, domain or key says who made it').toEqual([]);
    });
  }

  // `npm run proof` tries each fault at each call on its own.
  test.for(isProof ? pointsOf(scenario, ['lost-before'], ['throttle', 'lost-after', 'conflict']) : [])(
    'The function succeeds despite one $fault at call $index ($command).',
    async ({ index, fault }) => {
      const { act, check } = await arrange();
      const { result } = await underFaults(once(index, fault), () => inOwnTime(() => act(plenty)));
      expect(result.status).toBe(succeeds);
      await check();
    },
  );

  if (isWhole && !isProof) {
    test('The function succeeds although each call fails once, and each write also loses a response.', async () => {
      const { act, check } = await arrange();
      const { result } = await underFaults(eachOnce(), () => inOwnTime(() => act(plenty)));
      expect(result.status).toBe(succeeds);
      await check();
    });
  }

  test.for(rivalled)(
    "If call $index ($command) is $fault and somebody else acts before its retry, neither undoes the other's change.",
    async ({ index, fault }) => {
      const { act, meanwhile, checkBoth } = await arrange();
      if (!meanwhile || !checkBoth) throw new Error('a scenario with a write must say what somebody else does');
      const { result } = await underFaults(once(index, fault), () => inOwnTime(() => act(plenty)), meanwhile);
      await checkBoth(result);
    },
  );
});

function testOutages(name: string, scenario: Scenario, each: typeof test | typeof test.concurrent): void {
  const { calls, arrange, succeeds = 200, repeated = [], decisive = calls.findLastIndex(isWrite) } = scenario;
  const { settles = calls.length, forgivenFrom = calls.length } = scenario;
  const settlesFrom = settles === true ? 0 : settles;

  const points = pointsOf(scenario, ['lost-before'], ['lost-before', 'lost-after', 'conflict']);
  each.for(someOf(points, `outage ${name}`))(
    'If each call from $index on, $command, meets $fault, the function returns 503 or does without it, and a retry succeeds.',
    async ({ index, fault }) => {
      const { act, check } = await arrange();
      const down = (attempt: Attempt) => (attempt.index < index ? undefined : ifPossible(fault, attempt.command));
      const isSuccess = (fault === 'lost-after' && index >= settlesFrom) || index >= forgivenFrom;
      const { result: during } = await underFaults(down, () => inOwnTime(() => act(little)));
      if (isSuccess) expect(during.status).toBe(succeeds);
      else expect(during).toMatchObject({ status: 503, headers: { 'Retry-After': expect.any(String) } });
      const after = await inOwnTime(() => act(plenty));
      const isDone = fault === 'lost-after' || index > decisive;
      expect([succeeds, ...(isDone ? repeated : [])]).toContain(after.status);
      await check();
    },
  );
}

if (isWhole) {
  const [alone = [], together = []] = [true, undefined].map((isAlone) =>
    Object.entries(scenarios).filter(([, scenario]) => scenario.alone === isAlone),
  );
  // In parallel, because functions mostly wait for their next attempt.
  describe.concurrent.for(together)('An outage during %s', ([name, scenario]) => testOutages(name, scenario, test.concurrent));
  describe.for(alone)('An outage during %s', ([name, scenario]) => testOutages(name, scenario, test));

  test.for([
    ['without', false],
    ['with', true],
  ] as const)(
    'On a stage %s managed domains, each function is allowed exactly the actions that it uses, on exactly the tables and partitions that it uses.',
    async ([, isManaged]) => {
      const done: Access[] = [];
      for (const [name, scenario] of ofFunctions) {
        if (!isManaged && name in managedDomainScenarios) continue;
        // Scenarios whose own tests did not run, for example because -t selects only this test.
        if (!accessesOf.has(name)) await record([name, scenario]);
        for (const access of accessesOf.get(name) ?? []) {
          done.push({ ...access, action: `${name.split(':')[0]} ${access.action}` });
        }
      }
      expect(byAction(done)).toEqual(byAction(grants(isManaged)));
    },
  );
}

/** The leading keys of each action, in order. */
const byAction = (accesses: readonly Access[]): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(accesses, ({ action }) => action)).map(([action, some = []]) => [
      action,
      [...new Set(some.map(({ leadingKey }) => leadingKey))].sort(),
    ]),
  );

/** The tables' actions that the synthesised policies allow, by function. */
function grants(isManaged: boolean): Access[] {
  const resources = readdirSync(inject('service').outdir)
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => readTemplate(join(inject('service').outdir, file)));
  const names = [...new Set(ofFunctions.map(([name]) => name.split(':')[0] ?? ''))];
  // A logical id is the construct's id without its hyphens, and a hash.
  const nameOf = (id: string) => names.find((name) => id.replace(/[0-9A-F]{8}$/, '') === name.replaceAll('-', '')) ?? id;
  // Only a stage with a provider has the function that signs people in.
  const larger = stacksOf(localStage(3000, { issuer: 'https://accounts.example.com', clientId: 'client' }, true)).all.flatMap(
    (template) => functionsOf(template.toJSON() as Template),
  );
  const functions = isManaged
    ? larger
    : [...resources.flatMap(functionsOf), ...larger.filter(({ id }) => nameOf(id) === 'sign-in')];
  return functions.flatMap(({ id, statements }) =>
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
