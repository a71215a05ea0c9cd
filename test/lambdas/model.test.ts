import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEngine } from '../../local/database/engine.ts';
import type { Engine } from '../../local/database/engine-types.ts';
import { type FaultProxy, type Passage, startFaultProxy } from '../support/faults/proxy.ts';
import { doBulk, isBulk, newMinute } from '../support/model/bulk.ts';
import { type Asked, outcomesOf } from '../support/model/changes.ts';
import { type Client, type Doing, isPossible, type Model } from '../support/model/client.ts';
import { first, second, steps } from '../support/model/doings.ts';
import { lookBack } from '../support/model/history.ts';
import { conditionOf } from '../support/model/links.ts';
import { look, lookAround } from '../support/model/lists.ts';
import { emptyState, type State, viewOf, withTimes } from '../support/model/model.ts';
import { doOne } from '../support/model/step.ts';
import { patience } from '../support/run/patience.ts';
import { runs, sized } from '../support/run/proof.ts';
import { type OwnService, useOwnService } from '../support/service/service.ts';

let engine: Engine;
let proxy: FaultProxy;
let service: OwnService;
let store: typeof import('../../lambdas/store/table/reads.ts') & typeof import('../../lambdas/store/table/writes.ts');

beforeAll(async () => {
  // Its own engine, because the template names the table, and only this test's calls may get faults.
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'links-model-'));
  engine = await startEngine({ folder, scratch: true, log: console.error, onFailure: console.error });
  proxy = await startFaultProxy(engine.endpoint);
  process.env.DYNAMODB_ENDPOINT = proxy.endpoint;
  service = await useOwnService();
  // The operator's calls are not tested, so they bypass the proxy.
  process.env.AWS_ENDPOINT_URL_DYNAMODB = engine.endpoint;
  store = { ...(await import('../../lambdas/store/table/reads.ts')), ...(await import('../../lambdas/store/table/writes.ts')) };
});
afterAll(async () => {
  await service?.stop();
  await proxy?.stop();
  await engine?.stop();
});

async function newClient(): Promise<Client> {
  const workspace = await service.newWorkspace();
  const newBulkKey = async () => {
    const made = await service.createApiKey(
      { ...workspace, gatewayKey: randomUUID() },
      { name: null, permissions: ['links:write'] },
    );
    return made.key;
  };
  const other = `also.${workspace.domain}`;
  await service.addDomain(workspace.id, other, 'ACTIVE');
  const passMinute = async () => {
    // A slot that has left the window counts as free.
    for (const name of ['bulk', 'bulk-changes']) await store.deleteItem({ pk: `WORKSPACE#${workspace.id}`, sk: `LIMIT#${name}` });
  };
  return { ...workspace, domains: [workspace.domain, other], send: service.send, newBulkKey, passMinute };
}

/** Concurrent actions of clients, and the faults of their store calls. */
function step(doings: readonly Doing[], passages: readonly Passage[]): fc.AsyncCommand<Model, Client> {
  return {
    check: (model) => doings.some((doing) => isPossible(model, doing)),
    run: async (model, client) => {
      const possible = doings.filter((doing) => isPossible(model, doing));
      const conditions = await Promise.all(possible.map((doing) => conditionOf(model, client, doing)));
      proxy.plan(passages);
      const [single, bulk] = await Promise.all([
        Promise.all(possible.map((doing, place) => (isBulk(doing) ? undefined : doOne(model, client, doing, conditions[place])))),
        doBulk(model, client, possible.filter(isBulk)),
      ]);
      proxy.plan([]);

      const done = [...single.filter((one) => one !== undefined), ...bulk];
      // With faults, a change may have been made and its retry refused, because its target has changed since.
      const asked: Asked[] = done.flatMap((one) => one.asked.map((each) => ({ ...each, unheard: mayBeUnheard(each, passages) })));
      const { state } = model;
      model.everyTag.push(...asked.flatMap(({ change }) => (change.kind === 'create-tag' ? (change.tag.id ?? []) : [])));
      const shown = await look(client, model);
      const outcomes = outcomesOf(state, asked);
      const fitting = outcomes.find((one) => isDeepStrictEqual(viewOf(one, shown), shown)) ?? outcomes[0];
      const answers = done.map(({ answer }) => `${answer?.status} ${answer?.text}`);
      expect(fitting, `no order gives the answers ${answers.join('\n')}`).toBeDefined();
      model.state = withTimes(fitting as State, shown);
      expect(shown).toEqual(viewOf(fitting as State, shown));
      for (const { change, statuses } of asked) {
        const isCreation = change.kind === 'create-link' || change.kind === 'put-link';
        if (isCreation && statuses.includes(201)) model.born.set(String(change.link.fields.id), change.link);
      }
      // A link whose creation lost its response: it may be any of several.
      for (const { change } of asked) {
        const id = change.kind === 'put-link' ? change.link.fields.id : undefined;
        if (id !== undefined && !model.born.has(String(id))) model.born.set(String(id), undefined);
      }
      model.dead.push(...Object.keys(state.links).filter((id) => !model.state.links[id]));
      for (const { check } of done) check?.(model.state, done.length === 1 && passages.length === 0, asked);
    },
    toString: () =>
      `\n  ${doings.map((doing) => JSON.stringify(doing)).join(' & ')}${passages.length > 0 ? ` under ${passages}` : ''}`,
  };
}

const mayBeUnheard = ({ change: { kind }, repeated }: Omit<Asked, 'unheard'>, passages: readonly Passage[]): boolean =>
  passages.length > 0 &&
  repeated !== false &&
  ['rename-tag', 'update-link', 'put-link', 'remove-alias', 'delete-link'].includes(kind);

const commands = fc.commands(
  steps.map((one) => one.map(([doings, befalling]) => step(doings, befalling))),
  { maxCommands: 20, size: 'max' },
);

/** The commit's own seed in `npm test`, a new one in each `npm run proof`. MODEL_SEED sets it, to reproduce a failure. */
const seed = Number(process.env.MODEL_SEED ?? sized(Number(process.env.SEED), Date.now() % 2 ** 31));

test(`Whatever happens at once or is lost, tags, counts, links and their histories match the model (seed ${seed}).`, async () => {
  const end = Date.now() + sized(patience, 20 * 60_000);
  const property = fc.asyncProperty(commands, async (several) => {
    // Stops here, so that a failure is reported instead of being shrunk beyond the test's timeout.
    if (Date.now() > end) return;
    const client = await newClient();
    const model: Model = {
      state: emptyState,
      everyTag: [],
      born: new Map(),
      dead: [],
      seen: new Map(),
      imports: [],
      creations: [],
      minute: newMinute(),
    };
    try {
      await step(first, []).run(model, client);
      await step(second, []).run(model, client);
      await fc.asyncModelRun(() => ({ model, real: client }), several);
      await lookBack(client, model);
      await lookAround(client, model);
    } finally {
      proxy.plan([]);
    }
  });
  await fc.assert(property, { seed, numRuns: runs(2) });
});
