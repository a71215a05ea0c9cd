import { readFileSync } from 'node:fs';
import { beforeAll, expect, test, vi } from 'vitest';
import { smokeTest, tableOf } from '../../../clients/smoke/smoke.ts';
import { longestRunMs, steps, type Trial } from '../../../clients/smoke/steps.ts';
import { trialOf } from '../../../clients/smoke/trial.ts';
import { type Visit, visitsOf } from '../../../clients/smoke/visits.ts';
import { linksClient } from '../../../clients/typescript/client.ts';
import { denial } from '../../../lambdas/core/domain/certificate.ts';
import { looksLikeApiKey } from '../../../lambdas/core/key/api-key.ts';
import { type Service, useService } from '../../support/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

/** How the service is broken: it answers some requests or visits wrong. */
type Broken = {
  readonly fetch?: typeof fetch;
  readonly visit?: Visit;
  readonly cleanerFetch?: typeof fetch;
  readonly isGuest?: boolean;
};

/**
 * Tries a broken service, and returns the steps by outcome, and what is left in the workspace. No webhook is made,
 * because the test does not wait, and none is sent soon enough.
 */
async function trying({ fetch: broken = fetch, cleanerFetch = fetch, visit, isGuest = false }: Broken) {
  const { call, key } = await service.newWorkspace();
  const { baseUrl } = service;
  const options = { baseUrl, apiKey: key, wait: async () => {} };
  const trial = {
    baseUrl,
    apiKey: key,
    client: linksClient({ ...options, fetch: failing('POST', /\/webhooks$/, broken) }),
    fetch,
    visit: visit ?? visitsOf(baseUrl),
    wait: async () => {},
    isStopped: () => false,
    isGuest,
  };
  const ended = smokeTest(trial, linksClient({ ...options, fetch: cleanerFetch }), () => {});
  const results = await ended.catch((error: Error) => error);
  const left = [...(await call('GET', '/links')).body.links, ...(await call('GET', '/tags')).body.tags];
  if (results instanceof Error) return { error: results, left };
  const by = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).map(({ step }) => step);
  return { failed: by('failed'), notTried: by('not tried'), passed: by('passed'), left, results };
}

/** Answers requests of this method and path with 500, and passes others on. */
const failing =
  (method: string, path: RegExp, others = fetch): typeof fetch =>
  async (input, init) =>
    init?.method === method && path.test(new URL(String(input)).pathname)
      ? Response.json({ code: 'internal_error', detail: 'broken', requestId: 'req-1' }, { status: 500 })
      : others(input, init);

test.for([
  ['GET', /\/me$/, ['key']],
  ['POST', /\/links$/, ['link', 'tagged link', 'password', 'cap']],
  ['POST', /\/links\/bulk$/, ['import']],
] as const)(
  'If %s %s fails, these steps fail with the id of the request, and nothing is left: %s',
  async ([method, path, steps]) => {
    // No visitor is redirected, so no step waits for clicks to be counted.
    const visit: Visit = async () => ({ status: 404, headers: {} });
    const { failed, left, results } = await trying({ fetch: failing(method, path), visit });
    expect(failed).toEqual(expect.arrayContaining([...steps]));
    for (const step of steps) expect(results?.find((result) => result.step === step)?.said).toContain('broken (request req-1)');
    expect(left).toEqual([]);
  },
);

test('If visitors get 404, the steps of visitors fail, those that need clicks are not tried, and the others pass.', async () => {
  const { failed, notTried, passed, left } = await trying({ visit: async () => ({ status: 404, headers: {} }) });
  expect(failed).toEqual(['visit', 'path', 'password', 'cap', 'webhook']);
  expect(notTried).toEqual(['count', 'statistics', 'use of the key']);
  expect(passed).toEqual(['key', 'domain', 'link', 'import', 'tagged link', 'bulk update', 'bulk rate', 'delete']);
  expect(left).toEqual([]);
});

test("A guest does not use up the workspace's imports, and says how to try that step.", async () => {
  const { notTried, results } = await trying({ visit: async () => ({ status: 404, headers: {} }), isGuest: true });
  expect(notTried).toContain('bulk rate');
  expect(results?.find(({ step }) => step === 'bulk rate')?.said).toContain('--workspace');
});

