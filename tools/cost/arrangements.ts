import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context, DynamoDBStreamEvent } from 'aws-lambda';
import { handler as authorize } from '../../lambdas/authorizer/authorize.ts';
import { toBase62 } from '../../lambdas/core/base62.ts';
import { addressDimensions, nothingKnown } from '../../lambdas/core/click/click.ts';
import { newClick } from '../../lambdas/core/click/new-click.ts';
import { destinationLength, urlLength } from '../../lambdas/core/limits.ts';
import type { Link, LinkSettings } from '../../lambdas/core/link/link.ts';
import { reportPath } from '../../lambdas/core/report/report-path.ts';
import type { WebhookEvent } from '../../lambdas/core/webhook/webhook.ts';
import { handler as listHistory } from '../../lambdas/endpoints/history/list-history.ts';
import { handler as createKey } from '../../lambdas/endpoints/keys/create-key.ts';
import { handler as bulkCreateLinks } from '../../lambdas/endpoints/links/bulk-create-links.ts';
import { handler as bulkUpdateLinks } from '../../lambdas/endpoints/links/bulk-update-links.ts';
import { handler as createLink } from '../../lambdas/endpoints/links/create-link.ts';
import { handler as deleteLink } from '../../lambdas/endpoints/links/delete-link.ts';
import { handler as listLinks } from '../../lambdas/endpoints/links/list-links.ts';
import { handler as replaceLink } from '../../lambdas/endpoints/links/put-link.ts';
import { handler as updateLink } from '../../lambdas/endpoints/links/update-link.ts';
import { handler as deleteClicks } from '../../lambdas/endpoints/stats/delete-clicks.ts';
import { handler as createTag } from '../../lambdas/endpoints/tags/create-tag.ts';
import { handler as deleteTag } from '../../lambdas/endpoints/tags/delete-tag.ts';
import { handler as createTemplate } from '../../lambdas/endpoints/templates/create-template.ts';
import { handler as deleteTemplate } from '../../lambdas/endpoints/templates/delete-template.ts';
import { handler as createWebhook } from '../../lambdas/endpoints/webhooks/create-webhook.ts';
import { handler as listWebhookSecrets } from '../../lambdas/endpoints/webhooks/list-webhook-secrets.ts';
import { handler as checkDomains } from '../../lambdas/events/check-domains.ts';
import { handler as countClicks } from '../../lambdas/events/count-clicks.ts';
import { handler as recordChanges } from '../../lambdas/events/record-changes.ts';
import { handler as restartSweeps } from '../../lambdas/events/restart-sweeps.ts';
import { handler as sweepTags } from '../../lambdas/events/sweep.ts';
import { handler as redirect } from '../../lambdas/redirect/redirect.ts';
import { answerReport } from '../../lambdas/redirect/reporting.ts';
import { inParallel } from '../../lambdas/runtime/in-parallel.ts';
import { recordClick } from '../../lambdas/store/clicks/clicks.ts';
import { sweepPage } from '../../lambdas/store/links/tag-removal.ts';
import { itemJson } from '../../lambdas/store/table/attribute-values.ts';
import {
  checkRoundKey,
  domainCheckKey,
  domainChecksIndex,
  erasureKey,
  linkKeyOf,
  sweepKey,
  sweepsIndex,
} from '../../lambdas/store/table/keys.ts';
import { getItems, query } from '../../lambdas/store/table/reads.ts';
import { deleteItem } from '../../lambdas/store/table/writes.ts';
import { apiEvent, invocation, newDefaultLink, newWorkspace, putLink, visitEvent } from '../bench/support/fixtures.ts';

// Prepares what the operations need, and calls them as AWS would.

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
export type Workspace = Awaited<ReturnType<typeof newWorkspace>>;

/** Calls an endpoint's function as the gateway does. @throws Error if it does not succeed. */
async function call(handler: Handler, { workspaceId }: Workspace, method: string, more: Parameters<typeof apiEvent>[2] = {}) {
  const { statusCode, headers, body } = await handler(apiEvent(workspaceId, method, more), invocation);
  if (statusCode >= 300) throw new Error(`${statusCode} ${body}`);
  return String(headers?.['Content-Type']).includes('json') ? JSON.parse(body) : undefined;
}

