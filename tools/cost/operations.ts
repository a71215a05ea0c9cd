import { handler as createDomain } from '../../lambdas/endpoints/domains/create-domain.ts';
import { handler as deleteDomain } from '../../lambdas/endpoints/domains/delete-domain.ts';
import { handler as getDomain } from '../../lambdas/endpoints/domains/get-domain.ts';
import { handler as listDomains } from '../../lambdas/endpoints/domains/list-domains.ts';
import { handler as updateDomain } from '../../lambdas/endpoints/domains/update-domain.ts';
import { handler as verifyDomain } from '../../lambdas/endpoints/domains/verify-domain.ts';
import { handler as listHistory } from '../../lambdas/endpoints/history/list-history.ts';
import { handler as listLinkHistory } from '../../lambdas/endpoints/history/list-link-history.ts';
import { handler as revertChange } from '../../lambdas/endpoints/history/revert-change.ts';
import { handler as createKey } from '../../lambdas/endpoints/keys/create-key.ts';
import { handler as deleteKey } from '../../lambdas/endpoints/keys/delete-key.ts';
import { handler as getKey } from '../../lambdas/endpoints/keys/get-key.ts';
import { handler as listKeys } from '../../lambdas/endpoints/keys/list-keys.ts';
import { handler as rotateKey } from '../../lambdas/endpoints/keys/rotate-key.ts';
import { handler as updateKey } from '../../lambdas/endpoints/keys/update-key.ts';
import { handler as bulkDeleteLinks } from '../../lambdas/endpoints/links/bulk-delete-links.ts';
import { handler as bulkUpdateLinks } from '../../lambdas/endpoints/links/bulk-update-links.ts';
import { handler as deleteLink } from '../../lambdas/endpoints/links/delete-link.ts';
import { handler as deleteLinkAlias } from '../../lambdas/endpoints/links/delete-link-alias.ts';
import { handler as deleteLinkAliasBySlug } from '../../lambdas/endpoints/links/delete-link-alias-by-slug.ts';
import { handler as getLink } from '../../lambdas/endpoints/links/get-link.ts';
import { handler as getLinkQr } from '../../lambdas/endpoints/links/get-link-qr.ts';
import { handler as getMetadata } from '../../lambdas/endpoints/links/get-metadata.ts';
import { handler as listLinks } from '../../lambdas/endpoints/links/list-links.ts';
import { handler as listRankedLinks } from '../../lambdas/endpoints/links/list-ranked-links.ts';
import { handler as lookupLink } from '../../lambdas/endpoints/links/lookup-link.ts';
import { handler as getMe } from '../../lambdas/endpoints/me/get-me.ts';
import { handler as createMember } from '../../lambdas/endpoints/members/create-member.ts';
import { handler as deleteMember } from '../../lambdas/endpoints/members/delete-member.ts';
import { handler as getMember } from '../../lambdas/endpoints/members/get-member.ts';
import { handler as leaveWorkspace } from '../../lambdas/endpoints/members/leave-workspace.ts';
import { handler as listMembers } from '../../lambdas/endpoints/members/list-members.ts';
import { handler as updateMember } from '../../lambdas/endpoints/members/update-member.ts';
import { handler as deleteClicks } from '../../lambdas/endpoints/stats/delete-clicks.ts';
import { handler as getLinkStats } from '../../lambdas/endpoints/stats/get-link-stats.ts';
import { handler as getStats } from '../../lambdas/endpoints/stats/get-stats.ts';
import { handler as getTopLinks } from '../../lambdas/endpoints/stats/get-top-links.ts';
import { handler as listAllClicks } from '../../lambdas/endpoints/stats/list-all-clicks.ts';
import { handler as listClicks } from '../../lambdas/endpoints/stats/list-clicks.ts';
import { handler as createTag } from '../../lambdas/endpoints/tags/create-tag.ts';
import { handler as deleteTag } from '../../lambdas/endpoints/tags/delete-tag.ts';
import { handler as getTag } from '../../lambdas/endpoints/tags/get-tag.ts';
import { handler as listTagLinks } from '../../lambdas/endpoints/tags/list-tag-links.ts';
import { handler as listTags } from '../../lambdas/endpoints/tags/list-tags.ts';
import { handler as updateTag } from '../../lambdas/endpoints/tags/update-tag.ts';
import { handler as createTemplate } from '../../lambdas/endpoints/templates/create-template.ts';
import { handler as deleteTemplate } from '../../lambdas/endpoints/templates/delete-template.ts';
import { handler as getTemplate } from '../../lambdas/endpoints/templates/get-template.ts';
import { handler as listTemplates } from '../../lambdas/endpoints/templates/list-templates.ts';
import { handler as restoreTemplate } from '../../lambdas/endpoints/templates/restore-template.ts';
import { handler as updateTemplate } from '../../lambdas/endpoints/templates/update-template.ts';
import { handler as createWebhook } from '../../lambdas/endpoints/webhooks/create-webhook.ts';
import { handler as createWebhookSecret } from '../../lambdas/endpoints/webhooks/create-webhook-secret.ts';
import { handler as deleteWebhook } from '../../lambdas/endpoints/webhooks/delete-webhook.ts';
import { handler as deleteWebhookSecret } from '../../lambdas/endpoints/webhooks/delete-webhook-secret.ts';
import { handler as getWebhook } from '../../lambdas/endpoints/webhooks/get-webhook.ts';
import { handler as listWebhookSecrets } from '../../lambdas/endpoints/webhooks/list-webhook-secrets.ts';
import { handler as listWebhooks } from '../../lambdas/endpoints/webhooks/list-webhooks.ts';
import { handler as updateWebhook } from '../../lambdas/endpoints/webhooks/update-webhook.ts';
import { addDomain } from '../../lambdas/store/domains/ownership.ts';
import { createLink } from '../../lambdas/store/links/create.ts';
import { newRun, newSlug } from '../bench/support/fixtures.ts';
import {
  bulkOf,
  changedLinks,
  checkOf,
  clickedLinks,
  clickedTaggedLinks,
  countOf,
  creation,
  deletedLink,
  deletedTemplate,
  erasureOf,
  exampleImport,
  importCall,
  keyLookUp,
  newLinks,
  newTags,
  noStalledSweeps,
  nothingToCheck,
  ofTemplate,
  oneAlias,
  oneKey,
  oneLink,
  oneSecret,
  oneTag,
  oneTemplate,
  oneWebhook,
  putTagsOn,
  putting,
  recordedClicks,
  recordingOf,
  reportOf,
  request,
  sweepOf,
  taggedList,
  update,
  visitOf,
  type Workspace,
  webhookFor,
} from './arrangements.ts';
import batches from './batches.json' with { type: 'json' };
import durations from './durations.json' with { type: 'json' };
import { aboutMember, byMember, oneMember, signInKeyLookUp } from './members.ts';
import { nothingToSeal, sealingOf } from './sealing-arrangements.ts';
import { deliveriesOf, nothingDue, pageUrl, senderAskedFor, sendingOf } from './webhook-arrangements.ts';

