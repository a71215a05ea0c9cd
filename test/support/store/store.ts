import { connect } from '../../../local/database/dynamodb.ts';
import { useTables } from './tables.ts';

let opened: ReturnType<typeof open> | undefined;

/**
 * Loads the store on a fresh table of this run's engine, with helpers that most tests need. Test files that share a
 * process share it.
 */
export function useStore() {
  opened ??= open();
  return opened;
}

/** The store is imported here, after its environment is set. */
async function open() {
  await useTables();
  const [
    apiKeys,
    attempts,
    requestLimits,
    caps,
    clicks,
    destinations,
    blockedHosts,
    disabledLinks,
    domains,
    domainOwnership,
    domainDeletion,
    lastChecks,
    erasure,
    framingLimit,
    idempotency,
    imports,
    keyCount,
    keyLists,
    keyRotation,
    linkChanges,
    linkChangeWrites,
    linkDeletion,
    linkCreation,
    linkList,
    links,
    linkDetails,
    manyLinks,
    reads,
    sweeps,
    tagRemoval,
    tags,
    templates,
    webhooks,
    webhookInterest,
    webhookSecrets,
    workspaces,
    workspaceDeletion,
    writes,
    invitations,
    joining,
    memberships,
    roster,
    signInKeys,
    people,
    logouts,
    sessions,
    personErasure,
    listedPeople,
    memberVerification,
    memberChanges,
    memberRules,
    madeKeys,
    memberNames,
  ] = await Promise.all([
    import('../../../lambdas/store/api-keys/api-keys.ts'),
    import('../../../lambdas/store/limits/password-guesses.ts'),
    import('../../../lambdas/store/limits/request-limits.ts'),
    import('../../../lambdas/store/links/caps.ts'),
    import('../../../lambdas/store/clicks/clicks.ts'),
    import('../../../lambdas/store/hosts/destinations.ts'),
    import('../../../lambdas/operator/blocked-hosts.ts'),
    import('../../../lambdas/operator/disabled-links.ts'),
    import('../../../lambdas/store/domains/domains.ts'),
    import('../../../lambdas/store/domains/ownership.ts'),
    import('../../../lambdas/store/domains/deletion.ts'),
    import('../../../lambdas/store/domains/last-checks.ts'),
    import('../../../lambdas/store/erasures/erasure.ts'),
    import('../../../lambdas/store/limits/framing-limit.ts'),
    import('../../../lambdas/store/idempotency/leased.ts'),
    import('../../../lambdas/store/links/imports.ts'),
    import('../../../lambdas/store/api-keys/count.ts'),
    import('../../../lambdas/store/api-keys/list.ts'),
    import('../../../lambdas/store/api-keys/rotation.ts'),
    import('../../../lambdas/store/links/changes.ts'),
    import('../../../lambdas/store/links/change-writes.ts'),
    import('../../../lambdas/store/links/deletion.ts'),
    import('../../../lambdas/store/links/create.ts'),
    import('../../../lambdas/store/links/list.ts'),
    import('../../../lambdas/store/links/links.ts'),
    import('../../../lambdas/store/links/details.ts'),
    import('../../../lambdas/store/links/bulk-changes.ts'),
    import('../../../lambdas/store/table/reads.ts'),
    import('../../../lambdas/store/sweeps/sweeps.ts'),
    import('../../../lambdas/store/links/tag-removal.ts'),
    import('../../../lambdas/store/tags/tags.ts'),
    import('../../../lambdas/store/templates/templates.ts'),
    import('../../../lambdas/store/webhooks/webhooks.ts'),
    import('../../../lambdas/store/webhooks/interest.ts'),
    import('../../../lambdas/store/webhooks/secrets.ts'),
    import('../../../lambdas/store/workspaces/workspaces.ts'),
    import('../../../lambdas/operator/workspace-deletion.ts'),
    import('../../../lambdas/store/table/writes.ts'),
    import('../../../lambdas/store/member-changes/invitations.ts'),
    import('../../../lambdas/store/members/joining.ts'),
    import('../../../lambdas/store/members/memberships.ts'),
    import('../../../lambdas/store/members/roster.ts'),
    import('../../../lambdas/store/api-keys/sign-in-keys.ts'),
    import('../../../lambdas/store/people/people.ts'),
    import('../../../lambdas/store/sign-ins/logouts.ts'),
    import('../../../lambdas/store/sign-ins/sign-ins.ts'),
    import('../../../lambdas/operator/person-erasure.ts'),
    import('../../../lambdas/operator/listed-people.ts'),
    import('../../../lambdas/operator/member-repair.ts'),
    import('../../../lambdas/store/member-changes/changes.ts'),
    import('../../../lambdas/store/member-changes/rules.ts'),
    import('../../../lambdas/store/api-keys/made-keys.ts'),
    import('../../../lambdas/store/members/names.ts'),
  ]);
  const store = {
    ...apiKeys,
    ...attempts,
    ...requestLimits,
    ...caps,
    ...clicks,
    ...destinations,
    ...blockedHosts,
    ...disabledLinks,
    ...domains,
    ...domainOwnership,
    ...domainDeletion,
    ...lastChecks,
    ...erasure,
    ...framingLimit,
    ...idempotency,
    ...imports,
    ...keyCount,
    ...keyLists,
    ...keyRotation,
    ...linkChanges,
    ...linkChangeWrites,
    ...linkDeletion,
    ...linkCreation,
    ...linkList,
    ...links,
    ...linkDetails,
    ...manyLinks,
    ...reads,
    ...sweeps,
    ...tagRemoval,
    ...tags,
    ...templates,
    ...webhooks,
    ...webhookInterest,
    ...webhookSecrets,
    ...workspaces,
    ...workspaceDeletion,
    ...writes,
    ...invitations,
    ...joining,
    ...memberships,
    ...roster,
    ...signInKeys,
    ...people,
    ...logouts,
    ...sessions,
    ...personErasure,
    ...listedPeople,
    ...memberVerification,
    ...memberChanges,
    ...memberRules,
    ...madeKeys,
    ...memberNames,
  };
  let made = 0;

  /** Creates a workspace with its own active domain. */
  const newWorkspace = async () => {
    const number = ++made;
    const workspace = await store.createWorkspace(`Workspace ${number}`, async () => `gateway-${number}`);
    const host = `go${number}.example.com`;
    const domain = await store.addDomain(workspace.id, host, 'ACTIVE');
    if (!domain || !('domainId' in domain)) throw new Error('the domain was not added');
    return { ...workspace, workspaceId: workspace.id, domain };
  };
  type Workspace = Awaited<ReturnType<typeof newWorkspace>>;

  /** The lease of an import without an Idempotency-Key. */
  const newLease = () => ({
    requestId: `req_${++made}`,
    salt: `salt ${made}`,
    createdAt: '2030-01-02T03:04:05.678Z',
    isRecorded: false,
    resumed: false,
  });

  /** Creates that many links, with generated slugs. */
  const newLinks = async ({ domain, workspaceId }: Workspace, count: number) => {
    const entries = Array.from({ length: count }, (_, index) => ({ index, url: `https://example.org/${index}` }));
    const outcomes = await store.createLinks(domain, entries, new Map(), newLease());
    const ids = Object.values(outcomes).map((outcome) => ('id' in outcome ? outcome.id : ''));
    return (await store.getLinks(workspaceId, ids)).map((found) => {
      if (!found) throw new Error('a link was not made');
      return found;
    });
  };

  /** For each tag its count, its pairs with links, and the links that list it. All three must agree. */
  const countsOf = async (workspaceId: string, tagIds: readonly string[], linkIds: readonly string[]) => {
    const links = await store.getLinks(workspaceId, linkIds);
    return Promise.all(
      tagIds.map(async (id) => ({
        count: (await store.getTag(workspaceId, id))?.linkCount,
        pairs: (await Array.fromAsync(store.query({ pk: `TAG#${id}`, skPrefix: 'LINK#' }))).length,
        links: links.filter((found) => found?.link.tagIds.includes(id)).length,
      })),
    );
  };

  /** How much of a link's cap is used; undefined if the link never had one. */
  const usedOf = async (link: { readonly id: string }) => (await store.getCap(link))?.used;

  return { ...store, newWorkspace, newLease, newLinks, countsOf, usedOf };
}

/** The number of a link's clicks, by a scan: the store has no function that lists them without reading 16 partitions. */
export async function clicksOf(linkId: string): Promise<number> {
  const { call, close } = connect(String(process.env.AWS_ENDPOINT_URL_DYNAMODB));
  const scan = {
    TableName: String(process.env.ACTIVITY_TABLE_NAME),
    FilterExpression: 'begins_with(pk, :click)',
    ExpressionAttributeValues: { ':click': { S: `CLICK#${linkId}#` } },
    Select: 'COUNT',
    ConsistentRead: true,
  };
  let count = 0;
  let from: object | undefined;
  do {
    const page: { Count: number; LastEvaluatedKey?: object } = await call('Scan', { ...scan, ExclusiveStartKey: from });
    count += page.Count;
    from = page.LastEvaluatedKey;
  } while (from);
  close();
  return count;
}

export type Store = Awaited<ReturnType<typeof useStore>>;