type Call = Parameters<typeof apiEvent>[2];

/**
 * A measured call of an endpoint, in its own workspace.
 *
 * @param warmUp an earlier call in another workspace, so that the endpoint's function has read the blocked
 * destinations.
 */
export const request =
  (
    handler: Handler,
    method: string,
    arrange: (workspace: Workspace) => Promise<Call>,
    warmUp?: (workspace: Workspace) => Promise<Call>,
  ) =>
  async () => {
    const workspace = await newWorkspace();
    const more = await arrange(workspace);
    if (warmUp) {
      const other = await newWorkspace();
      await call(handler, other, method, await warmUp(other));
    }
    return async () => {
      await call(handler, workspace, method, more);
      return 1;
    };
  };

const importOf = async (workspace: Workspace, urls: readonly string[]): Promise<string[]> => {
  const body = { domain: workspace.host, links: urls.map((url) => ({ url })) };
  const { links } = await call(bulkCreateLinks, workspace, 'POST', { body });
  return links.map(({ id }: { id: string }) => id);
};
export const newLinks = (workspace: Workspace, count: number) =>
  importOf(
    workspace,
    Array.from({ length: count }, (_, index) => `https://example.org/${index}`),
  );

const longUrl = 'https://example.org/'.padEnd(urlLength, 'x');
const longDestination = longUrl.padEnd(destinationLength, 'x');
/** The longest title, of characters that take three bytes each. */
export const longTitle = '文'.repeat(256);

/** The settings of the largest link that can be created with one request. */
export const largestSettings = {
  url: longDestination,
  image: longUrl,
  title: longTitle,
  description: '文'.repeat(1_024),
  notes: '文'.repeat(1_000),
  webhookUrls: Array.from({ length: 5 }, () => longUrl).join(','),
  expiredUrl: longUrl,
  rules: [2_028, 2_028, 2_028, 1_500].map((length) => ({
    if: { device: ['mobile' as const] },
    url: `https://example.org/${'x'.repeat(length)}`,
  })),
};

/**
 * Creates the largest possible links. They are written directly to the table, because a cloaked link gets its second
 * URL only by a lookup at its destination.
 */
export async function largestLinks({ domain }: Workspace, count: number, settings: Partial<LinkSettings> = {}): Promise<Link[]> {
  const largest = {
    ...largestSettings,
    cloaked: true,
    unframeableUrl: longDestination,
    passwordHash: 'x'.repeat(97),
    ...settings,
  };
  const links = Array.from({ length: count }, () => newDefaultLink(domain, largest));
  for (const link of links) await putLink(link);
  return links;
}

export const newTags = (workspace: Workspace, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const { id } = await call(createTag, workspace, 'POST', { body: { name: `Tag ${index}`, color: '#123456' } });
      return id;
    }),
  );

export const update = (tags: number, change: (tagIds: string[]) => object) =>
  request(
    updateLink,
    'PATCH',
    async (workspace) => {
      const [id = ''] = await newLinks(workspace, 1);
      return { id, body: change(await newTags(workspace, tags)) };
    },
    async (workspace) => ({ ...(await oneLink(0)(workspace)), body: { url: 'https://example.org/before' } }),
  );

/** Creates a link. */
export const creation = (arrange: (workspace: Workspace) => Promise<{ more?: object; headers?: Record<string, string> }>) =>
  request(
    createLink,
    'POST',
    async (workspace) => {
      const { more = {}, headers = {} } = await arrange(workspace);
      return { body: { domain: workspace.host, url: 'https://example.org/', ...more }, headers };
    },
    async ({ host }) => ({ body: { domain: host, url: 'https://example.org/before' } }),
  );

/** One link with that many tags. */
export const oneLink = (tags: number) => async (workspace: Workspace) => {
  const [id = ''] = await newLinks(workspace, 1);
  await putTagsOn(workspace, id, await newTags(workspace, tags));
  return { id };
};