/** A measured operation: a row of docs/cost/operations.csv. */
export type Operation = {
  readonly name: string;
  /** The name of its function in the table of endpoints or in the stacks. */
  readonly functionName: string;
  /** The gateway of the request, which costs money and starts a trace; undefined if no request starts the operation. */
  readonly gateway: 'REST' | 'HTTP' | undefined;
  /**
   * How long the function is assumed to run, in milliseconds, for all its invocations together. The durations of visits
   * and of counting are measured.
   */
  readonly assumedMs: number;
  /** For measured durations: the function's calls and memory, and the command that measures again. */
  readonly measured?: { readonly calls: number; readonly memoryMb: number; readonly writtenBy: string };
  /** Prepares the operation, and returns the work to measure. The work returns how often the function ran. */
  readonly arrange: () => Promise<() => Promise<number>>;
};

const measuredAs = (visit: keyof typeof durations.laterVisits) => ({
  measured: { ...durations, calls: durations.laterVisits[visit].waits },
  assumedMs: Math.ceil(durations.laterVisits[visit].ms),
});

const countedAs = (batch: keyof typeof batches.batches) => ({
  measured: { ...batches, calls: batches.batches[batch].calls },
  assumedMs: Math.ceil(batches.batches[batch].ms),
});

/** A link by its address. */
const oneAddress = async ({ host, domain }: Workspace) => ({ query: { domain: host, slug: await newSlug(domain) } });

/** More links than a page has. */
const someLinks = async (workspace: Workspace) => {
  await newLinks(workspace, 60);
  return {};
};

/** More links with a tag than a page has. */
const taggedLinks = async (workspace: Workspace) => {
  const [id = ''] = await newTags(workspace, 1);
  for (const link of await newLinks(workspace, 60)) await putTagsOn(workspace, link, [id]);
  return { id };
};

/** The duration of a plain visit with one more read. The read takes as long as that of a cap. */
const { plain, capped, cappedAgain } = durations.laterVisits;
const withOneMoreRead = Math.ceil(plain.ms + capped.ms - cappedAgain.ms);