test('A step that fails names its IAM condition, and the table says once which setting turns the conditions off.', async () => {
  const visit: Visit = async () => ({ status: 404, headers: {} });
  const { results = [] } = await trying({ fetch: failing('POST', /\/links\/bulk$/), visit });
  const conditions = results.flatMap(({ step, condition }) => (condition === undefined ? [] : [[step, condition]]));
  expect(conditions).toEqual([
    ['import', 'dynamodb:LeadingKeys on the statements of a PartiQL batch'],
    ['cap', 'dynamodb:LeadingKeys on the parts of a transaction'],
  ]);
  const table = tableOf(results);
  expect(table).toMatch(
    /^import +failed .*\n +if AWS denied it, the condition in question is dynamodb:LeadingKeys on the statements/m,
  );
  expect(table.match(/"partitionConditions": false/g)).toHaveLength(1);
  const [key] = results.map(({ condition, ...result }) => result);
  expect(tableOf(key ? [key] : [])).not.toContain('partitionConditions');
});

test('A visit that leads elsewhere, a cap that lets one more pass, and a password that is not asked for fail.', async () => {
  const visit: Visit = async () => ({ status: 302, headers: { location: 'https://example.org/elsewhere' } });
  const { failed, left, results } = await trying({ visit });
  expect(failed).toEqual(['visit', 'path', 'password', 'cap', 'webhook', 'delete']);
  expect(results?.find(({ step }) => step === 'cap')?.said).toBe('they got 302, 302, 302, 302, 302');
  expect(left).toEqual([]);
});

test('A tag that cannot be removed is named.', async () => {
  const isDeletion = failing('DELETE', /\/tags\/./);
  const { error, left } = await trying({
    fetch: isDeletion,
    cleanerFetch: isDeletion,
    visit: async () => ({ status: 404, headers: {} }),
  });
  expect(left).toHaveLength(1);
  expect(error?.message).toBe(`these could not be removed (broken (request req-1)): ${left[0].id}`);
});

const refuses = async () => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
};
const hangs = (signal?: AbortSignal | null) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

test.for([
  ['refuses connections', 'start', 'key', refuses],
  ['refuses connections', 'link', 'import', refuses],
  ['accepts requests and never answers', 'start', 'key', hangs],
  ['accepts requests and never answers', 'tagged link', 'bulk update', hangs],
  ['accepts requests and never answers', 'bulk update', 'visit', hangs],
] as const)(
  'If the service %s after the step "%s", the test ends within a minute with the step "%s", cleaning up included.',
  async ([, last, failed, gone]) => {
    const { key } = await service.newWorkspace();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let isGone = last === 'start';
      const visit = visitsOf(service.baseUrl);
      const { trial, cleaner } = trialOf({
        baseUrl: service.baseUrl,
        apiKey: key,
        signal: new AbortController().signal,
        fetch: (input, init) => (isGone ? gone(init?.signal) : fetch(input, init)),
        visit: (...asked) => (isGone ? gone() : visit(...asked)),
      });
      const ended: (readonly [string, string])[] = [];
      let isOver = false;
      void smokeTest(trial, cleaner, ({ step, outcome }) => {
        ended.push([step, outcome]);
        isGone ||= step === last;
      })
        .catch(() => {})
        .then(() => {
          isOver = true;
        });
      let seconds = 0;
      while (!isOver && seconds <= 600) {
        // The clock stands still while the service answers, which takes real time.
        if (isGone) await vi.advanceTimersByTimeAsync(1_000);
        if (isGone) seconds++;
        await new Promise(setImmediate);
      }
      expect(seconds).toBeLessThan(60);
      expect(ended.filter(([, outcome]) => outcome === 'failed')).toEqual([[failed, 'failed']]);
      expect(ended.at(-1)).toEqual([failed, 'failed']);
    } finally {
      vi.useRealTimers();
    }
  },
);