/** Creates or replaces a link by its external id. A link with the id `page:1` exists. */
export const putting = (externalId: string, change: object) => {
  const body = ({ host }: Workspace, more: object) => ({ domain: host, url: 'https://example.org/', ...more });
  const newLink = async (workspace: Workspace) => {
    await call(replaceLink, workspace, 'PUT', { externalId: 'page:1', body: body(workspace, {}) });
    return { externalId, body: body(workspace, change) };
  };
  return request(replaceLink, 'PUT', newLink, newLink);
};

/** A link with an alias that has its own item. */
export async function oneAlias(workspace: Workspace) {
  const { id } = await oneLink(0)(workspace);
  for (const customSlug of ['Former', 'Other']) await call(updateLink, workspace, 'PATCH', { id, body: { customSlug } });
  return { id, slug: 'former' };
}

export const putTagsOn = (workspace: Workspace, id: string, tagIds: string[]): Promise<unknown> =>
  call(updateLink, workspace, 'PATCH', { id, body: { tagIds } });

/** Sets the tags of links, in requests of up to 100. */
export async function putTagsOnAll(workspace: Workspace, ids: string[], tagIds: string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += 100) {
    await call(bulkUpdateLinks, workspace, 'PATCH', { body: { ids: ids.slice(from, from + 100), fields: { tagIds } } });
  }
}

/**
 * A bulk request for 1,000 links in a workspace with `tags.there` tags. Each link has the first `tags.carried` of them.
 */
export const bulkOf = (
  handler: Handler,
  method: string,
  tags: { there: number; carried: number },
  more: (tagIds: string[]) => object,
) =>
  request(handler, method, async (workspace) => {
    const ids = await newLinks(workspace, 1_000);
    const tagIds = await newTags(workspace, tags.there);
    if (tags.carried > 0) {
      const fields = { tagIds: tagIds.slice(0, tags.carried) };
      await call(bulkUpdateLinks, workspace, 'PATCH', { body: { ids, fields } });
    }
    return { body: { ids, ...more(tagIds) } };
  });

/** A page of links, each with the same 20 tags. */
export const taggedList = request(listLinks, 'GET', async (workspace) => {
  const ids = await newLinks(workspace, 50);
  await call(bulkUpdateLinks, workspace, 'PATCH', { body: { ids, fields: { tagIds: await newTags(workspace, 20) } } });
  return {};
});

export const oneTag = async (workspace: Workspace) => {
  const [id = ''] = await newTags(workspace, 1);
  return { id };
};

/** A template with five tags. */
export const oneTemplate = async (workspace: Workspace): Promise<{ id: string }> => {
  const tagIds = await newTags(workspace, 5);
  const { id } = await call(createTemplate, workspace, 'POST', { body: { name: 'Template', tagIds } });
  return { id };
};

/** A template with five tags whose deletion is in the history. Returns its id and the entry. */
export const deletedTemplate = async (workspace: Workspace) => {
  const { id } = await oneTemplate(workspace);
  await call(deleteTemplate, workspace, 'DELETE', { id });
  const { entries } = await call(listHistory, workspace, 'GET', {});
  return { id, entryId: entries[0].id };
};

/** The field of a request that uses a template without tags. */
export const ofTemplate = async (workspace: Workspace): Promise<{ templateId: string }> => {
  const body = { name: 'Template', utmSource: 'mail', expiresAfterDays: 90 };
  return { templateId: (await call(createTemplate, workspace, 'POST', { body })).id };
};

export const webhookFor = (event: WebhookEvent) => ({ url: 'https://hooks.example.com/links', events: [event] });

/** A webhook for clicks. */
export const oneWebhook = async (workspace: Workspace): Promise<{ id: string }> => {
  const { id } = await call(createWebhook, workspace, 'POST', { body: webhookFor('link.clicked') });
  return { id };
};

/** The secret of the only webhook. */
export const oneSecret = async (workspace: Workspace): Promise<{ id: string }> => {
  await oneWebhook(workspace);
  const { secrets } = await call(listWebhookSecrets, workspace, 'GET');
  return { id: secrets[0].id };
};

