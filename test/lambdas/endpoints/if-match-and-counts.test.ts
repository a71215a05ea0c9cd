import { beforeAll, describe, expect, test } from 'vitest';
import { randomBase62 } from '../../../lambdas/core/base62.ts';
import { queuedKey, receiverPk } from '../../../lambdas/store/table/keys.ts';
import { overtaken } from '../../support/faults/overtaken.ts';
import { callEndpoint, type EndpointCall } from '../../support/http/invoke.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { clickOf, makeClicks } from '../../support/things/clicks.ts';
import { newHookedWorkspace } from '../../support/things/webhooks.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
  Object.assign(process.env, { DOMAIN_TARGET: 'links.localhost', SERVED_NAMES: '*' });
});

/** A thing: its name in endpoints, its path, a change by a client, and a change that happens without one. */
type Thing = {
  readonly name: 'link' | 'tag' | 'webhook' | 'domain';
  readonly at: Pick<EndpointCall, 'workspaceId' | 'id' | 'domain'>;
  readonly change: object;
  readonly happen: () => Promise<unknown>;
};

async function newLink() {
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('the link was not made');
  return { ...workspace, link: found.link, at: { workspaceId: workspace.workspaceId, id: found.link.id } };
}

const things: Record<string, () => Promise<Thing>> = {
  'a link that is visited': async () => {
    const { link, at } = await newLink();
    return { name: 'link', at, change: { title: 'New' }, happen: () => makeClicks([clickOf(link, Date.now())]) };
  },
  'a link whose clicks are erased': async () => {
    const { link, at } = await newLink();
    await makeClicks([clickOf(link, Date.now())]);
    return { name: 'link', at, change: { title: 'New' }, happen: () => callEndpoint('delete-clicks', at) };
  },
  'a link whose domain begins to serve': async () => {
    const { workspaceId } = await store.newWorkspace();
    const host = `pending-${randomBase62(8).toLowerCase()}.example.com`;
    const domain = await store.addDomain(workspaceId, host, 'PENDING_DNS');
    if (domain?.status !== 'PENDING_DNS') throw new Error('the domain was not added');
    const created = await callEndpoint('create-link', { workspaceId, body: { domain: host, url: 'https://example.org/' } });
    const at = { workspaceId, id: created.body.link.id };
    return { name: 'link', at, change: { title: 'New' }, happen: () => store.activate(domain) };
  },
  'a link whose webhook URL gets a secret': async () => {
    const { at } = await newLink();
    await callEndpoint('update-link', { ...at, body: { webhookUrls: 'https://hooks.example.com/' } });
    const happen = () => callEndpoint('create-webhook-secret', { workspaceId: at.workspaceId, body: {} });
    return { name: 'link', at, change: { title: 'New' }, happen };
  },
  'a tag that a link gets': async () => {
    const { workspaceId, at } = await newLink();
    const { id } = await store.createTag(workspaceId, { name: 'Launch', color: '#123456' });
    const happen = () => callEndpoint('update-link', { ...at, body: { tagIds: [id] } });
    return { name: 'tag', at: { workspaceId, id }, change: { name: 'New' }, happen };
  },
  'a domain that is checked': async () => {
    const { workspaceId, domain } = await store.newWorkspace();
    const wanted = { type: 'CNAME', name: domain.host, value: 'links.localhost' } as const;
    const happen = () => store.recordCheck(workspaceId, domain, { failure: undefined, wanted, seen: { values: [] } });
    return { name: 'domain', at: { workspaceId, domain: domain.host }, change: { publicQr: true }, happen };
  },
  'a webhook that falls behind': async () => {
    const { workspaceId, newWebhook } = await newHookedWorkspace(store);
    const { webhook } = await newWebhook();
    const due = new Date(Date.now() - 600_000).toISOString();
    const happen = () => store.putItem(queuedKey(receiverPk(workspaceId, webhook.url), due, `dlv_${randomBase62(22)}`));
    return { name: 'webhook', at: { workspaceId, id: webhook.id }, change: { active: false }, happen };
  },
};

/** Sends a request for a thing, with these headers. */
const send = ({ name, at }: Thing, action: 'get' | 'update' | 'delete', more: Partial<EndpointCall> = {}) =>
  callEndpoint(`${action}-${name}`, { ...at, ...more });

const etagOf = async (thing: Thing) => String((await send(thing, 'get')).headers.ETag);

describe.for(Object.entries(things))('%s', ([, make]) => {
  test('If-None-Match notices the event, but the former entity tag still allows a change with If-Match.', async () => {
    const thing = await make();
    const before = await etagOf(thing);
    await thing.happen();
    expect(await etagOf(thing)).not.toBe(before);
    expect(await send(thing, 'get', { headers: { 'If-None-Match': before } })).toMatchObject({ status: 200 });
    const changed = await send(thing, 'update', { headers: { 'If-Match': before }, body: thing.change });
    expect(changed).toMatchObject({ status: 200 });
    const late = await send(thing, 'update', { headers: { 'If-Match': before }, body: thing.change });
    expect(late).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
  });

  test('The former entity tag still allows a deletion with If-Match.', async () => {
    const thing = await make();
    const before = await etagOf(thing);
    await thing.happen();
    expect(await send(thing, 'delete', { headers: { 'If-Match': before } })).toMatchObject({ status: 204 });
  });
});

test('A link that is visited between the read and the write of a change with If-Match is changed.', async () => {
  const { link, at } = await newLink();
  const { headers } = await callEndpoint('get-link', at);
  const answer = await overtaken(
    () => makeClicks([clickOf(link, Date.now())]),
    () => callEndpoint('update-link', { ...at, headers: { 'If-Match': String(headers.ETag) }, body: { title: 'New' } }),
    { command: 'UpdateItem' },
  );
  expect(answer).toMatchObject({ status: 200, body: { link: { title: 'New' } } });
  expect((await callEndpoint('get-link', at)).body.link).toMatchObject({ title: 'New', clickCount: 1 });
});
