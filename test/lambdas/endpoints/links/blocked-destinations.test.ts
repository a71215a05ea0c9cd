import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { intercept } from '../../../../lambdas/store/table/interceptors.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { type EndpointCall, startEndpoint } from '../../../support/http/invoke.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

// The endpoints that accept destinations cache the list of blocked hosts as the visitors' function does.

let store: Store;
beforeAll(async () => {
  store = await useStore();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const realNow = Date.now;
/** Sets the functions' clock to this long after the real one. */
const passTime = (milliseconds: number) => vi.spyOn(Date, 'now').mockImplementation(() => realNow() + milliseconds);

let made = 0;
const newHost = () => `destination${++made}.example.com`;

/** A workspace with a link, and a request that sets a destination. */
async function arrange(name: string, callFor: (url: string, domain: string, id: string) => EndpointCall) {
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  const call = startEndpoint(name);
  const send = (host: string) => call(callFor(`https://www.${host}/`, workspace.domain.host, found?.link.id ?? ''));
  /** The code with which a request for a link to the host is refused; undefined if it isn't. */
  const codeOf = async (host: string): Promise<string | undefined> => {
    const { status, body } = await send(host);
    if (status >= 500) return body.code;
    return body.errors?.[0].code ?? body.failed?.[0]?.code;
  };
  return { codeOf, workspaceId: workspace.workspaceId };
}

const endpoints: Record<string, (url: string, domain: string, id: string, workspaceId: string) => EndpointCall> = {
  'create-link': (url, domain, _, workspaceId) => ({ workspaceId, body: { domain, url } }),
  'update-link': (url, _, id, workspaceId) => ({ workspaceId, id, body: { url } }),
  'bulk-create-links': (url, domain, _, workspaceId) => ({ workspaceId, body: { domain, links: [{ url }] } }),
  'bulk-update-links': (url, _, id, workspaceId) => ({ workspaceId, body: { ids: [id], fields: { url } } }),
};

describe.for(Object.entries(endpoints))('%s', ([name, callFor]) => {
  const start = async () => {
    let own = '';
    const arranged = await arrange(name, (url, domain, id) => callFor(url, domain, id, own));
    own = arranged.workspaceId;
    return arranged;
  };

  test('Three requests of one function read the list of blocked destinations once.', async () => {
    const { codeOf } = await start();
    const { accesses } = await underFaults(
      () => undefined,
      async () => {
        for (let request = 0; request < 3; request++) expect(await codeOf(newHost())).toBeUndefined();
      },
    );
    expect(accesses.filter(({ leadingKey }) => leadingKey === 'BLOCKLIST#*')).toEqual([
      { action: 'dynamodb:GetItem on Links', leadingKey: 'BLOCKLIST#*' },
    ]);
  });

  test('A blocked host is refused within 60 seconds, and accepted within 60 seconds after it is unblocked.', async () => {
    const [{ codeOf }, host] = [await start(), newHost()];
    expect(await codeOf(host)).toBeUndefined();
    await store.blockHost(host);
    passTime(60_000);
    expect(await codeOf(host)).toBe('destination_blocked');
    await store.unblockHost(host);
    passTime(120_000);
    expect(await codeOf(host)).toBeUndefined();
  });

  test('If the list cannot be read, the last known one applies, and a function that has just started answers with 503.', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const [running, host] = [await start(), newHost()];
    await store.blockHost(host);
    expect(await running.codeOf(host)).toBe('destination_blocked');
    const isList = (input: { Key?: Record<string, string> }) => input.Key?.pk?.startsWith('BLOCKLIST#');
    const stop = intercept(async (_, input, next) => {
      if (isList(input as never)) throw Object.assign(new Error('injected'), { name: 'ThrottlingException' });
      return next(input);
    });
    passTime(65_000);
    expect(await running.codeOf(host)).toBe('destination_blocked');
    const cold = await start();
    expect(await cold.codeOf(host)).toBe('temporarily_unavailable');
    stop();
    expect(await cold.codeOf(host)).toBe('destination_blocked');
  });
});