/** Another key of a workspace, and the workspace's own as the caller. */
export const oneKey = async (workspace: Workspace): Promise<{ id: string; keyId: string }> => {
  const { keyId } = workspace;
  const { id } = await call(createKey, workspace, 'POST', { keyId, body: {} });
  return { id, keyId };
};

const { links: exampleLinks } = JSON.parse(readFileSync(join(import.meta.dirname, '../../examples/links-1000.json'), 'utf8'));
type MoreOf = (workspace: Workspace) => Promise<object>;
export const exampleImport = (headers: Record<string, string>, more?: MoreOf) => importCall(exampleLinks, headers, more);
export const importCall = (links: readonly object[], headers: Record<string, string>, more: MoreOf = async () => ({})) =>
  request(
    bulkCreateLinks,
    'POST',
    async (workspace) => ({ body: { domain: workspace.host, links, ...(await more(workspace)) }, headers }),
    async ({ host }) => ({ body: { domain: host, links: [{ url: 'https://example.org/before' }] } }),
  );

/**
 * Removes a deleted tag from its links, with one invocation for each change of the sweep that the stream would deliver.
 */
export const sweepOf = (count: number) => async () => {
  const workspace = await newWorkspace();
  const [tagId = ''] = await newTags(workspace, 1);
  for (const id of await newLinks(workspace, count)) {
    await putTagsOn(workspace, id, [tagId]);
  }
  await call(deleteTag, workspace, 'DELETE', { id: tagId });
  const { pk } = sweepKey(tagId);
  const event = { Records: [{ dynamodb: { Keys: { pk: { S: pk } } } }] } as DynamoDBStreamEvent;
  // A page has 100 links, and a full one is followed by another.
  const invocations = Math.floor(count / 100) + 1;
  return async () => {
    for (let page = 0; page < invocations; page++) await sweepTags(event, invocation);
    return invocations;
  };
};

/** Noon of a day: `day` days after the first day. */
const noonOf = (day: number): number => Date.UTC(2030, 2, 1 + day, 12);

let counted = 0;

/** Looks random like an id, but is the same in each run, since the size of compressed rows depends on it. */
const fixedText = (number: number, length: number): string =>
  toBase62(hash('sha256', String(number)), 43)
    .slice(-length)
    .padStart(length, '0');

/** The stream's record of a click on a day. There are 20 kinds of visitors. */
function clickRecord({ workspaceId, host }: Workspace, linkId: string, day = 0) {
  const number = ++counted;
  const kind = number % 20;
  return {
    dynamodb: {
      Keys: { pk: { S: `CLICK#${linkId}#7` }, sk: { S: `${new Date(noonOf(day)).toISOString()}#${fixedText(number, 22)}` } },
      NewImage: {
        workspaceId: { S: workspaceId },
        host: { S: host },
        country: { S: `C${kind}` },
        referrer: { S: `news${kind}.example.com` },
        ...Object.fromEntries(addressDimensions.map((dimension) => [dimension, { S: `${dimension}-${kind % 4}` }])),
      },
      SequenceNumber: String(number),
      ApproximateCreationDateTime: noonOf(day) / 1_000,
    },
  };
}

const count = (Records: readonly ReturnType<typeof clickRecord>[]) =>
  countClicks({ shardId: 'shardId-00000001414562045508-2bac9cd2', Records: [...Records] }, invocation);

/** Counts a batch of the stream: `clicks` clicks on `links` links, which were clicked before. */
export const countOf = (clicks: number, links: number) => async () => {
  const workspace = await newWorkspace();
  // Counting does not need the links.
  const ids = Array.from({ length: links }, () => `lnk_${fixedText(++counted, 28)}`);
  const batch = () => Array.from({ length: clicks }, (_, index) => clickRecord(workspace, ids[index % links] ?? ''));
  await count(batch());
  const next = batch();
  return async () => {
    await count(next);
    return 1;
  };
};

/** Links that are clicked 50 times on each day, and the first one's id. */
export const clickedLinks = (links: number, days: number) => async (workspace: Workspace) => {
  const [id = ''] = await clickedIds(workspace, links, days);
  return { id };
};

