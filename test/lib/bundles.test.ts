import { execFile, execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import * as operations from '../../lambdas/store/table/lean-operations.ts';
import { bundle } from '../../lib/bundles.ts';
import { routes } from '../../lib/endpoints.ts';
import { startAwsApi } from '../../local/aws-api.ts';
import { temporaryFolder } from '../support/run/temporary-folder.ts';

const bundles = join(inject('service').outdir, 'bundles');
const names = readdirSync(bundles).filter((name) => !/^(console|duckdb)/.test(name));
const isEndpoint = (name: string) => routes.some((route) => route.name === name);

/** These check destinations or webhooks, and contain the list of top-level domains, 12 kB. */
const withDestinations = [
  'create-link',
  'update-link',
  'bulk-create-links',
  'bulk-update-links',
  'put-link',
  'revert-change',
  'get-metadata',
  'update-domain',
  'create-webhook',
  'update-webhook',
  'send-webhooks',
];

/** These check rules and variants of links too. */
const withRules = ['create-link', 'update-link', 'bulk-create-links', 'bulk-update-links', 'put-link', 'revert-change'];

/** These call AWS's services besides DynamoDB: Lambda and EventBridge. */
const withServices: Readonly<Record<string, number>> = {
  // OpenID Connect, and Secrets Manager.
  'sign-in': 347_000,
  'create-deliveries': 316_000,
  // ACM, API Gateway and EventBridge, and the exact limit of requests.
  'manage-domains': 338_000,
  // S3 and EventBridge. DuckDB is in a layer.
  'seal-clicks': 396_000,
  // S3, and for statistics the rules of calendars and time zones, 50 kB.
  'get-link-stats': 482_500,
  'get-stats': 491_500,
  'get-top-links': 490_500,
  'list-all-clicks': 434_000,
  'list-ranked-links': 465_000,
  'list-clicks': 425_000,
  // Lambda.
  'verify-domain': 324_000,
  'start-senders': 302_000,
};

/** These call DynamoDB without the SDK. */
const withoutSdk: Readonly<Record<string, number>> = {
  authorize: 21_000,
  redirect: 58_000,
  'count-clicks': 37_300,
  'record-waiting-clicks': 20_000,
};

/** The limit in bytes, since a function has to read and compile its bundle before its first response. */
const limitOf = (name: string) => {
  const least = withoutSdk[name] ?? withServices[name];
  if (least !== undefined) return least;
  // The list of public suffixes takes 130 kB of it, and domains are rarely claimed.
  if (name === 'create-domain') return 371_000;
  // Nearly all of it is the library of the Model Context Protocol.
  if (name === 'mcp') return 385_500;
  // The parser of pages takes 60 kB of it.
  if (name === 'get-metadata') return 309_200;
  if (withRules.includes(name)) return 310_000;
  // It shows what the service makes in AWS for a domain.
  if (name === 'update-domain') return 278_400;
  if (withDestinations.includes(name)) return 270_500;
  // It reads the short URLs that people search for.
  if (name === 'list-links') return 252_000;
  return isEndpoint(name) ? 250_400 : 210_500;
};

/** The environment on Lambda, as far as our functions read it. */
const env = {
  TABLE_NAME: 'table',
  ACTIVITY_TABLE_NAME: 'activity',
  PERMISSION: 'links:read',
  MAX_LINKS_PER_IMPORT: '1000',
  SHORT_URL_ORIGIN: 'https://{domain}',
  CLICK_DAYS: '1100',
  HISTORY_DAYS: '365',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
};

describe.for(names)('The bundle %s', (name) => {
  const file = join(bundles, name, 'index.cjs');

  test('A bundle is no larger than its limit.', () => {
    expect(readFileSync(file).byteLength).toBeLessThanOrEqual(limitOf(name));
  });

  test('A bundle contains no tracer, and takes credentials only from the environment.', () => {
    const text = readFileSync(file, 'utf8');
    expect(text.match(/AWS_CONTAINER_CREDENTIALS|AssumeRole|aws-xray/g) ?? []).toEqual([]);
  });
});

describe('The pages of the redirect, which are loaded when the first visitor needs one', () => {
  const file = join(bundles, 'redirect/page-responses.cjs');

  test('The file is no larger than its limit, and contains nothing of the store.', () => {
    expect(readFileSync(file).byteLength).toBeLessThanOrEqual(21_700);
    const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] };
    expect(sources).toContain('lambdas/redirect/wording/fr.ts');
    expect(sources.filter((source) => /node_modules|store|sdk/.test(source))).toEqual([]);
  });

  test('A redirect does not load the file; a page does.', () => {
    const script = `
      const { handler } = require(${JSON.stringify(join(bundles, 'redirect/index.cjs'))});
      const loaded = () => Object.keys(require.cache).includes(${JSON.stringify(file)});
      const before = loaded();
      const requestContext = { domainName: 'x', requestId: 'r', http: { method: 'DELETE', sourceIp: '192.0.2.1', userAgent: '' } };
      handler({ requestContext, rawPath: '/x', rawQueryString: '', headers: {} }, { getRemainingTimeInMillis: () => 20000 })
        .then(({ statusCode }) => console.log(before, statusCode, loaded()));`;
    expect(execFileSync(process.execPath, ['-e', script], { env, cwd: '/', encoding: 'utf8' })).toBe('false 405 true\n');
  });
});

