import { globSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { withDemo } from './demo.ts';
import { once, run, settings } from './programs.ts';
import type { Judge } from './verdict.ts';

/**
 * A scenario that fits a server with its own tools. The others need tools, prompts and resources that a server would
 * have only for this test.
 *
 * @property program the version of the test program: `before` for the protocol of 2025-11-25, `now` for that of
 * 2026-07-28.
 * @property excused its checks that need such tools, or a stream of notifications, which we refuse.
 */
type Scenario = { readonly program: 'before' | 'now'; readonly name: string; readonly excused?: readonly string[] };

const scenarios: readonly Scenario[] = [
  { program: 'before', name: 'server-initialize' },
  { program: 'before', name: 'ping' },
  { program: 'before', name: 'tools-list' },
  { program: 'before', name: 'dns-rebinding-protection' },
  { program: 'now', name: 'tools-list' },
  { program: 'now', name: 'http-header-validation' },
  { program: 'now', name: 'dns-rebinding-protection' },
  {
    program: 'now',
    name: 'server-stateless',
    excused: [
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400',
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-server-no-log-without-loglevel',
      'sep-2575-server-sends-subscription-ack',
      'sep-2575-server-tags-subscription-id',
    ],
  },
  {
    program: 'now',
    name: 'caching',
    excused: [
      'sep-2549-prompts-list-caching-hints',
      'sep-2549-resources-list-caching-hints',
      'sep-2549-resources-templates-list-caching-hints',
    ],
  },
];

type Check = { readonly id: string; readonly status: string; readonly description?: string; readonly errorMessage?: string };

/** Runs the conformance tests of the Model Context Protocol against `/mcp` of a local service. */
export const conformance: Judge = async (folder, more) => {
  const list = 'conformance.txt';
  const packages = readFileSync(join(settings, list), 'utf8').trim().split('\n');
  const programs = await once('conformance', list, (at) => run('npm', ['install', '--prefix', at, '--no-save', ...packages]));
  return withDemo(folder, ({ baseUrl, apiKey }) =>
    withKey(baseUrl, apiKey, async (url) => {
      const findings: string[] = [];
      let passed = 0;
      for (const [index, { program, name, excused = [] }] of scenarios.entries()) {
        const results = join(folder, `results-${index}`);
        const start = [join(programs, 'node_modules', program, 'dist/index.js'), 'server', '--url', url, '--scenario', name];
        const version = program === 'now' ? ['--spec-version', '2026-07-28'] : [];
        const { output } = await run(process.execPath, [...start, ...version, '--output-dir', results, ...more], { cwd: folder });
        const checks = globSync(join(results, '**/checks.json')).flatMap(
          (file) => JSON.parse(readFileSync(file, 'utf8')) as Check[],
        );
        if (checks.length === 0) findings.push(`${program} ${name}: no result: ${output}`);
        passed += checks.filter(({ status }) => status === 'SUCCESS').length;
        findings.push(...wrongIn(checks, excused).map((wrong) => `${program} ${name}: ${wrong}`));
      }
      return { findings, remarks: `${passed} checks passed in ${scenarios.length} scenarios` };
    }),
  );
};

/** Checks that failed without an excuse, and excuses without a failure. */
function wrongIn(checks: readonly Check[], excused: readonly string[]): string[] {
  const failed = checks.filter(({ status }) => status === 'FAILURE');
  return [
    ...failed
      .filter(({ id }) => !excused.includes(id))
      .map(({ id, description, errorMessage }) => `${id}: ${errorMessage ?? description}`),
    ...excused.filter((id) => !failed.some((one) => one.id === id)).map((id) => `${id} is excused, but did not fail`),
  ];
}

/** Does the work with a server that adds the key to each request for `/mcp`: the program cannot send one. */
async function withKey<T>(baseUrl: string, apiKey: string, work: (url: string) => Promise<T>): Promise<T> {
  const { hostname: host, port } = new URL(baseUrl);
  const server = createServer((sent, answer) => {
    const { method, url: path, headers } = sent;
    const passed = request({ host, port, method, path, headers: { ...headers, authorization: `Bearer ${apiKey}` } }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    sent.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