async function clickedIds(workspace: Workspace, links: number, days: number): Promise<string[]> {
  const ids = await newLinks(workspace, links);
  for (let day = 0; day < days; day++) {
    for (const id of ids) await count(Array.from({ length: 50 }, () => clickRecord(workspace, id, day)));
  }
  return ids;
}

/** The same links with a tag, and the tag's id. */
export async function clickedTaggedLinks(workspace: Workspace, links: number, days: number): Promise<string> {
  const [tagId = ''] = await newTags(workspace, 1);
  await putTagsOnAll(workspace, await clickedIds(workspace, links, days), [tagId]);
  return tagId;
}

/** Counts 20 clicks of a link, by as many kinds of visitors. */
export const clickedTwentyTimes = (workspace: Workspace, id: string) =>
  count(Array.from({ length: 20 }, () => clickRecord(workspace, id)));

/** A link with that many recorded clicks. */
export const recordedClicks = (clicks: number) => async (workspace: Workspace) => {
  // Their ids spread them over the partitions in the same way in each run.
  const [id = ''] = await newLinks(workspace, 1);
  const link = { id, workspaceId: workspace.workspaceId, domain: workspace.domain.host, clickEpoch: 0 };
  await inParallel(Array.from({ length: clicks }), 25, (_, index) =>
    recordClick({ ...newClick(link, noonOf(0) + index, nothingKnown), id: String(index).padStart(22, '0') }),
  );
  return { id };
};

/** The sweep of that many erased clicks. */
export const erasureOf = (clicks: number) => async () => {
  const workspace = await newWorkspace();
  const { id } = await recordedClicks(clicks)(workspace);
  await call(deleteClicks, workspace, 'DELETE', { id });
  const event = { Records: [{ dynamodb: { Keys: { pk: { S: erasureKey(id).pk } } } }] } as DynamoDBStreamEvent;
  return async () => {
    await sweepTags(event, invocation);
    return 1;
  };
};

/** New links whose titles were changed, and the stream's records of that. */
async function changesOf(workspace: Workspace, count: number) {
  const ids = await newLinks(workspace, count);
  const change = (id: string) => call(updateLink, workspace, 'PATCH', { id, body: { title: 'Changed' } });
  return { ids, Records: await recordsOf(ids, change) };
}

/** Changes links, and returns the stream's records of the changes. */
async function recordsOf(ids: readonly string[], change: (id: string) => Promise<unknown>) {
  const before = await getItems(ids.map(linkKeyOf));
  await inParallel(ids, 10, change);
  const after = await getItems(ids.map(linkKeyOf));
  return after.map((item = {}, index) => ({
    eventName: 'MODIFY' as const,
    eventSourceARN: `arn:aws:dynamodb:eu-central-1:111122223333:table/Links/stream/${streamLabel}`,
    dynamodb: {
      OldImage: JSON.parse(itemJson(before[index] ?? {})),
      NewImage: JSON.parse(itemJson(item)),
      SequenceNumber: String(firstRecord + index),
      ApproximateCreationDateTime: Math.floor(Date.now() / 1_000),
    },
  }));
}

/** The label of the stream, and the sequence number of its first record. */
const streamLabel = '2030-01-01T00:00:00.000';
const firstRecord = 300_000_000_000_000;
const firstEntry = `his_20300101000000000${firstRecord}`;

/** Records that many changes as one batch of the stream. @param isHooked whether a webhook is notified of them. */
export const recordingOf =
  (changes: number, isHooked = false) =>
  async () => {
    const workspace = await newWorkspace();
    if (isHooked) await call(createWebhook, workspace, 'POST', { body: webhookFor('link.updated') });
    const { Records } = await changesOf(workspace, changes);
    return async () => {
      await recordChanges({ Records }, invocation);
      return 1;
    };
  };

/** Links with a change each that is in the history. Returns the first link and its entry. */
export const changedLinks = (count: number) => async (workspace: Workspace) => {
  const { ids, Records } = await changesOf(workspace, count);
  await recordChanges({ Records }, invocation);
  return { id: ids[0] ?? '', entryId: firstEntry };
};

