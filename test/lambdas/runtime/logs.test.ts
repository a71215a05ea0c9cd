import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { networkOf, numberOf, parseAddress } from '../../../lambdas/core/host/ip-address.ts';
import { outcomeOf, outcomes } from '../../../lambdas/core/visit/outcome.ts';
import { logAccess } from '../../../lambdas/runtime/access-log.ts';
import { asLoggedRequest, loggedRequest } from '../../../lambdas/runtime/logged-request.ts';
import { addToMetrics } from '../../../lambdas/runtime/metrics.ts';

const written: string[] = [];
beforeEach(() => {
  written.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe('A metric', () => {
  test('A metric is one line in the embedded metric format, with the members of its specification.', () => {
    vi.stubEnv('METRICS', 'Links/dev');
    const before = Date.now();
    addToMetrics({ Imports: 1, LinksCreated: 7 }, { Outcome: 'page' });
    expect(written).toEqual([expect.stringMatching(/^\{.*\}\n$/)]);
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
    const { _aws, ...values } = JSON.parse(written[0] ?? '');
    expect(values).toEqual({ Outcome: 'page', Imports: 1, LinksCreated: 7 });
    expect(_aws).toEqual({
      Timestamp: expect.any(Number),
      CloudWatchMetrics: [
        {
          Namespace: 'Links/dev',
          Dimensions: [['Outcome']],
          Metrics: [
            { Name: 'Imports', Unit: 'Count' },
            { Name: 'LinksCreated', Unit: 'Count' },
          ],
        },
      ],
    });
    expect(_aws.Timestamp).toBeGreaterThanOrEqual(before);
  });

  test('Without a dashboard, nothing is written.', () => {
    addToMetrics({ Visits: 1 });
    expect(written).toEqual([]);
  });
});

test('Each status has exactly one outcome, and each outcome exactly one status.', () => {
  const found = new Set(Array.from({ length: 400 }, (_, index) => outcomeOf(index + 200)));
  expect([...found].sort()).toEqual([...outcomes].sort());
  expect([200, 204, 302, 303, 401, 429, 404, 410, 403, 500, 503].map(outcomeOf)).toEqual([
    'page',
    'page',
    'redirect',
    'redirect',
    'password',
    'password',
    'not found',
    'gone',
    'refused',
    'failed',
    'failed',
  ]);
});

describe('The network of an address', () => {
  test('A network keeps 24 bits of IPv4 and 48 of IPv6, and nothing of the rest.', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (sent) => {
        const address = parseAddress(sent) ?? '';
        const [network = '', length] = (networkOf(sent) ?? '').split('/');
        const bits = address.includes(':') ? 128 : 32;
        const hidden = BigInt(bits - Number(length));
        expect(length).toBe(bits === 32 ? '24' : '48');
        expect(numberOf(network)).toBe((numberOf(address) >> hidden) << hidden);
      }),
    );
  });

  test.for([
    ['192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['', undefined],
    ['unknown', undefined],
  ] as const)('The network of %j is %s.', ([address, network]) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('An access', () => {
  const access = {
    method: 'GET',
    path: '/hello',
    host: 'go.example',
    status: 302,
    since: performance.now(),
    sourceIp: '192.0.2.77',
  };
  const ofRequest = { requestId: 'request-1', workspaceId: 'ws_1', keyId: 'key_1' };

  test('If access logs are on, an access is logged with the ids of its request and the network of its address.', async () => {
    vi.stubEnv('ACCESS_LOGS', 'on');
    const log = vi.spyOn(console, 'info').mockReturnValue();
    await asLoggedRequest(ofRequest, async () => logAccess({ ...access, path: `/${'a'.repeat(999)}` }));
    expect(log.mock.calls).toEqual([
      [
        {
          message: 'access',
          ...ofRequest,
          method: 'GET',
          host: 'go.example',
          path: `/${'a'.repeat(199)}`,
          status: 302,
          ms: expect.any(Number),
          network: '192.0.2.0/24',
        },
      ],
    ]);
    expect(JSON.stringify(log.mock.calls)).not.toContain('192.0.2.77');
  });

  test('Nothing is logged by default.', () => {
    const log = vi.spyOn(console, 'info').mockReturnValue();
    logAccess(access);
    expect(log).not.toHaveBeenCalled();
  });

  test('Work outside of a request has no ids.', () => {
    expect(loggedRequest()).toEqual({});
  });
});