test('The code that takes reports of links is beside the bundle of the redirect, without the SDK, and no larger than its limit.', () => {
  const file = join(bundles, 'redirect/reporting.cjs');
  expect(readFileSync(file).byteLength).toBeLessThanOrEqual(62_700);
  const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] };
  expect(sources).toContain('lambdas/store/reports/visitor-reports.ts');
  expect(sources.filter((source) => /@aws-sdk|@smithy|sdk-transport/.test(source))).toEqual([]);
  const redirect = JSON.parse(readFileSync(join(bundles, 'redirect/index.cjs.map'), 'utf8')) as { sources: string[] };
  expect(redirect.sources.filter((source) => source.includes('report'))).toEqual(['lambdas/core/report/report-path.ts']);
});

test('The code that sends clicks to the queue is beside the bundle of the redirect, without the store, no larger than its limit, and works by itself.', async () => {
  const file = join(bundles, 'redirect/waiting-clicks.cjs');
  expect(readFileSync(file).byteLength).toBeLessThanOrEqual(250_000);
  const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] };
  expect(sources.filter((source) => /lambdas\/store|@aws-sdk\/client-(?!sqs)/.test(source))).toEqual([]);
  const api = await startAwsApi();
  const sent: string[] = [];
  api.serve({
    invokeLater: () => undefined,
    setRuleEnabled: () => undefined,
    sendMessage: (url, body) => {
      sent.push(`${url} ${body}`);
      return { messageId: '1', md5OfBody: hash('md5', body) };
    },
  });
  const script = `
    const { sendClick } = require(${JSON.stringify(file)});
    sendClick('click', () => 20_000).then(() => console.log('sent'), (error) => console.log(error));`;
  const queueEnv = { ...env, AWS_ENDPOINT_URL_SQS: api.endpoint, WAITING_CLICKS_QUEUE: 'https://sqs/1/queue' };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env: queueEnv, cwd: '/' });
  await api.stop();
  expect([stdout, sent]).toEqual(['sent\n', ['https://sqs/1/queue click']]);
});

/** Loads bundles one after the other in a process of their own. @returns the value of the expression for each, by its name */
function load(some: readonly string[], expression: string, before = ''): Record<string, unknown> {
  const script = `
    ${before};
    const loaded = ${JSON.stringify(some)}.map((name) => {
      const { handler } = require(${JSON.stringify(bundles)} + '/' + name + '/index.cjs');
      return [name, ${expression}];
    });
    console.log(JSON.stringify(Object.fromEntries(loaded)));`;
  // In the root folder, where no package can be found.
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { env, cwd: '/', encoding: 'utf8' }));
}