/** A link whose deletion is in the history. Returns its id and the entry. */
export const deletedLink = async (workspace: Workspace) => {
  const ids = await newLinks(workspace, 1);
  await recordChanges({ Records: await recordsOf(ids, (id) => call(deleteLink, workspace, 'DELETE', { id })) }, invocation);
  return { id: ids[0] ?? '', entryId: firstEntry };
};

/** A visit of a link, on a domain that the function remembers. */
export const visitOf =
  (settings: object, behind = '') =>
  async () => {
    const workspace = await newWorkspace();
    const { links } = await call(bulkCreateLinks, workspace, 'POST', {
      body: { domain: workspace.host, links: [{ url: 'https://example.org/' }, { url: 'https://example.org/other' }] },
    });
    const { link } = await call(updateLink, workspace, 'PATCH', { id: links[0].id, body: settings });
    return visitAfterOne(workspace, [{ shortCode: `${link.shortCode}${behind}` }, links[1]]);
  };

/** A report of a link, to a function that remembers the domain: the link's first report of the day, or a later one. */
export const reportOf = (isFirst: boolean) => async () => {
  const workspace = await newWorkspace();
  const { links } = await call(bulkCreateLinks, workspace, 'POST', {
    body: { domain: workspace.host, links: [{ url: 'https://example.org/' }, { url: 'https://example.org/other' }] },
  });
  const report = async ({ shortCode }: Pick<Link, 'shortCode'>) => {
    const event = visitEvent(workspace.host, reportPath, { 'content-type': 'application/x-www-form-urlencoded' });
    event.requestContext.http.method = 'POST';
    event.body = `address=/${shortCode}&reason=phishing&note=${'It asked for my password. '.repeat(4)}`;
    const { statusCode } = await answerReport(event, invocation);
    if (statusCode !== 200) throw new Error(`${statusCode}`);
    return 1;
  };
  await report(links[isFirst ? 1 : 0]);
  return () => report(links[0]);
};

/** A visit of the largest possible link, but without a password, which a plain visit does not send. */
export const visitOfLargest = (settings: Partial<LinkSettings>) => async () => {
  const workspace = await newWorkspace();
  const links = await largestLinks(workspace, 2, { ...settings, passwordHash: null });
  return visitAfterOne(workspace, links);
};

/** A visit of the first link, after one of the second, so that the function remembers the domain but not the link. */
async function visitAfterOne({ host }: Workspace, links: readonly Pick<Link, 'shortCode'>[]): Promise<() => Promise<number>> {
  const [visit, other] = links.map(({ shortCode }) => async () => {
    const { statusCode } = await redirect(visitEvent(host, `/${shortCode}`), invocation);
    if (statusCode !== 302) throw new Error(`${statusCode}`);
    return 1;
  });
  if (!visit || !other) throw new Error('two links are needed');
  await other();
  return visit;
}

/** The work of the authorizer if the gateway has not cached the key. */
export const keyLookUp = async () => {
  const { key } = await newWorkspace();
  const methodArn = 'arn:aws:execute-api:local:000000000000:api/local/GET/api/v1/tags';
  return async () => {
    await authorize({ type: 'TOKEN', authorizationToken: `Bearer ${key}`, methodArn }, invocation);
    return 1;
  };
};

/** The schedule's work if all domains were checked today. */
export const nothingToCheck = async () => {
  const check = await checkOf(1)();
  await check();
  return check;
};

/**
 * The daily check of `count` domains that the operator added. For other domains, the check also queries the DNS, which
 * takes no units.
 */
export const checkOf = (count: number) => async () => {
  const known = (await Array.fromAsync(query({ gsi1pk: domainChecksIndex }))).map(({ gsi1sk }) => String(gsi1sk));
  for (const host of known) await deleteItem(domainCheckKey(host));
  await deleteItem(checkRoundKey);
  for (let made = 0; made < count; made++) await newWorkspace();
  return async () => {
    await checkDomains({}, invocation);
    return 1;
  };
};

/** The schedule's work if nothing has stalled. */
export const noStalledSweeps = async () => {
  for (const { gsi1sk } of await Array.fromAsync(query({ gsi1pk: sweepsIndex }))) await sweepPage(String(gsi1sk));
  return async () => {
    await restartSweeps({}, invocation);
    return 1;
  };
};