/**
 * All measured operations. Nobody reads the tables' streams meanwhile, so the consequences of a change have rows of
 * their own.
 */
export const operations: readonly Operation[] = [
  {
    name: 'Redirect a visitor, and record the click',
    functionName: 'redirect',
    gateway: 'HTTP',
    ...measuredAs('plain'),
    arrange: visitOf({}),
  },
  {
    name: '… by a slug that the link got later',
    functionName: 'redirect',
    gateway: 'HTTP',
    assumedMs: withOneMoreRead,
    arrange: visitOf({ customSlug: 'Other' }),
  },
  {
    name: '… of a path behind the slug',
    functionName: 'redirect',
    gateway: 'HTTP',
    assumedMs: withOneMoreRead,
    arrange: visitOf({ forwardPath: true }, '/more/path'),
  },
  {
    name: 'Redirect a visitor of a link with a cap',
    functionName: 'redirect',
    gateway: 'HTTP',
    ...measuredAs('capped'),
    arrange: visitOf({ maxClicks: 10 }),
  },
  {
    name: '… if the function knows that the cap has clicks left',
    functionName: 'redirect',
    gateway: 'HTTP',
    ...measuredAs('cappedAgain'),
    arrange: async () => {
      const visit = await visitOf({ maxClicks: 10 })();
      await visit();
      return visit;
    },
  },
  {
    name: 'Report a link, the first time on that day',
    functionName: 'redirect',
    gateway: 'HTTP',
    // One read and two writes more than a visit.
    assumedMs: 3 * withOneMoreRead,
    arrange: reportOf(true),
  },
  {
    name: '… which others have reported on that day',
    functionName: 'redirect',
    gateway: 'HTTP',
    assumedMs: 3 * withOneMoreRead,
    arrange: reportOf(false),
  },
  {
    name: 'Count one click on one link',
    functionName: 'count-clicks',
    gateway: undefined,
    ...countedAs('one click'),
    arrange: countOf(1, 1),
  },
  {
    name: 'Count 1,000 clicks on one link',
    functionName: 'count-clicks',
    gateway: undefined,
    ...countedAs('one link'),
    arrange: countOf(1_000, 1),
  },
  {
    name: 'Count 1,000 clicks on 100 links',
    functionName: 'count-clicks',
    gateway: undefined,
    ...countedAs('100 links'),
    arrange: countOf(1_000, 100),
  },
  {
    name: 'Create a link',
    functionName: 'create-link',
    gateway: 'REST',
    assumedMs: 30,
    arrange: creation(async () => ({})),
  },
  {
    name: '… with a tag and an `Idempotency-Key`',
    functionName: 'create-link',
    gateway: 'REST',
    assumedMs: 60,
    arrange: creation(async (workspace) => ({
      more: { tagIds: await newTags(workspace, 1) },
      headers: { 'Idempotency-Key': 'creation-1' },
    })),
  },
  {
    name: '… with an external id',
    functionName: 'create-link',
    gateway: 'REST',
    assumedMs: 45,
    arrange: creation(async () => ({ more: { externalId: 'page:1' } })),
  },
  {
    name: '… with a template',
    functionName: 'create-link',
    gateway: 'REST',
    assumedMs: 35,
    arrange: creation(async (workspace) => ({ more: await ofTemplate(workspace) })),
  },
  {
    name: 'Create a link by its external id',
    functionName: 'put-link',
    gateway: 'REST',
    assumedMs: 60,
    arrange: putting('page:2', {}),
  },
  {
    name: '… replace it',
    functionName: 'put-link',
    gateway: 'REST',
    assumedMs: 45,
    arrange: putting('page:1', { title: 'New' }),
  },
  {
    name: '… if nothing differs',
    functionName: 'put-link',
    gateway: 'REST',
    assumedMs: 30,
    arrange: putting('page:1', {}),
  },
  {
    name: 'Get a link',
    functionName: 'get-link',
    gateway: 'REST',
    assumedMs: 15,
    arrange: request(getLink, 'GET', oneLink(0), oneLink(0)),
  },
  {
    name: '… by its external id',
    functionName: 'get-link',
    gateway: 'REST',
    assumedMs: 20,
    arrange: request(
      getLink,
      'GET',
      async ({ domain }) => {
        await createLink(domain, { url: 'https://example.org/', externalId: 'page:1' }, newRun(new Date()));
        return { id: 'ext_page:1' };
      },
      oneLink(0),
    ),
  },
  {
    name: "Get a link's QR code",
    functionName: 'get-link-qr',
    gateway: 'REST',
    assumedMs: 15,
    arrange: request(getLinkQr, 'GET', oneLink(0)),
  },
  {
    name: 'Look up a link',
    functionName: 'lookup-link',
    gateway: 'REST',
    assumedMs: 25,
    arrange: request(lookupLink, 'GET', oneAddress, oneAddress),
  },
  {
    name: 'List 50 links',
    functionName: 'list-links',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(listLinks, 'GET', someLinks, someLinks),
  },
  {
    name: '… and archived ones (`archived=any`)',
    functionName: 'list-links',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(listLinks, 'GET', someLinks, async (workspace) => ({
      ...(await someLinks(workspace)),
      query: { archived: 'any' },
    })),
  },
  {
    name: 'List 50 links, each with the same 20 tags',
    functionName: 'list-links',
    gateway: 'REST',
    assumedMs: 35,
    arrange: taggedList,
  },
  {
    name: '… if another page was listed within 5 seconds',
    functionName: 'list-links',
    gateway: 'REST',
    assumedMs: 30,
    arrange: async () => {
      const list = await taggedList();
      await list();
      return list;
    },
  },
  {
    name: 'List 50 links of a tag',
    functionName: 'list-tag-links',
    gateway: 'REST',
    assumedMs: 35,
    arrange: request(listTagLinks, 'GET', taggedLinks, taggedLinks),
  },
  {
    name: 'Delete a link',
    functionName: 'delete-link',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(deleteLink, 'DELETE', oneLink(0)),
  },
  {
    name: 'Delete a link with a tag',
    functionName: 'delete-link',
    gateway: 'REST',
    assumedMs: 35,
    arrange: request(deleteLink, 'DELETE', oneLink(1)),
  },
  {
    name: 'Update a link, but not its tags',
    functionName: 'update-link',
    gateway: 'REST',
    assumedMs: 30,
    arrange: update(0, () => ({ title: 'New' })),
  },
  {
    name: "Update a link's destination",
    functionName: 'update-link',
    gateway: 'REST',
    assumedMs: 35,
    arrange: update(0, () => ({ url: 'https://example.org/new' })),
  },
  {
    name: 'Archive a link, which moves it in the index',
    functionName: 'update-link',
    gateway: 'REST',
    assumedMs: 30,
    arrange: update(0, () => ({ isArchived: true })),
  },
  {
    name: 'Give a link another slug',
    functionName: 'update-link',
    gateway: 'REST',
    assumedMs: 45,
    arrange: update(0, () => ({ customSlug: 'Other' })),
  },
  {
    name: 'Remove an alias of a link',
    functionName: 'delete-link-alias',
    gateway: 'REST',
    assumedMs: 40,
    arrange: request(deleteLinkAlias, 'DELETE', oneAlias),
  },
  {
    name: '… by its slug as a parameter',
    functionName: 'delete-link-alias-by-slug',
    gateway: 'REST',
    assumedMs: 40,
    arrange: request(deleteLinkAliasBySlug, 'DELETE', async (workspace) => {
      const { id, slug } = await oneAlias(workspace);
      return { id, query: { slug } };
    }),
  },
  {
    name: 'Update a link: add one tag',
    functionName: 'update-link',
    gateway: 'REST',
    assumedMs: 50,
    arrange: update(1, (tagIds) => ({ tagIds })),
  },
  {
    name: 'Update a link: add 20 tags',
    functionName: 'update-link',
    gateway: 'REST',
    assumedMs: 60,
    arrange: update(20, (tagIds) => ({ tagIds })),
  },
  {
    name: 'Create a tag',
    functionName: 'create-tag',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(createTag, 'POST', async () => ({ body: { name: 'New', color: '#123456' } })),
  },
  {
    // With more tags, one of their partitions would sometimes take another unit.
    name: 'List 50 tags',
    functionName: 'list-tags',
    gateway: 'REST',
    assumedMs: 25,
    arrange: request(listTags, 'GET', async (workspace) => {
      await newTags(workspace, 50);
      return {};
    }),
  },
  {
    name: 'Get a tag',
    functionName: 'get-tag',
    gateway: 'REST',
    assumedMs: 15,
    arrange: request(getTag, 'GET', oneTag),
  },
  {
    name: "Update a tag's colour",
    functionName: 'update-tag',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(updateTag, 'PATCH', async (workspace) => ({ ...(await oneTag(workspace)), body: { color: '#abcdef' } })),
  },
  {
    name: "Update a tag's name",
    functionName: 'update-tag',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(updateTag, 'PATCH', async (workspace) => ({ ...(await oneTag(workspace)), body: { name: 'New' } })),
  },
  {
    name: 'Delete a tag',
    functionName: 'delete-tag',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(deleteTag, 'DELETE', oneTag),
  },
  {
    name: '… and remove it from 100 links',
    functionName: 'sweep',
    gateway: undefined,
    assumedMs: 1_000,
    arrange: sweepOf(100),
  },
  {
    name: 'Create a template with 5 tags',
    functionName: 'create-template',
    gateway: 'REST',
    assumedMs: 35,
    arrange: request(createTemplate, 'POST', async (workspace) => ({
      body: { name: 'New', tagIds: await newTags(workspace, 5) },
    })),
  },
  {
    name: 'List a template with 5 tags',
    functionName: 'list-templates',
    gateway: 'REST',
    assumedMs: 20,
    arrange: request(listTemplates, 'GET', async (workspace) => {
      await oneTemplate(workspace);
      return {};
    }),
  },
  {
    name: 'Get a template with 5 tags',
    functionName: 'get-template',
    gateway: 'REST',
    assumedMs: 20,
    arrange: request(getTemplate, 'GET', oneTemplate),
  },
  {
    name: 'Update a template with 5 tags',
    functionName: 'update-template',
    gateway: 'REST',
    assumedMs: 35,
    arrange: request(updateTemplate, 'PATCH', async (workspace) => ({
      ...(await oneTemplate(workspace)),
      body: { utmSource: 'mail' },
    })),
  },
  {
    name: 'Delete a template',
    functionName: 'delete-template',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(deleteTemplate, 'DELETE', oneTemplate),
  },
  {
    name: '… and undo that',
    functionName: 'restore-template',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(restoreTemplate, 'POST', deletedTemplate),
  },
  {
    name: 'Claim a domain',
    functionName: 'create-domain',
    gateway: 'REST',
    assumedMs: 40,
    arrange: request(createDomain, 'POST', async ({ host }) => ({ body: { domain: `new.${host}` } })),
  },
  {
    name: 'List 10 domains',
    functionName: 'list-domains',
    gateway: 'REST',
    assumedMs: 25,
    arrange: request(listDomains, 'GET', async ({ workspaceId, host }) => {
      for (let number = 1; number < 10; number++) await addDomain(workspaceId, `n${number}.${host}`, 'ACTIVE');
      return {};
    }),
  },
  {
    name: 'Show the caller, of a workspace with 10 domains',
    functionName: 'get-me',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(getMe, 'GET', async ({ workspaceId, host }) => {
      for (let number = 1; number < 10; number++) await addDomain(workspaceId, `n${number}.${host}`, 'ACTIVE');
      return {};
    }),
  },
  {
    name: 'Get a domain',
    functionName: 'get-domain',
    gateway: 'REST',
    assumedMs: 15,
    arrange: request(getDomain, 'GET', async ({ host }) => ({ domain: host })),
  },
  {
    name: 'Change where a domain sends visitors',
    functionName: 'update-domain',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(updateDomain, 'PATCH', async ({ host }) => ({
      domain: host,
      body: { rootUrl: 'https://example.org/', notFoundUrl: 'https://example.org/not-found' },
    })),
  },
  {
    name: 'Verify an active domain',
    functionName: 'verify-domain',
    gateway: 'REST',
    assumedMs: 15,
    arrange: request(verifyDomain, 'POST', async ({ host }) => ({ domain: host })),
  },
  {
    name: 'Delete a domain',
    functionName: 'delete-domain',
    gateway: 'REST',
    assumedMs: 40,
    arrange: request(deleteDomain, 'DELETE', async ({ host }) => ({ domain: host })),
  },
  {
    name: 'Create a webhook for changes of links',
    functionName: 'create-webhook',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(createWebhook, 'POST', async () => ({ body: webhookFor('link.updated') })),
  },
  {
    name: 'Create a webhook for clicks, with one domain',
    functionName: 'create-webhook',
    gateway: 'REST',
    assumedMs: 50,
    arrange: request(createWebhook, 'POST', async () => ({ body: webhookFor('link.clicked') })),
  },
  {
    name: 'List 20 webhooks',
    functionName: 'list-webhooks',
    gateway: 'REST',
    assumedMs: 20,
    arrange: request(listWebhooks, 'GET', async (workspace) => {
      for (let made = 0; made < 20; made++) await oneWebhook(workspace);
      return {};
    }),
  },
  {
    name: 'Get a webhook',
    functionName: 'get-webhook',
    gateway: 'REST',
    assumedMs: 15,
    arrange: request(getWebhook, 'GET', oneWebhook),
  },
  {
    name: 'Deactivate a webhook for clicks, with one domain',
    functionName: 'update-webhook',
    gateway: 'REST',
    assumedMs: 50,
    arrange: request(updateWebhook, 'PATCH', async (workspace) => ({
      ...(await oneWebhook(workspace)),
      body: { active: false },
    })),
  },
  {
    name: 'Delete a webhook for clicks, with one domain',
    functionName: 'delete-webhook',
    gateway: 'REST',
    assumedMs: 50,
    arrange: request(deleteWebhook, 'DELETE', oneWebhook),
  },
  {
    name: 'Rotate the secret of a webhook',
    functionName: 'create-webhook-secret',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(createWebhookSecret, 'POST', async (workspace) => {
      const { id } = await oneWebhook(workspace);
      return { body: { webhookId: id } };
    }),
  },
  {
    name: 'List the secrets of 20 webhooks',
    functionName: 'list-webhook-secrets',
    gateway: 'REST',
    assumedMs: 20,
    arrange: request(listWebhookSecrets, 'GET', async (workspace) => {
      for (let made = 0; made < 20; made++) await oneWebhook(workspace);
      return {};
    }),
  },
  {
    name: 'End a secret',
    functionName: 'delete-webhook-secret',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(deleteWebhookSecret, 'DELETE', oneSecret),
  },
  {
    name: 'Create an API key',
    functionName: 'create-key',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(createKey, 'POST', async ({ keyId }) => ({ keyId, body: {} })),
  },
  {
    name: 'List 100 API keys',
    functionName: 'list-keys',
    gateway: 'REST',
    assumedMs: 40,
    arrange: request(listKeys, 'GET', async (workspace) => {
      for (let made = 1; made < 100; made++) await oneKey(workspace);
      return { query: { limit: '100' } };
    }),
  },
  {
    name: 'Fetch an API key',
    functionName: 'get-key',
    gateway: 'REST',
    assumedMs: 20,
    arrange: request(getKey, 'GET', oneKey),
  },
  {
    name: 'Change an API key',
    functionName: 'update-key',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(updateKey, 'PATCH', async (workspace) => ({ ...(await oneKey(workspace)), body: { name: 'New' } })),
  },
  {
    name: 'Rotate an API key',
    functionName: 'rotate-key',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(rotateKey, 'POST', async (workspace) => ({ ...(await oneKey(workspace)), body: {} })),
  },
  {
    name: 'Revoke an API key',
    functionName: 'delete-key',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(deleteKey, 'DELETE', oneKey),
  },
  {
    name: 'Invite a member',
    functionName: 'create-member',
    gateway: 'REST',
    assumedMs: 40,
    arrange: request(createMember, 'POST', async ({ keyId }) => ({ keyId, body: { email: 'ada@example.com', role: 'editor' } })),
  },
  {
    name: 'List 100 members',
    functionName: 'list-members',
    gateway: 'REST',
    assumedMs: 40,
    arrange: request(listMembers, 'GET', async (workspace) => {
      for (let made = 0; made < 100; made++) await oneMember(workspace);
      return {};
    }),
  },
  {
    name: 'Fetch a member',
    functionName: 'get-member',
    gateway: 'REST',
    assumedMs: 20,
    arrange: request(getMember, 'GET', aboutMember),
  },
  {
    name: "Change a member's role",
    functionName: 'update-member',
    gateway: 'REST',
    assumedMs: 40,
    arrange: request(updateMember, 'PATCH', async (workspace) => ({
      ...(await aboutMember(workspace)),
      body: { role: 'viewer' },
    })),
  },
  {
    name: 'Remove a member',
    functionName: 'delete-member',
    gateway: 'REST',
    assumedMs: 40,
    arrange: request(deleteMember, 'DELETE', aboutMember),
  },
  {
    name: 'Leave a workspace',
    functionName: 'leave-workspace',
    gateway: 'REST',
    assumedMs: 40,
    arrange: request(leaveWorkspace, 'DELETE', byMember),
  },
  {
    name: 'Check 10 domains',
    functionName: 'check-domains',
    gateway: undefined,
    assumedMs: 200,
    arrange: checkOf(10),
  },
  {
    name: 'Import 1,000 links',
    functionName: 'bulk-create-links',
    gateway: 'REST',
    assumedMs: 1_000,
    arrange: exampleImport({}),
  },
  {
    name: '… with an `Idempotency-Key`',
    functionName: 'bulk-create-links',
    gateway: 'REST',
    assumedMs: 1_000,
    arrange: exampleImport({ 'Idempotency-Key': 'import-1' }),
  },
  {
    name: '… with a template',
    functionName: 'bulk-create-links',
    gateway: 'REST',
    assumedMs: 1_000,
    arrange: exampleImport({}, ofTemplate),
  },
  {
    name: '… each with a cap and an external id',
    functionName: 'bulk-create-links',
    gateway: 'REST',
    assumedMs: 2_500,
    arrange: importCall(
      Array.from({ length: 1_000 }, (_, index) => ({
        url: `https://example.org/${index}`,
        maxClicks: 5,
        externalId: `page:${index}`,
      })),
      {},
    ),
  },
  {
    name: 'Update 1,000 links in bulk, but not their tags',
    functionName: 'bulk-update-links',
    gateway: 'REST',
    assumedMs: 1_000,
    arrange: bulkOf(bulkUpdateLinks, 'PATCH', { there: 0, carried: 0 }, () => ({ fields: { title: 'New' } })),
  },
  {
    name: '… and add one tag to each',
    functionName: 'bulk-update-links',
    gateway: 'REST',
    assumedMs: 1_500,
    arrange: bulkOf(bulkUpdateLinks, 'PATCH', { there: 1, carried: 0 }, (tagIds) => ({ fields: { tagIds } })),
  },
  {
    name: 'Delete 1,000 links in bulk',
    functionName: 'bulk-delete-links',
    gateway: 'REST',
    assumedMs: 1_500,
    arrange: bulkOf(bulkDeleteLinks, 'DELETE', { there: 0, carried: 0 }, () => ({})),
  },
  {
    name: '… with one tag on each',
    functionName: 'bulk-delete-links',
    gateway: 'REST',
    assumedMs: 2_000,
    arrange: bulkOf(bulkDeleteLinks, 'DELETE', { there: 1, carried: 1 }, () => ({})),
  },
  {
    name: 'Count the clicks of a link over 30 days, of 1,500 that are in no file yet',
    functionName: 'get-link-stats',
    gateway: 'REST',
    assumedMs: 150,
    arrange: request(getLinkStats, 'GET', async (workspace) => ({
      ...(await clickedLinks(1, 30)(workspace)),
      query: { from: '2030-03-01T00:00Z', to: '2030-03-31T00:00Z', groupBy: 'country' },
    })),
  },
  {
    name: '… of a workspace',
    functionName: 'get-stats',
    gateway: 'REST',
    assumedMs: 150,
    arrange: request(getStats, 'GET', async (workspace) => {
      await clickedLinks(1, 30)(workspace);
      return { query: { from: '2030-03-01T00:00Z', to: '2030-03-31T00:00Z', groupBy: 'country' } };
    }),
  },
  {
    name: '… of 20 links with a tag, of 1,000',
    functionName: 'get-stats',
    gateway: 'REST',
    assumedMs: 150,
    arrange: request(getStats, 'GET', async (workspace) => {
      const tagIds = await clickedTaggedLinks(workspace, 20, 1);
      return { query: { from: '2030-03-01T00:00Z', to: '2030-03-31T00:00Z', groupBy: 'country', tagIds } };
    }),
  },
  {
    name: 'List the 50 most clicked of 100 links, of 5,000 clicks that are in no file yet',
    functionName: 'get-top-links',
    gateway: 'REST',
    assumedMs: 200,
    arrange: request(getTopLinks, 'GET', async (workspace) => {
      await clickedLinks(100, 1)(workspace);
      return { query: { day: '2030-03-01' } };
    }),
  },
  {
    name: 'List 50 of 100 links by their clicks, of 5,000 that are in no file yet',
    functionName: 'list-ranked-links',
    gateway: 'REST',
    assumedMs: 220,
    arrange: request(listRankedLinks, 'GET', clickedLinks(100, 1)),
  },
  {
    name: 'List 50 clicks of a link, of 1,500 that are in no file yet',
    functionName: 'list-clicks',
    gateway: 'REST',
    assumedMs: 150,
    arrange: request(listClicks, 'GET', clickedLinks(1, 30)),
  },
  {
    name: '… of a workspace',
    functionName: 'list-all-clicks',
    gateway: 'REST',
    assumedMs: 150,
    arrange: request(listAllClicks, 'GET', async (workspace) => {
      await clickedLinks(1, 30)(workspace);
      return {};
    }),
  },
  {
    name: 'Erase the clicks of a link',
    functionName: 'delete-clicks',
    gateway: 'REST',
    assumedMs: 25,
    arrange: request(deleteClicks, 'DELETE', recordedClicks(10)),
  },
  {
    name: '… and remove 100 records of clicks',
    functionName: 'sweep',
    gateway: undefined,
    assumedMs: 100,
    arrange: erasureOf(100),
  },
  {
    name: 'Record a change of a link in the history',
    functionName: 'record-changes',
    gateway: undefined,
    assumedMs: 15,
    arrange: recordingOf(1),
  },
  {
    name: '… and record changes of 50 links',
    functionName: 'record-changes',
    gateway: undefined,
    assumedMs: 40,
    arrange: recordingOf(50),
  },
  {
    name: 'List the changes of a link',
    functionName: 'list-link-history',
    gateway: 'REST',
    assumedMs: 20,
    arrange: request(listLinkHistory, 'GET', changedLinks(1)),
  },
  {
    name: 'List 10 changes of a workspace',
    functionName: 'list-history',
    gateway: 'REST',
    assumedMs: 35,
    arrange: request(listHistory, 'GET', async (workspace) => {
      await changedLinks(10)(workspace);
      return {};
    }),
  },
  {
    name: 'Revert a change of a title',
    functionName: 'revert-change',
    gateway: 'REST',
    assumedMs: 30,
    arrange: request(revertChange, 'POST', changedLinks(1)),
  },
  {
    name: 'Undo the deletion of a link',
    functionName: 'revert-change',
    gateway: 'REST',
    assumedMs: 40,
    arrange: request(revertChange, 'POST', deletedLink),
  },
  {
    name: 'Read the metadata of a page',
    functionName: 'get-metadata',
    gateway: 'REST',
    assumedMs: 500,
    arrange: request(getMetadata, 'GET', async () => ({ query: { url: await pageUrl() } })),
  },
  {
    name: 'Look up an API key, and record its use',
    functionName: 'authorize',
    gateway: undefined,
    assumedMs: 20,
    arrange: keyLookUp,
  },
  {
    name: '… if that was done within the last minute',
    functionName: 'authorize',
    gateway: undefined,
    assumedMs: 15,
    arrange: async () => {
      const lookUp = await keyLookUp();
      await lookUp();
      return lookUp;
    },
  },
  {
    name: '… of a sign-in, whose member and sign-in are looked up too',
    functionName: 'authorize',
    gateway: undefined,
    assumedMs: 20,
    arrange: signInKeyLookUp,
  },
  {
    name: 'Look for domains to check, if all were checked today',
    functionName: 'check-domains',
    gateway: undefined,
    assumedMs: 15,
    arrange: nothingToCheck,
  },
  {
    name: 'Create the delivery of a click for one webhook',
    functionName: 'create-deliveries',
    gateway: undefined,
    assumedMs: 40,
    arrange: deliveriesOf(1),
  },
  {
    name: '… and of 100 clicks at once',
    functionName: 'create-deliveries',
    gateway: undefined,
    assumedMs: 200,
    arrange: deliveriesOf(100),
  },
  {
    name: 'Record a change of a link, and create its delivery for one webhook',
    functionName: 'record-changes',
    gateway: undefined,
    assumedMs: 40,
    arrange: recordingOf(1, true),
  },
  {
    name: '… and start the sender that it asks for',
    functionName: 'create-deliveries',
    gateway: undefined,
    assumedMs: 25,
    arrange: senderAskedFor,
  },
  {
    name: 'Send one delivery',
    functionName: 'send-webhooks',
    gateway: undefined,
    assumedMs: 200,
    arrange: sendingOf(1),
  },
  {
    name: '… and 100 at once to one URL',
    functionName: 'send-webhooks',
    gateway: undefined,
    assumedMs: 5_000,
    arrange: sendingOf(100),
  },
  {
    name: 'Look for webhooks that are due, if there are none',
    functionName: 'start-senders',
    gateway: undefined,
    assumedMs: 15,
    arrange: nothingDue,
  },
  {
    name: 'Look for stalled sweeps, if there are none',
    functionName: 'restart-sweeps',
    gateway: undefined,
    assumedMs: 15,
    arrange: noStalledSweeps,
  },
  {
    name: 'Move 1,000 clicks into a file',
    functionName: 'seal-clicks',
    gateway: undefined,
    assumedMs: 1_000,
    arrange: sealingOf(1_000),
  },
  {
    name: 'Look for clicks to move into files, if there are none',
    functionName: 'seal-clicks',
    gateway: undefined,
    assumedMs: 15,
    arrange: nothingToSeal,
  },
];
