import type { Permission } from '../lambdas/domain/permissions.ts';

/** What a function may do to the table. Nobody scans. */
type TableAction =
  | 'dynamodb:BatchGetItem'
  | 'dynamodb:DeleteItem'
  | 'dynamodb:GetItem'
  | 'dynamodb:PartiQLInsert'
  | 'dynamodb:PutItem'
  | 'dynamodb:Query'
  | 'dynamodb:UpdateItem';

/** How a partition key begins: the kinds of partitions in the table's chart, `lambdas/store/table/keys.ts`. */
type LeadingKey = 'BLOCKLIST#*' | 'CLICK#*' | 'DOMAIN#*' | 'FAILURE#*' | 'KEY#*' | 'LINK#*' | 'ROUND#*' | 'TAG#*' | 'WORKSPACE#*';

/** What a function may do, each on which partitions. */
export type TableActions = Readonly<Partial<Record<TableAction, readonly LeadingKey[]>>>;

/** What an endpoint may ask its environment for (`lambdas/runtime/settings.ts`). */
export type EndpointSetting = 'DOMAIN_ACTIVATION' | 'DOMAIN_TARGET' | 'MAX_LINKS_PER_IMPORT' | 'SHORT_URL_ORIGIN';

/** One endpoint: its name is also its file in `lambdas/endpoints`, its construct id and its test. */
export type Route = {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: `/api/v1/${string}`;
  /** What the caller's key must be allowed to do; the function gets it as `PERMISSION`. */
  readonly permission: Permission;
  readonly tableActions: TableActions;
  /** Let the function query the index too. */
  readonly queriesIndex?: true;
  /**
   * What the gateway's usage plan holds a workspace to by itself, beside its rate for all requests: bulk requests, for which the table has an
   * exact limit, and lists of links and tags, which read most.
   */
  readonly throttled?: 'bulk' | 'list';
  /** What the function finds in its environment beside the table's name and `PERMISSION`. */
  readonly environment: readonly EndpointSetting[];
  /** In MB; 512 unless given. On Lambda, CPU comes in proportion to memory. */
  readonly memorySize?: number;
};

/** A full virtual CPU. Argon2id takes 19 MiB and two passes: so a password is hashed in under 100 ms. */
const forPasswords = 1769;

/** The same: 1,000 links are 40 calls and more, each to be signed and parsed. */
const forManyLinks = 1769;