test('Each bundle loads under Node 24 without any package, and exports a handler with at most two parameters.', () => {
  const loaded = load(names, "process.versions.node.split('.')[0] + ' ' + typeof handler + ' ' + (handler.length <= 2)");
  expect(loaded).toEqual(Object.fromEntries(names.map((name) => [name, '24 function true'])));
});

test('No bundle loads another file of its folder when it starts.', () => {
  const loaded = load(names, 'Object.keys(require.cache).length');
  expect(loaded).toEqual(Object.fromEntries(names.map((name, before) => [name, before + 1])));
});

// In the reverse order, so that a bundle that needed something of another would fail in one of the two tests.
test('Each bundle loads in a runtime without Argon2.', () => {
  const withoutArgon2 = "const crypto = require('node:crypto'); Object.defineProperty(crypto, 'argon2', { value: undefined })";
  const loaded = load(names.toReversed(), "typeof crypto.argon2 + ' ' + typeof handler", withoutArgon2);
  expect(loaded).toEqual(Object.fromEntries(names.map((name) => [name, 'undefined function'])));
});

test.for(names)('The bundle %s contains the list of top-level domains only if it checks names against it.', (name) => {
  const text = readFileSync(join(bundles, name, 'index.cjs'), 'utf8');
  expect(text.includes('XN--VERMGENSBERATUNG-PWB')).toBe([...withDestinations, 'create-domain', 'sign-in'].includes(name));
});

test('The code that draws QR codes for visitors is beside the bundle of the redirect, and no larger than its limit.', () => {
  expect(readFileSync(join(bundles, 'redirect', 'code-image.cjs')).byteLength).toBeLessThanOrEqual(11_800);
});

test.for(Object.keys(withoutSdk))('The bundle %s contains nothing of the SDK.', (name) => {
  const { sources } = JSON.parse(readFileSync(join(bundles, name, 'index.cjs.map'), 'utf8')) as { sources: string[] };
  expect(sources).toContain('lambdas/store/table/lean-transport.ts');
  expect(sources.filter((source) => /@aws-sdk|@smithy|sdk-transport/.test(source))).toEqual([]);
});

// esbuild does not notice that an operation is missing, and the tests of functions run with all operations.
test('The transport without the SDK has the operations that its functions send, and no others.', () => {
  const folder = temporaryFolder();
  const files = ['authorizer/authorize', 'redirect/redirect', 'events/count-clicks', 'events/record-waiting-clicks'];
  bundle(
    files.map((file) => join(import.meta.dirname, `../../lambdas/${file}.ts`)),
    folder,
  );
  const sent = files.flatMap((file) => {
    const text = readFileSync(join(folder, basename(file), 'index.cjs'), 'utf8');
    // As `sdk-transport.ts` names them.
    return [...text.matchAll(/name:"(\w+)",Command:/g)].map(([, operation]) => operation);
  });
  const there = Object.values(operations).flatMap((one) => ('output' in one ? one.name : []));
  expect(new Set(sent)).toEqual(new Set(there));
});

test('Only the function that signs people in contains the client of OpenID Connect, and none the provider of the laptop.', () => {
  for (const name of names) {
    const { sources } = JSON.parse(readFileSync(join(bundles, name, 'index.cjs.map'), 'utf8')) as { sources: string[] };
    const has = (part: string) => sources.some((source) => source.includes(part));
    expect([name, has('node_modules/openid-client/'), has('node_modules/@aws-sdk/client-secrets-manager/')]).toEqual([
      name,
      name === 'sign-in',
      name === 'sign-in',
    ]);
    for (const part of ['oidc-provider', 'node_modules/koa/', 'bin/local'])
      expect([name, part, has(part)]).toEqual([name, part, false]);
  }
});

// Visitors wait for the redirect, and none of these has a body to check.
test.for(names.filter((name) => !isEndpoint(name) && !['mcp', 'sign-in'].includes(name)))(
  'The bundle %s contains neither zod nor Middy.',
  (name) => {
    const text = readFileSync(join(bundles, name, 'index.cjs'), 'utf8');
    expect(text.match(/ZodError|safeParse|earlyResponse/g) ?? []).toEqual([]);
  },
);