test('Links of a run that was killed longer ago than any run takes are removed, and those of others stay.', async () => {
  const { call, key, domain } = await service.newWorkspace();
  const newLink = async (managedBy: string) =>
    (await call('POST', '/links', { domain, url: 'https://example.org/', managedBy })).body.link.id;
  const [own, other] = [await newLink(`smoke@${domain}`), await newLink(`shop@${domain}`)];
  const { baseUrl } = service;
  const client = linksClient({ baseUrl, apiKey: key });
  const trial = {
    baseUrl,
    apiKey: key,
    client,
    fetch,
    visit: async () => ({ status: 404, headers: {} }),
    wait: async () => {},
    // After the step that removes them.
    isStopped: () => ++tried % 2 === 0,
  };
  let tried = 0;
  await smokeTest(trial, client, () => {});
  expect((await call('GET', '/links')).body.links.map(({ id }: { id: string }) => id)).toEqual([other, own]);
  await smokeTest({ ...trial, now: () => Date.now() + longestRunMs + 60_000 }, client, () => {});
  expect((await call('GET', '/links')).body.links.map(({ id }: { id: string }) => id)).toEqual([other]);
});

/** Runs one step. */
const runStep = (name: string, trial: Omit<Trial, 'visit' | 'isStopped'>, domain = 'go.example.org') =>
  steps
    .find((step) => step.name === name)
    ?.run(
      { ...trial, visit: async () => ({ status: 404, headers: {} }), isStopped: () => false },
      { links: new Map(), tags: new Set(), webhooks: new Set(), domains: new Set(), clicks: new Map(), domain },
    );

test('The wrong key has the shape and the checksum of a key, so the authorizer looks it up.', async () => {
  const { key } = await service.newWorkspace();
  const { baseUrl } = service;
  const sent: string[] = [];
  const trial = {
    baseUrl,
    apiKey: key,
    client: linksClient({ baseUrl, apiKey: key }),
    fetch: (async (input, init) => {
      sent.push(new Headers(init?.headers).get('Authorization') ?? '');
      return fetch(input, init);
    }) as typeof fetch,
    wait: async () => {},
  };
  await runStep('key', trial);
  expect(sent).toEqual([expect.stringMatching(/^Bearer lk_/)]);
  expect(looksLikeApiKey(sent[0]?.slice('Bearer '.length) ?? '')).toBe(true);
});

test('A run may take half an hour longer than a certificate, so its key still removes what was made.', async () => {
  const certificate = { status: 'WAITING', records: [], detail: null };
  const domain = 'go.example.net';
  const waiting: typeof fetch = async () => Response.json({ domain, status: 'PENDING_DNS', records: [], certificate });
  let waited = 0;
  const trial = {
    baseUrl: service.baseUrl,
    apiKey: 'lk_x',
    client: linksClient({ baseUrl: service.baseUrl, apiKey: 'lk_x', fetch: waiting }),
    fetch: waiting,
    managedDomain: domain,
    wait: async (ms: number) => {
      waited += ms;
    },
  };
  await expect(runStep('managed domain', trial)).rejects.toThrow('the certificate is WAITING');
  expect(longestRunMs - waited).toBeGreaterThanOrEqual(30 * 60_000);
});

test('If AWS denies the service a step for a managed domain, the step fails at once and names the action.', async () => {
  const { key, domain } = await service.newWorkspace();
  const { baseUrl } = service;
  const certificate = { status: 'WAITING', records: [], detail: denial('apigateway:AddCertificateToDomain') };
  const denied: typeof fetch = async () => Response.json({ domain, status: 'PENDING_DNS', records: [], certificate });
  const trial = {
    baseUrl,
    apiKey: key,
    client: linksClient({ baseUrl, apiKey: key, fetch: denied }),
    fetch: denied,
    managedDomain: 'go.example.net',
    wait: async () => {
      throw new Error('it waited');
    },
  };
  await expect(runStep('managed domain', trial, domain)).rejects.toThrow(
    'AWS denies the function manage-domains apigateway:AddCertificateToDomain, and its log says why',
  );
});

test('docs/deploy.md names each step, in the same order.', () => {
  const [, sentence = ''] = /^Its steps are ([^.]*)\./m.exec(readFileSync('docs/deploy.md', 'utf8')) ?? [];
  expect([...sentence.matchAll(/`([^`]+)`/g)].map(([, name]) => name?.replaceAll(/\s+/g, ' '))).toEqual(
    steps.map(({ name }) => name),
  );
});
