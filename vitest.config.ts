import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { findJava } from './local/database/dynamodb-local.ts';
import { findEngine } from './local/database/engine.ts';
import { patience } from './test/support/run/patience.ts';

/** Tests of the calls to DynamoDB, which must pass on any engine. `npm run proof` runs them all on the second one. */
const storeTests = ['test/lambdas/{store,operator,events}/**/*.test.ts', 'test/lambdas/faults.test.ts'];
/** Those that `npm test` runs on the second engine: every store call of every function, and the meaning of writes. */
const callTests = ['test/lambdas/store/table/items.test.ts', 'test/lambdas/faults.test.ts'];
/**
 * Store tests that run only on the embedded engine. DynamoDB Local counts no units for PartiQL statements, and 2 units
 * for a transaction of any size. It needs a minute for a large sweep or list. `counted-visits` starts a whole service,
 * which has its own engine. The last ones are about units, backups that are made of the embedded engine's stream, and that
 * engine itself.
 */
const embeddedAlone = [
  'test/lambdas/store/capacity.test.ts',
  'test/lambdas/events/counted-visits.test.ts',
  'test/lambdas/events/large-sweep.test.ts',
  'test/lambdas/store/links/large-list.test.ts',
  'test/tools/cost/cost.test.ts',
  'test/bin/restore.test.ts',
  'test/local/database/embedded-engine.test.ts',
];
/** `npm run proof` runs only the tests that it makes longer or larger. */
const isProof = process.env.PROOF !== undefined;
const textOf = (file: string) => readFileSync(file, 'utf8');
/** If not, DynamoDB Local is the only engine. */
const isEmbedded = findEngine().name === 'embedded';
/** This file is read for each project, and starting Java takes a third of a second. */
process.env.TEST_JAVA ??= findJava() ?? '';
const hasJava = process.env.TEST_JAVA !== '';
const files = globSync('test/**/*.test.ts', { exclude: ['**/node_modules'] }).filter(
  (file) =>
    (!isProof || /\b(runs|sized|someOf|someNumbers)\(/.test(textOf(file))) && (isEmbedded || !embeddedAlone.includes(file)),
);
/**
 * Tests that neither replace modules nor use the store, and undo what they do to the environment, timers and functions,
 * so that files can share a process. The first synthesis in a process takes several times as long as the next.
 */
const plainTests = files.filter(
  (file) =>
    (/^test\/(lib|bin\/cdk|lambdas\/(core|http|views|runtime))\//.test(file) &&
      !/vi\.mock|useStore|startService/.test(textOf(file))) ||
    (/^test\/([^/]+$|(bin|clients|local|openapi|support\/(docs|run)|tools|lambdas\/(click-log|outbound|redirect|sign-in|store\/table))\/)/.test(
      file,
    ) &&
      !/\b(vi\.|process\.env|useStore|useTables|use(Own|SignIn)?Service|startService)|fake-dynamodb|local-processes|support\/(http\/(dns|public-names)|store\/clocks)/.test(
        textOf(file),
      )),
);
/** Plain tests that synthesise many stages. The validation mostly waits for another program, so it runs with the others. */
const isOfStacks = (file: string) => /^test\/(lib\/(?!validation)|bin\/cdk\/)/.test(file);
/** Tests that only send requests to the whole service, which they share. */
const serviceTests = files.filter((file) => /\buseService\(/.test(textOf(file)));
/**
 * Tests of the store, and of functions without the service around them, which change nothing that others can see: each
 * has workspaces of its own, and undoes what it does to timers and functions. Files that share a process share its tables
 * and the loaded store. Each file that needs a domain's target, or the names that the stage serves, sets both. The daily
 * check takes a part of all domains.
 */
const workspaceTests = files.filter(
  (file) =>
    /^test\/lambdas\/(endpoints|operator|redirect|store)\//.test(file) &&
    /\buseStore\(/.test(textOf(file)) &&
    !/vi\.mock|process\.env\.(?!DOMAIN_TARGET|SERVED_NAMES = '\*')|blockHost|startEndpoint|support\/(store\/clocks|http\/(dns|look-ups))|faults\/(deliveries|domains)|domains\/checks/.test(
      textOf(file),
    ),
);
/**
 * Tests that run with both transports. The others of the store run with the lean one only, which takes half of the SDK's
 * processor time and sends the same requests. The second engine runs the fault table with the SDK.
 */
const bothTests = [
  ...(isEmbedded && hasJava && !isProof ? [] : ['test/lambdas/faults.test.ts']),
  'test/lambdas/{operator/blocked-hosts,store/api-keys/api-keys,store/hosts/destinations,store/lost-answers}.test.ts',
  'test/lambdas/store/table/{dynamodb,items}.test.ts',
];
/** Tests that replace parts of the SDK. */
const sdkTests = files.filter((file) => /support\/store\/clocks/.test(textOf(file)));
const lean = { '#transport': `${import.meta.dirname}/test/support/store/lean-transport.ts` };
/** Reports as skipped what needs an engine that is not available. */
const secondEngine = 'test/support/store/dynamodb-local.test.ts';

/** What the randomized tests of this commit begin with. Without Git, it is another number each time. */
const seedOf = (): number => {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  return stdout ? Number.parseInt(stdout.slice(0, 7), 16) : randomInt(2 ** 28);
};

export default defineConfig({
  test: {
    // A process per file, because the store reads its settings from the environment; below are the exceptions.
    pool: 'forks',
    // More workers than cores: much of the time, a test waits for an engine or for a timeout.
    maxWorkers: availableParallelism() + 2,
    maxConcurrency: 20,
    // What functions log under injected faults matters only if a test fails.
    silent: isProof ? false : 'passed-only',
    onConsoleLog: (line) => !isProof || /^\d+ runs, seed /.test(line),
    // Only for what hangs: on a busy machine, everything takes long, and the first use of a function or of an engine longer.
    testTimeout: isProof ? 60 * 60_000 : 5 * 60_000,
    hookTimeout: 5 * 60_000,
    expect: { poll: { timeout: patience } },
    setupFiles: [isProof ? 'test/support/run/proof-setup.ts' : 'test/support/run/seed-setup.ts'],
    env: { SEED: process.env.SEED ?? String(seedOf()) },
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'node_modules/.cache/test-results.json' }]] : ['default'],
    projects: [
      {
        extends: true,
        resolve: { alias: lean },
        test: {
          name: 'embedded',
          env: { TRANSPORT: 'lean' },
          include: files,
          exclude: [secondEngine, ...plainTests, ...serviceTests, ...workspaceTests, ...sdkTests],
          globalSetup: 'test/support/service/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'plain',
          isolate: false,
          include: plainTests.filter((file) => !isOfStacks(file)),
          globalSetup: 'test/support/service/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'stacks',
          isolate: false,
          // These only compute, and each further worker synthesises the same stages again. Another number of workers
          // needs an order of its own: they come last.
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 1 },
          include: plainTests.filter(isOfStacks),
          globalSetup: 'test/support/service/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          isolate: false,
          include: serviceTests,
          globalSetup: 'test/support/service/shared-service-setup.ts',
        },
      },
      {
        extends: true,
        resolve: { alias: lean },
        test: {
          name: 'workspaces',
          isolate: false,
          env: { TRANSPORT: 'lean' },
          include: workspaceTests,
          globalSetup: 'test/support/service/global-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'sdk',
          include: [...bothTests, ...sdkTests],
          globalSetup: 'test/support/service/global-setup.ts',
        },
      },
      {
        // AWS's DynamoDB Local. `npm run proof` runs each test on it once, under all faults.
        extends: true,
        test: {
          name: 'dynamodb-local',
          ...(isProof && { env: { PROOF: '1' } }),
          include: [secondEngine, ...(isEmbedded && hasJava ? (isProof ? storeTests : callTests) : [])],
          exclude: embeddedAlone,
          globalSetup: 'test/support/store/dynamodb-local-setup.ts',
        },
      },
    ],
  },
});