/** The one table of endpoints: gateway, functions, permissions and the laptop's server all follow from it. */
export const routes: readonly Route[] = [
  {
    name: 'create-link',
    method: 'POST',
    path: '/api/v1/links',
    permission: 'links:write',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'LINK#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*', 'DOMAIN#*', 'WORKSPACE#*'],
      'dynamodb:PutItem': ['LINK#*', 'TAG#*', 'WORKSPACE#*'],
      'dynamodb:UpdateItem': ['WORKSPACE#*'],
    },
    memorySize: forPasswords,
  },
  {
    name: 'list-links',
    method: 'GET',
    path: '/api/v1/links',
    permission: 'links:read',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'LINK#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['WORKSPACE#*'],
      'dynamodb:Query': ['TAG#*'],
    },
    queriesIndex: true,
    throttled: 'list',
  },
  {
    name: 'lookup-link',
    method: 'GET',
    path: '/api/v1/links/lookup',
    permission: 'links:read',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'LINK#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['DOMAIN#*', 'LINK#*'],
    },
  },
  {
    name: 'get-link',
    method: 'GET',
    path: '/api/v1/links/{id}',
    permission: 'links:read',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: { 'dynamodb:BatchGetItem': ['DOMAIN#*', 'LINK#*', 'WORKSPACE#*'] },
  },
  {
    name: 'update-link',
    method: 'PATCH',
    path: '/api/v1/links/{id}',
    permission: 'links:write',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'LINK#*', 'WORKSPACE#*'],
      'dynamodb:DeleteItem': ['TAG#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*'],
      'dynamodb:PutItem': ['TAG#*'],
      'dynamodb:UpdateItem': ['LINK#*', 'WORKSPACE#*'],
    },
    memorySize: forPasswords,
  },
  {
    name: 'delete-link',
    method: 'DELETE',
    path: '/api/v1/links/{id}',
    permission: 'links:write',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'LINK#*', 'WORKSPACE#*'],
      'dynamodb:DeleteItem': ['TAG#*'],
      'dynamodb:PutItem': ['LINK#*'],
      'dynamodb:UpdateItem': ['WORKSPACE#*'],
    },
  },
  {
    name: 'bulk-create-links',
    method: 'POST',
    path: '/api/v1/links/bulk',
    permission: 'links:write',
    environment: ['MAX_LINKS_PER_IMPORT', 'SHORT_URL_ORIGIN'],
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'LINK#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*', 'DOMAIN#*', 'WORKSPACE#*'],
      'dynamodb:PartiQLInsert': ['LINK#*'],
      'dynamodb:PutItem': ['LINK#*', 'WORKSPACE#*'],
      'dynamodb:UpdateItem': ['WORKSPACE#*'],
    },
    throttled: 'bulk',
    memorySize: forManyLinks,
  },
  {
    name: 'bulk-update-links',
    method: 'PATCH',
    path: '/api/v1/links/bulk',
    permission: 'links:write',
    environment: ['MAX_LINKS_PER_IMPORT', 'SHORT_URL_ORIGIN'],
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'LINK#*', 'WORKSPACE#*'],
      'dynamodb:DeleteItem': ['TAG#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*'],
      'dynamodb:PutItem': ['TAG#*'],
      'dynamodb:UpdateItem': ['LINK#*', 'WORKSPACE#*'],
    },
    throttled: 'bulk',
    memorySize: forManyLinks,
  },
  {
    name: 'bulk-delete-links',
    method: 'DELETE',
    path: '/api/v1/links/bulk',
    permission: 'links:write',
    environment: ['MAX_LINKS_PER_IMPORT'],
    tableActions: {
      'dynamodb:BatchGetItem': ['LINK#*', 'WORKSPACE#*'],
      'dynamodb:DeleteItem': ['TAG#*'],
      'dynamodb:PutItem': ['LINK#*'],
      'dynamodb:UpdateItem': ['WORKSPACE#*'],
    },
    throttled: 'bulk',
    memorySize: forManyLinks,
  },
  {
    name: 'create-tag',
    method: 'POST',
    path: '/api/v1/tags',
    permission: 'tags:write',
    environment: [],
    tableActions: { 'dynamodb:PutItem': ['WORKSPACE#*'], 'dynamodb:UpdateItem': ['WORKSPACE#*'] },
  },
  {
    name: 'list-tags',
    method: 'GET',
    path: '/api/v1/tags',
    permission: 'tags:read',
    environment: [],
    tableActions: { 'dynamodb:Query': ['WORKSPACE#*'] },
    throttled: 'list',
  },
  {
    name: 'get-tag',
    method: 'GET',
    path: '/api/v1/tags/{id}',
    permission: 'tags:read',
    environment: [],
    tableActions: { 'dynamodb:GetItem': ['WORKSPACE#*'] },
  },
  {
    name: 'update-tag',
    method: 'PATCH',
    path: '/api/v1/tags/{id}',
    permission: 'tags:write',
    environment: [],
    tableActions: {
      'dynamodb:DeleteItem': ['WORKSPACE#*'],
      'dynamodb:GetItem': ['WORKSPACE#*'],
      'dynamodb:PutItem': ['WORKSPACE#*'],
      'dynamodb:UpdateItem': ['WORKSPACE#*'],
    },
  },
  {
    name: 'list-tag-links',
    method: 'GET',
    path: '/api/v1/tags/{id}/links',
    permission: 'links:read',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'LINK#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['WORKSPACE#*'],
      'dynamodb:Query': ['TAG#*'],
    },
    throttled: 'list',
  },
  {
    name: 'delete-tag',
    method: 'DELETE',
    path: '/api/v1/tags/{id}',
    permission: 'tags:write',
    environment: [],
    tableActions: {
      'dynamodb:DeleteItem': ['WORKSPACE#*'],
      'dynamodb:GetItem': ['WORKSPACE#*'],
      'dynamodb:PutItem': ['TAG#*'],
      'dynamodb:UpdateItem': ['WORKSPACE#*'],
    },
  },
  {
    name: 'create-domain',
    method: 'POST',
    path: '/api/v1/domains',
    permission: 'domains:write',
    environment: ['DOMAIN_TARGET'],
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'WORKSPACE#*'],
      'dynamodb:PutItem': ['WORKSPACE#*'],
      'dynamodb:Query': ['WORKSPACE#*'],
    },
    queriesIndex: true,
  },
  {
    name: 'list-domains',
    method: 'GET',
    path: '/api/v1/domains',
    permission: 'domains:read',
    environment: ['DOMAIN_TARGET'],
    tableActions: { 'dynamodb:BatchGetItem': ['DOMAIN#*'], 'dynamodb:Query': ['WORKSPACE#*'] },
    queriesIndex: true,
  },
  {
    name: 'get-domain',
    method: 'GET',
    path: '/api/v1/domains/{domain}',
    permission: 'domains:read',
    environment: ['DOMAIN_TARGET'],
    tableActions: { 'dynamodb:BatchGetItem': ['DOMAIN#*', 'WORKSPACE#*'] },
  },
  {
    name: 'delete-domain',
    method: 'DELETE',
    path: '/api/v1/domains/{domain}',
    permission: 'domains:write',
    environment: [],
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'WORKSPACE#*'],
      'dynamodb:DeleteItem': ['DOMAIN#*', 'WORKSPACE#*'],
      'dynamodb:UpdateItem': ['DOMAIN#*'],
    },
    queriesIndex: true,
  },
  {
    name: 'verify-domain',
    method: 'POST',
    path: '/api/v1/domains/{domain}/verify',
    permission: 'domains:write',
    environment: ['DOMAIN_ACTIVATION', 'DOMAIN_TARGET'],
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'WORKSPACE#*'],
      'dynamodb:DeleteItem': ['WORKSPACE#*'],
      'dynamodb:PutItem': ['DOMAIN#*'],
      'dynamodb:UpdateItem': ['DOMAIN#*'],
    },
  },
];
