import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { bundle } from '../../lib/bundles.ts';
import { apiEvent } from '../support/http/api-event.ts';

const folder = mkdtempSync(join(tmpdir(), 'links-traces-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Functions that throw, in line 4. */
const sources = {
  'throwing-endpoint': `import { endpoint } from '${process.cwd()}/lambdas/http/endpoint.ts';

const fail = (): never => {
  throw new TypeError('at (/etc/passwd.cjs:1:1)');
};
export const handler = endpoint({}, async () => fail());
`,
  'throwing-event': `import { withinInvocation } from '${process.cwd()}/lambdas/runtime/deadline.ts';

const fail = (): never => {
  throw new RangeError('an event');
};
export const handler = (_: unknown, context: { getRemainingTimeInMillis(): number }) => withinInvocation(context, async () => fail());
`,
};

const bundled = (name: string) => join(folder, 'bundles', name, 'index.cjs');

beforeAll(() => {
  for (const [name, source] of Object.entries(sources)) writeFileSync(join(folder, `${name}.ts`), source);
  bundle(
    Object.keys(sources).map((name) => join(folder, `${name}.ts`)),
    join(folder, 'bundles'),
  );
});

/** The log of a bundle, and the error that Lambda's runtime gets. */
function invoke(file: string, event: object = {}) {
  const script = `
    const { handler } = require(${JSON.stringify(file)});
    handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 20000, awsRequestId: 'r' })
      .catch((error) => console.error(error.stack));`;
  const env = { ...process.env, PERMISSION: 'things:write' };
  const { stderr } = spawnSync(process.execPath, ['-e', script], { env, cwd: '/', encoding: 'utf8' });
  return stderr;
}

describe('A stack trace', () => {
  test('A stack trace that an API function logs names the file and line of the source.', () => {
    const logged = invoke(bundled('throwing-endpoint'), apiEvent());
    expect(logged).toContain('unexpected error');
    expect(logged).toMatch(/\((\.\.\/)*\S*throwing-endpoint\.ts:4:9\)/);
    expect(logged).toMatch(/lambdas\/http\/\S+\.ts:\d+:\d+/);
    expect(logged).not.toContain('index.cjs');
  });

  test('A stack trace that a function hands to the runtime names the file and line of the source.', () => {
    const logged = invoke(bundled('throwing-event'));
    expect(logged).toMatch(/^RangeError: an event\n/);
    expect(logged).toMatch(/throwing-event\.ts:4:9/);
    expect(logged).toMatch(/lambdas\/runtime\/deadline\.ts:\d+:\d+/);
    expect(logged).not.toContain('index.cjs');
  });

  test('A stack trace keeps its message as it is, even if the message looks like a location.', () => {
    expect(invoke(bundled('throwing-endpoint'), apiEvent())).toContain('TypeError: at (/etc/passwd.cjs:1:1)');
  });
});

test.for([
  ['is missing', (map: string) => rmSync(map)],
  ['cannot be read', (map: string) => writeFileSync(map, '{')],
  ['is null', (map: string) => writeFileSync(map, 'null')],
] as const)('A stack trace is logged as it is if the source map %s.', ([, spoil]) => {
  const file = join(mkdtempSync(join(folder, 'spoilt-')), 'index.cjs');
  cpSync(dirname(bundled('throwing-event')), dirname(file), { recursive: true });
  spoil(`${file}.map`);
  expect(invoke(file)).toMatch(/^RangeError: an event\n {4}at .*index\.cjs:\d+:\d+/);
});

test('A stack trace from the lazily loaded part of the redirect names the file and line of the source.', () => {
  const file = join(inject('service').outdir, 'bundles/redirect/index.cjs');
  // A request without an Accept-Language that is a text.
  const http = { method: 'DELETE', sourceIp: '192.0.2.1', userAgent: '' };
  const headers = { accept: 'text/html', 'accept-language': 1 };
  const event = { rawPath: '/x', rawQueryString: '', headers, requestContext: { domainName: 'x', requestId: 'r', http } };
  const logged = invoke(file, event);
  expect(logged).toMatch(/lambdas\/core\/visitor\/language\.ts:\d+:\d+/);
  expect(logged).not.toContain('.cjs');
});

test('Loading a bundle reads no source map before something fails.', () => {
  const file = bundled('throwing-event');
  expect(readFileSync(file, 'utf8')).not.toContain('sourceMappingURL');
  const script = `
    const fs = require('node:fs');
    const read = [];
    const { readFileSync } = fs;
    fs.readFileSync = (path, ...rest) => { read.push(String(path)); return readFileSync(path, ...rest); };
    require(${JSON.stringify(file)});
    console.log(JSON.stringify(read.filter((path) => path.endsWith('.map'))));`;
  expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })).toBe('[]\n');
});

test('The source maps do not depend on the folder of the project, and contain no sources.', () => {
  const file = join(inject('service').outdir, 'bundles/redirect/index.cjs.map');
  const { sources, sourcesContent } = JSON.parse(readFileSync(file, 'utf8')) as { sources: string[]; sourcesContent?: unknown };
  expect(sources).toContain('lambdas/redirect/redirect.ts');
  for (const source of sources) expect(source).toMatch(/^(lambdas|node_modules)\//);
  expect(sourcesContent ?? []).toEqual([]);
});
