import type { Permission } from '../lambdas/core/key/permissions.ts';
import type { Prefix, Table } from '../lambdas/store/table/tables.ts';
import type { OwnRate } from './gateway/request-rates.ts';
import { wholeProcessorMb } from './memory.ts';

/** The calls that a function may be allowed. No function may scan a table. */
type TableAction =
  | 'dynamodb:BatchGetItem'
  | 'dynamodb:ConditionCheckItem'
  | 'dynamodb:DeleteItem'
  | 'dynamodb:GetItem'
  | 'dynamodb:PartiQLInsert'
  | 'dynamodb:PutItem'
  | 'dynamodb:Query'
  | 'dynamodb:UpdateItem';

/** Prefixes of partition keys: the kinds of partitions, each in one of the tables. */
export type LeadingKey = `${Prefix}#*`;

/** The actions of a function, each with the partitions it may use, which imply the tables. */
export type TableActions = Readonly<Partial<Record<TableAction, readonly LeadingKey[]>>>;

/** The union of actions. */
export const bothOf = (...parts: readonly TableActions[]): TableActions =>
  Object.fromEntries(
    Object.entries(Object.groupBy(parts.flatMap(Object.entries<readonly LeadingKey[]>), ([action]) => action)).map(
      ([action, entries = []]) => [action, [...new Set(entries.flatMap(([, keys]) => keys))]],
    ),
  );

/** The settings that an endpoint may read from its environment (`lambdas/runtime/settings.ts`). */
export type EndpointSetting =
  | 'CLICK_DAYS'
  | 'COUNTRIES'
  | 'DOMAIN_ACTIVATION'
  | 'DOMAIN_TARGET'
  | 'HISTORY_DAYS'
  | 'MANAGED_DOMAINS'
  | 'MAX_LINKS_PER_IMPORT'
  | 'METRICS'
  | 'REQUEST_BURST'
  | 'REQUEST_RATE'
  | 'SERVED_NAMES'
  | 'SHORT_URL_ORIGIN'
  | 'UNIQUE_CLICKS'
  | 'WEBHOOK_LOOPBACK';

/** One endpoint. Its file in `lambdas/endpoints`, its bundle, its construct and its test have the same name. */
export type Route = {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/api/v1/${string}`;
  /** A second address of the same function, with the same permission and its own throttle of the same rate. */
  readonly alsoAt?: Pick<Route, 'method' | 'path'>;
  /** The permission that the caller's key must have, if any. The function gets it as `PERMISSION`, with `alsoNeeds`. */
  readonly permission: Permission | 'none';
  /** A second permission that the key must have. */
  readonly alsoNeeds?: Permission;
  readonly tableActions: TableActions;
  /** Lets the function query the index of a table too. */
  readonly queriesIndex?: Table;
  /**
   * A throttle of its own in the gateway's usage plan, in addition to the rate for all requests: for bulk requests,
   * which the table also limits exactly, and for requests that may read hundreds of units or wait for other servers for
   * seconds. The authorizer lists these routes too.
   */
  readonly throttled?: OwnRate;
  /** More permissions on a stage with `managedDomains`. @property invokes whether it may run `manage-domains` */
  readonly ifManaged?: { readonly tableActions: TableActions; readonly invokes?: boolean };
  /** The settings in the function's environment, in addition to `PERMISSION` and the names of its tables. */
  readonly environment: readonly EndpointSetting[];
  /** Whether it asks about clicks. Then it has DuckDB and memory for that, and may read the files of clicks. */
  readonly asksAboutClicks?: true;
  /** Whether it keeps rankings for the next pages, in the same bucket. */
  readonly keepsRankings?: true;
  /** In MB; the default is 512. On Lambda, CPU is proportional to memory. */
  readonly memorySize?: number;
};

/** The methods and paths by which an endpoint is called. */
export const waysTo = ({ method, path, alsoAt }: Route): Pick<Route, 'method' | 'path'>[] => [
  { method, path },
  ...(alsoAt ? [alsoAt] : []),
];

/** The permissions that the caller's key must have. */
export const permissionsOf = ({ permission, alsoNeeds }: Route): Permission[] =>
  [permission, alsoNeeds].filter((one) => one !== undefined && one !== 'none');

/** The permissions in the function's environment. Never empty, so that a missing setting lets nobody in. */
export const permissionSetting = (route: Route): string => permissionsOf(route).join(' ') || 'none';

/** One full virtual CPU, so that Argon2id with 19 MiB and two passes takes less than 100 ms. */
const forPasswords = wholeProcessorMb;

/** One full virtual CPU, because 1,000 links take 40 calls or more, each of which has to be signed and parsed. */
const forManyLinks = wholeProcessorMb;

/** The table of endpoints. The gateway, the functions, their roles and the laptop's server are made from it. */
export const routes: readonly Route[] = [
  {
    name: 'get-me',
    method: 'GET',
    path: '/api/v1/me',
    permission: 'none',
    environment: ['CLICK_DAYS', 'HISTORY_DAYS', 'MAX_LINKS_PER_IMPORT', 'REQUEST_BURST', 'REQUEST_RATE'],
    tableActions: { 'dynamodb:BatchGetItem': ['DOMAIN#*', 'WORKSPACE#*'], 'dynamodb:Query': ['WORKSPACE#*'] },
    queriesIndex: 'Links',
  },
  {
    name: 'create-link',
    method: 'POST',
    path: '/api/v1/links',
    permission: 'links:write',
    environment: ['COUNTRIES', 'METRICS', 'SHORT_URL_ORIGIN', 'WEBHOOK_LOOPBACK'],
    tableActions: {
      'dynamodb:BatchGetItem': ['CAP#*', 'COUNT#*', 'DOMAIN#*', 'LINK#*', 'RECEIVER#*', 'TAGS#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*', 'DOMAIN#*', 'EXTERNAL#*', 'LINK#*', 'TEMPLATES#*', 'WORKSPACE#*'],
      'dynamodb:PutItem': ['CAP#*', 'EXTERNAL#*', 'LINK#*', 'TAG#*', 'WORKSPACE#*'],
      'dynamodb:UpdateItem': ['TAGS#*', 'WORKSPACE#*'],
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
      'dynamodb:BatchGetItem': ['CAP#*', 'COUNT#*', 'DOMAIN#*', 'LINK#*', 'TAGS#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*'],
      'dynamodb:Query': ['TAG#*'],
    },
    queriesIndex: 'Links',
    throttled: 'costly',
  },
  {
    name: 'list-ranked-links',
    method: 'GET',
    path: '/api/v1/links/ranked',
    permission: 'links:read',
    alsoNeeds: 'stats:read',
    environment: ['CLICK_DAYS', 'SHORT_URL_ORIGIN'],
    tableActions: {
      'dynamodb:BatchGetItem': ['CAP#*', 'COUNT#*', 'DOMAIN#*', 'LINK#*', 'TAGS#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*'],
      'dynamodb:Query': ['ERASED#*', 'TAG#*', 'TAIL#*'],
    },
    queriesIndex: 'Links',
    asksAboutClicks: true,
    keepsRankings: true,
    throttled: 'costly',
  },
  {
    name: 'lookup-link',
    method: 'GET',
    path: '/api/v1/links/lookup',
    permission: 'links:read',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: {
      'dynamodb:BatchGetItem': ['CAP#*', 'COUNT#*', 'DOMAIN#*', 'LINK#*', 'RECEIVER#*', 'TAGS#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*', 'DOMAIN#*', 'EXTERNAL#*', 'LINK#*'],
    },
  },
  {
    name: 'get-metadata',
    method: 'GET',
    path: '/api/v1/metadata',
    permission: 'links:write',
    environment: ['WEBHOOK_LOOPBACK'],
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*'],
      'dynamodb:UpdateItem': ['WORKSPACE#*'],
    },
    throttled: 'metadata',
  },
  {
    name: 'get-link',
    method: 'GET',
    path: '/api/v1/links/{id}',
    permission: 'links:read',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: {
      'dynamodb:BatchGetItem': ['CAP#*', 'COUNT#*', 'DOMAIN#*', 'LINK#*', 'RECEIVER#*', 'TAGS#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*', 'EXTERNAL#*'],
    },
  },
  {
    name: 'update-link',
    method: 'PATCH',
    path: '/api/v1/links/{id}',
    permission: 'links:write',
    environment: ['COUNTRIES', 'SHORT_URL_ORIGIN', 'WEBHOOK_LOOPBACK'],
    tableActions: {
      'dynamodb:BatchGetItem': ['CAP#*', 'COUNT#*', 'DOMAIN#*', 'LINK#*', 'RECEIVER#*', 'TAGS#*', 'WORKSPACE#*'],
      'dynamodb:DeleteItem': ['TAG#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*', 'CAP#*', 'EXTERNAL#*', 'LINK#*'],
      'dynamodb:PutItem': ['CAP#*', 'EXTERNAL#*', 'LINK#*', 'RECEIVER#*', 'TAG#*'],
      'dynamodb:UpdateItem': ['LINK#*', 'RECEIVER#*', 'TAGS#*', 'WORKSPACE#*'],
    },
    memorySize: forPasswords,
  },
  {
    name: 'put-link',
    method: 'PUT',
    path: '/api/v1/links/by-external-id/{externalId}',
    permission: 'links:write',
    environment: ['COUNTRIES', 'METRICS', 'SHORT_URL_ORIGIN', 'WEBHOOK_LOOPBACK'],
    tableActions: {
      'dynamodb:BatchGetItem': ['CAP#*', 'COUNT#*', 'DOMAIN#*', 'LINK#*', 'RECEIVER#*', 'TAGS#*', 'WORKSPACE#*'],
      'dynamodb:DeleteItem': ['TAG#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*', 'CAP#*', 'DOMAIN#*', 'EXTERNAL#*', 'LINK#*'],
      'dynamodb:PutItem': ['CAP#*', 'EXTERNAL#*', 'LINK#*', 'RECEIVER#*', 'TAG#*'],
      'dynamodb:UpdateItem': ['ATTEMPTS#*', 'LINK#*', 'RECEIVER#*', 'TAGS#*', 'WORKSPACE#*'],
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
      'dynamodb:BatchGetItem': ['CAP#*', 'COUNT#*', 'DOMAIN#*', 'LINK#*', 'RECEIVER#*', 'TAGS#*', 'WORKSPACE#*'],
      'dynamodb:DeleteItem': ['CAP#*', 'TAG#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*', 'EXTERNAL#*'],
      'dynamodb:PutItem': ['COUNT#*', 'EXTERNAL#*', 'LINK#*'],
      'dynamodb:UpdateItem': ['LINK#*', 'TAGS#*'],
    },
  },
  {
    name: 'delete-link-alias',
    method: 'DELETE',
    path: '/api/v1/links/{id}/aliases/{slug}',
    permission: 'links:write',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: {
      'dynamodb:BatchGetItem': ['CAP#*', 'COUNT#*', 'DOMAIN#*', 'LINK#*', 'RECEIVER#*', 'TAGS#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*', 'EXTERNAL#*'],
      'dynamodb:UpdateItem': ['LINK#*'],
    },
  },
  {
    name: 'delete-link-alias-by-slug',
    method: 'DELETE',
    path: '/api/v1/links/{id}/aliases',
    permission: 'links:write',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: {
      'dynamodb:BatchGetItem': ['CAP#*', 'COUNT#*', 'DOMAIN#*', 'LINK#*', 'RECEIVER#*', 'TAGS#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*', 'EXTERNAL#*'],
      'dynamodb:UpdateItem': ['LINK#*'],
    },
  },
  {
    name: 'bulk-create-links',
    method: 'POST',
    path: '/api/v1/links/bulk',
    permission: 'links:write',
    environment: ['COUNTRIES', 'MAX_LINKS_PER_IMPORT', 'METRICS', 'SHORT_URL_ORIGIN', 'WEBHOOK_LOOPBACK'],
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'EXTERNAL#*', 'LINK#*', 'TAGS#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*', 'DOMAIN#*', 'TEMPLATES#*', 'WORKSPACE#*'],
      'dynamodb:PartiQLInsert': ['LINK#*'],
      'dynamodb:PutItem': ['CAP#*', 'EXTERNAL#*', 'LINK#*', 'TAG#*', 'WORKSPACE#*'],
      'dynamodb:UpdateItem': ['TAGS#*', 'WORKSPACE#*'],
    },
    throttled: 'bulk',
    memorySize: forManyLinks,
  },
  {
    name: 'bulk-update-links',
    method: 'PATCH',
    path: '/api/v1/links/bulk',
    permission: 'links:write',
    environment: ['COUNTRIES', 'MAX_LINKS_PER_IMPORT', 'SHORT_URL_ORIGIN', 'WEBHOOK_LOOPBACK'],
    tableActions: {
      'dynamodb:BatchGetItem': ['COUNT#*', 'DOMAIN#*', 'EXTERNAL#*', 'LINK#*', 'RECEIVER#*', 'TAGS#*', 'WORKSPACE#*'],
      'dynamodb:DeleteItem': ['TAG#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*', 'CAP#*'],
      'dynamodb:PutItem': ['CAP#*', 'RECEIVER#*', 'TAG#*'],
      'dynamodb:UpdateItem': ['LINK#*', 'RECEIVER#*', 'TAGS#*', 'WORKSPACE#*'],
    },
    throttled: 'bulk-changes',
    memorySize: forManyLinks,
  },
  {
    name: 'bulk-delete-links',
    method: 'DELETE',
    path: '/api/v1/links/bulk',
    // Clients and proxies may drop the body of a DELETE.
    alsoAt: { method: 'POST', path: '/api/v1/links/bulk-delete' },
    permission: 'links:write',
    environment: ['MAX_LINKS_PER_IMPORT'],
    tableActions: {
      'dynamodb:BatchGetItem': ['COUNT#*', 'EXTERNAL#*', 'LINK#*', 'TAGS#*'],
      'dynamodb:DeleteItem': ['CAP#*', 'TAG#*'],
      'dynamodb:PutItem': ['COUNT#*', 'EXTERNAL#*', 'LINK#*'],
      'dynamodb:UpdateItem': ['LINK#*', 'TAGS#*', 'WORKSPACE#*'],
    },
    throttled: 'bulk-changes',
    memorySize: forManyLinks,
  },
  {
    name: 'get-link-qr',
    method: 'GET',
    path: '/api/v1/links/{id}/qr',
    permission: 'links:read',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: { 'dynamodb:GetItem': ['EXTERNAL#*', 'LINK#*'] },
  },
  {
    name: 'get-link-stats',
    method: 'GET',
    path: '/api/v1/links/{id}/stats',
    permission: 'stats:read',
    environment: ['CLICK_DAYS', 'UNIQUE_CLICKS'],
    tableActions: { 'dynamodb:GetItem': ['EXTERNAL#*', 'LINK#*'], 'dynamodb:Query': ['ERASED#*', 'TAIL#*'] },
    asksAboutClicks: true,
    throttled: 'costly',
  },
  {
    name: 'list-clicks',
    method: 'GET',
    path: '/api/v1/links/{id}/clicks',
    permission: 'stats:read',
    environment: ['CLICK_DAYS', 'UNIQUE_CLICKS'],
    tableActions: { 'dynamodb:GetItem': ['EXTERNAL#*', 'LINK#*'], 'dynamodb:Query': ['ERASED#*', 'TAIL#*'] },
    asksAboutClicks: true,
    throttled: 'costly',
  },
  {
    name: 'delete-clicks',
    method: 'DELETE',
    path: '/api/v1/links/{id}/clicks',
    permission: 'stats:write',
    environment: ['CLICK_DAYS'],
    tableActions: {
      'dynamodb:GetItem': ['EXTERNAL#*', 'LINK#*'],
      'dynamodb:PutItem': ['ERASED#*', 'ERASURE#*'],
      'dynamodb:UpdateItem': ['LINK#*'],
    },
  },
  {
    name: 'list-link-history',
    method: 'GET',
    path: '/api/v1/links/{id}/history',
    permission: 'history:read',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: {
      'dynamodb:BatchGetItem': ['EXTERNAL#*', 'MEMBERS#*'],
      'dynamodb:GetItem': ['LINK#*'],
      'dynamodb:Query': ['HISTORY#*'],
    },
  },
  {
    name: 'revert-change',
    method: 'POST',
    path: '/api/v1/links/{id}/history/{entryId}/revert',
    permission: 'links:write',
    alsoNeeds: 'history:read',
    environment: ['COUNTRIES', 'SHORT_URL_ORIGIN', 'WEBHOOK_LOOPBACK'],
    tableActions: {
      'dynamodb:BatchGetItem': ['CAP#*', 'COUNT#*', 'DOMAIN#*', 'LINK#*', 'RECEIVER#*', 'TAGS#*', 'WORKSPACE#*'],
      'dynamodb:DeleteItem': ['TAG#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*', 'CAP#*', 'DOMAIN#*', 'EXTERNAL#*', 'HISTORY#*', 'LINK#*'],
      'dynamodb:PutItem': ['CAP#*', 'EXTERNAL#*', 'LINK#*', 'RECEIVER#*', 'TAG#*'],
      'dynamodb:Query': ['HISTORY#*'],
      'dynamodb:UpdateItem': ['HISTORY#*', 'LINK#*', 'RECEIVER#*', 'TAGS#*', 'WORKSPACE#*'],
    },
  },
  {
    name: 'list-history',
    method: 'GET',
    path: '/api/v1/history',
    permission: 'history:read',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: { 'dynamodb:BatchGetItem': ['HISTORY#*', 'LINK#*', 'MEMBERS#*'] },
    queriesIndex: 'Activity',
    throttled: 'costly',
  },
  {
    name: 'get-stats',
    method: 'GET',
    path: '/api/v1/stats',
    permission: 'stats:read',
    environment: ['CLICK_DAYS', 'UNIQUE_CLICKS'],
    tableActions: {
      'dynamodb:BatchGetItem': ['LINK#*', 'TAGS#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['DOMAIN#*'],
      'dynamodb:Query': ['ERASED#*', 'TAG#*', 'TAIL#*'],
    },
    asksAboutClicks: true,
    throttled: 'costly',
  },
  {
    name: 'get-top-links',
    method: 'GET',
    path: '/api/v1/stats/top-links',
    permission: 'stats:read',
    environment: ['CLICK_DAYS', 'SHORT_URL_ORIGIN', 'UNIQUE_CLICKS'],
    tableActions: {
      'dynamodb:BatchGetItem': ['LINK#*', 'TAGS#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['DOMAIN#*'],
      'dynamodb:Query': ['ERASED#*', 'TAG#*', 'TAIL#*'],
    },
    asksAboutClicks: true,
    throttled: 'costly',
  },
  {
    name: 'list-all-clicks',
    method: 'GET',
    path: '/api/v1/clicks',
    permission: 'stats:read',
    environment: ['CLICK_DAYS', 'UNIQUE_CLICKS'],
    tableActions: {
      'dynamodb:BatchGetItem': ['LINK#*', 'TAGS#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['DOMAIN#*'],
      'dynamodb:Query': ['ERASED#*', 'TAG#*', 'TAIL#*'],
    },
    asksAboutClicks: true,
    throttled: 'costly',
  },
  {
    name: 'create-tag',
    method: 'POST',
    path: '/api/v1/tags',
    permission: 'tags:write',
    environment: [],
    tableActions: { 'dynamodb:PutItem': ['TAGS#*', 'WORKSPACE#*'], 'dynamodb:UpdateItem': ['WORKSPACE#*'] },
  },
  {
    name: 'list-tags',
    method: 'GET',
    path: '/api/v1/tags',
    permission: 'tags:read',
    environment: [],
    tableActions: { 'dynamodb:Query': ['TAGS#*'] },
    throttled: 'costly',
  },
  {
    name: 'get-tag',
    method: 'GET',
    path: '/api/v1/tags/{id}',
    permission: 'tags:read',
    environment: [],
    tableActions: { 'dynamodb:GetItem': ['TAGS#*'] },
  },
  {
    name: 'update-tag',
    method: 'PATCH',
    path: '/api/v1/tags/{id}',
    permission: 'tags:write',
    environment: [],
    tableActions: {
      'dynamodb:DeleteItem': ['WORKSPACE#*'],
      'dynamodb:GetItem': ['TAGS#*'],
      'dynamodb:PutItem': ['WORKSPACE#*'],
      'dynamodb:UpdateItem': ['TAGS#*'],
    },
  },
  {
    name: 'list-tag-links',
    method: 'GET',
    path: '/api/v1/tags/{id}/links',
    permission: 'links:read',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: {
      'dynamodb:BatchGetItem': ['CAP#*', 'COUNT#*', 'DOMAIN#*', 'LINK#*', 'TAGS#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*', 'TAGS#*'],
      'dynamodb:Query': ['TAG#*'],
    },
    throttled: 'costly',
  },
  {
    name: 'delete-tag',
    method: 'DELETE',
    path: '/api/v1/tags/{id}',
    permission: 'tags:write',
    environment: ['HISTORY_DAYS'],
    tableActions: {
      'dynamodb:DeleteItem': ['TAGS#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['TAGS#*'],
      'dynamodb:PutItem': ['HISTORY#*', 'TAG#*'],
      'dynamodb:UpdateItem': ['WORKSPACE#*'],
    },
  },
  {
    name: 'create-template',
    method: 'POST',
    path: '/api/v1/templates',
    permission: 'tags:write',
    environment: [],
    tableActions: {
      'dynamodb:BatchGetItem': ['TAGS#*'],
      'dynamodb:GetItem': ['DOMAIN#*'],
      'dynamodb:PutItem': ['TEMPLATES#*'],
      'dynamodb:UpdateItem': ['WORKSPACE#*'],
    },
  },
  {
    name: 'list-templates',
    method: 'GET',
    path: '/api/v1/templates',
    permission: 'tags:read',
    environment: [],
    tableActions: { 'dynamodb:BatchGetItem': ['TAGS#*'], 'dynamodb:Query': ['TEMPLATES#*'] },
    throttled: 'costly',
  },
  {
    name: 'get-template',
    method: 'GET',
    path: '/api/v1/templates/{id}',
    permission: 'tags:read',
    environment: [],
    tableActions: { 'dynamodb:BatchGetItem': ['TAGS#*'], 'dynamodb:GetItem': ['TEMPLATES#*'] },
  },
  {
    name: 'update-template',
    method: 'PATCH',
    path: '/api/v1/templates/{id}',
    permission: 'tags:write',
    environment: [],
    tableActions: {
      'dynamodb:BatchGetItem': ['TAGS#*'],
      'dynamodb:DeleteItem': ['TEMPLATES#*'],
      'dynamodb:GetItem': ['DOMAIN#*', 'TEMPLATES#*'],
      'dynamodb:PutItem': ['TEMPLATES#*'],
      'dynamodb:UpdateItem': ['TEMPLATES#*'],
    },
  },
  {
    name: 'delete-template',
    method: 'DELETE',
    path: '/api/v1/templates/{id}',
    permission: 'tags:write',
    environment: ['HISTORY_DAYS'],
    tableActions: {
      'dynamodb:BatchGetItem': ['TAGS#*'],
      'dynamodb:DeleteItem': ['TEMPLATES#*'],
      'dynamodb:GetItem': ['TEMPLATES#*'],
      'dynamodb:PutItem': ['HISTORY#*'],
      'dynamodb:UpdateItem': ['WORKSPACE#*'],
    },
  },
  {
    name: 'restore-template',
    method: 'POST',
    path: '/api/v1/templates/{id}/history/{entryId}/revert',
    permission: 'tags:write',
    alsoNeeds: 'history:read',
    environment: [],
    tableActions: {
      'dynamodb:BatchGetItem': ['TAGS#*'],
      'dynamodb:GetItem': ['HISTORY#*', 'TEMPLATES#*'],
      'dynamodb:PutItem': ['TEMPLATES#*'],
      'dynamodb:Query': ['HISTORY#*'],
      'dynamodb:UpdateItem': ['HISTORY#*', 'WORKSPACE#*'],
    },
  },
  {
    name: 'create-domain',
    method: 'POST',
    path: '/api/v1/domains',
    permission: 'domains:write',
    environment: ['DOMAIN_TARGET', 'MANAGED_DOMAINS', 'SERVED_NAMES'],
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'WORKSPACE#*'],
      'dynamodb:PutItem': ['WORKSPACE#*'],
      'dynamodb:Query': ['WORKSPACE#*'],
    },
    queriesIndex: 'Links',
  },
  {
    name: 'list-domains',
    method: 'GET',
    path: '/api/v1/domains',
    permission: 'domains:read',
    environment: ['DOMAIN_TARGET', 'MANAGED_DOMAINS', 'SERVED_NAMES'],
    ifManaged: { tableActions: { 'dynamodb:BatchGetItem': ['CERTIFICATE#*'] } },
    tableActions: { 'dynamodb:BatchGetItem': ['DOMAIN#*'], 'dynamodb:Query': ['WORKSPACE#*'] },
    queriesIndex: 'Links',
  },
  {
    name: 'get-domain',
    method: 'GET',
    path: '/api/v1/domains/{domain}',
    permission: 'domains:read',
    environment: ['DOMAIN_TARGET', 'MANAGED_DOMAINS', 'SERVED_NAMES'],
    ifManaged: { tableActions: { 'dynamodb:GetItem': ['CERTIFICATE#*'] } },
    tableActions: { 'dynamodb:BatchGetItem': ['DOMAIN#*', 'WORKSPACE#*'], 'dynamodb:GetItem': ['DOMAIN#*'] },
  },
  {
    name: 'update-domain',
    method: 'PATCH',
    path: '/api/v1/domains/{domain}',
    permission: 'domains:write',
    environment: ['DOMAIN_TARGET', 'MANAGED_DOMAINS', 'SERVED_NAMES'],
    ifManaged: { tableActions: { 'dynamodb:GetItem': ['CERTIFICATE#*'] } },
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'WORKSPACE#*'],
      'dynamodb:DeleteItem': ['DOMAIN#*'],
      'dynamodb:GetItem': ['BLOCKLIST#*', 'DOMAIN#*'],
      'dynamodb:PutItem': ['DOMAIN#*'],
      'dynamodb:UpdateItem': ['DOMAIN#*'],
    },
    throttled: 'costly',
  },
  {
    name: 'delete-domain',
    method: 'DELETE',
    path: '/api/v1/domains/{domain}',
    permission: 'domains:write',
    environment: ['DOMAIN_TARGET', 'HISTORY_DAYS', 'MANAGED_DOMAINS', 'SERVED_NAMES'],
    ifManaged: { tableActions: { 'dynamodb:GetItem': ['CERTIFICATE#*'] } },
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'WORKSPACE#*'],
      'dynamodb:DeleteItem': ['DOMAIN#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['DOMAIN#*'],
      'dynamodb:PutItem': ['HISTORY#*'],
      'dynamodb:UpdateItem': ['DOMAIN#*'],
    },
    queriesIndex: 'Links',
    throttled: 'costly',
  },
  {
    name: 'verify-domain',
    method: 'POST',
    path: '/api/v1/domains/{domain}/verify',
    permission: 'domains:write',
    environment: ['DOMAIN_ACTIVATION', 'DOMAIN_TARGET', 'MANAGED_DOMAINS', 'SERVED_NAMES'],
    ifManaged: { tableActions: { 'dynamodb:GetItem': ['CERTIFICATE#*'] }, invokes: true },
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'WORKSPACE#*'],
      'dynamodb:ConditionCheckItem': ['WORKSPACE#*'],
      'dynamodb:DeleteItem': ['WORKSPACE#*'],
      'dynamodb:GetItem': ['DOMAIN#*', 'WORKSPACE#*'],
      'dynamodb:PutItem': ['DOMAIN#*'],
      'dynamodb:UpdateItem': ['DOMAIN#*', 'WORKSPACE#*'],
    },
    throttled: 'costly',
  },
  {
    name: 'create-webhook',
    method: 'POST',
    path: '/api/v1/webhooks',
    permission: 'webhooks:write',
    environment: ['WEBHOOK_LOOPBACK'],
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'RECEIVER#*'],
      'dynamodb:GetItem': ['SECRET#*', 'WORKSPACE#*'],
      'dynamodb:PutItem': ['SECRET#*', 'WORKSPACE#*'],
      'dynamodb:Query': ['RECEIVER#*'],
      'dynamodb:UpdateItem': ['DOMAIN#*', 'WORKSPACE#*'],
    },
    queriesIndex: 'Links',
  },
  {
    name: 'list-webhooks',
    method: 'GET',
    path: '/api/v1/webhooks',
    permission: 'webhooks:read',
    environment: [],
    tableActions: { 'dynamodb:Query': ['WORKSPACE#*'] },
  },
  {
    name: 'get-webhook',
    method: 'GET',
    path: '/api/v1/webhooks/{id}',
    permission: 'webhooks:read',
    environment: [],
    tableActions: {
      'dynamodb:BatchGetItem': ['RECEIVER#*'],
      'dynamodb:GetItem': ['WORKSPACE#*'],
      'dynamodb:Query': ['RECEIVER#*'],
    },
  },
  {
    name: 'update-webhook',
    method: 'PATCH',
    path: '/api/v1/webhooks/{id}',
    permission: 'webhooks:write',
    environment: ['WEBHOOK_LOOPBACK'],
    tableActions: {
      'dynamodb:PutItem': ['RECEIVER#*'],
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'RECEIVER#*'],
      'dynamodb:GetItem': ['WORKSPACE#*'],
      'dynamodb:Query': ['RECEIVER#*'],
      'dynamodb:UpdateItem': ['DOMAIN#*', 'RECEIVER#*', 'WORKSPACE#*'],
    },
    queriesIndex: 'Links',
  },
  {
    name: 'delete-webhook',
    method: 'DELETE',
    path: '/api/v1/webhooks/{id}',
    permission: 'webhooks:write',
    environment: [],
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'RECEIVER#*'],
      'dynamodb:DeleteItem': ['SECRET#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['WORKSPACE#*'],
      'dynamodb:Query': ['RECEIVER#*'],
      'dynamodb:UpdateItem': ['DOMAIN#*', 'WORKSPACE#*'],
    },
    queriesIndex: 'Links',
  },
  {
    name: 'create-webhook-secret',
    method: 'POST',
    path: '/api/v1/webhook-secrets',
    permission: 'webhooks:write',
    environment: [],
    tableActions: {
      'dynamodb:GetItem': ['SECRET#*', 'WORKSPACE#*'],
      'dynamodb:PutItem': ['WORKSPACE#*'],
      'dynamodb:UpdateItem': ['SECRET#*', 'WORKSPACE#*'],
    },
  },
  {
    name: 'list-webhook-secrets',
    method: 'GET',
    path: '/api/v1/webhook-secrets',
    permission: 'webhooks:read',
    environment: [],
    tableActions: { 'dynamodb:Query': ['SECRET#*'] },
  },
  {
    name: 'delete-webhook-secret',
    method: 'DELETE',
    path: '/api/v1/webhook-secrets/{id}',
    permission: 'webhooks:write',
    environment: [],
    tableActions: { 'dynamodb:Query': ['SECRET#*'], 'dynamodb:UpdateItem': ['SECRET#*', 'WORKSPACE#*'] },
  },
  {
    name: 'test-webhook',
    method: 'POST',
    path: '/api/v1/webhooks/{id}/test',
    permission: 'webhooks:write',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: {
      'dynamodb:GetItem': ['WORKSPACE#*'],
      'dynamodb:PutItem': ['DELIVERY#*', 'RECEIVER#*'],
    },
  },
  {
    name: 'list-webhook-deliveries',
    method: 'GET',
    path: '/api/v1/webhook-deliveries',
    permission: 'webhooks:read',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: { 'dynamodb:BatchGetItem': ['DELIVERY#*', 'LINK#*', 'RECEIVER#*'] },
    queriesIndex: 'Activity',
    throttled: 'costly',
  },
  {
    name: 'get-webhook-delivery',
    method: 'GET',
    path: '/api/v1/webhook-deliveries/{id}',
    permission: 'webhooks:read',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: { 'dynamodb:BatchGetItem': ['RECEIVER#*'], 'dynamodb:GetItem': ['DELIVERY#*', 'LINK#*'] },
  },
  {
    name: 'redeliver-webhook-delivery',
    method: 'POST',
    path: '/api/v1/webhook-deliveries/{id}/redeliver',
    permission: 'webhooks:write',
    environment: ['SHORT_URL_ORIGIN'],
    tableActions: {
      'dynamodb:GetItem': ['DELIVERY#*', 'LINK#*'],
      'dynamodb:PutItem': ['RECEIVER#*'],
      'dynamodb:UpdateItem': ['DELIVERY#*'],
    },
  },
  {
    name: 'create-key',
    method: 'POST',
    path: '/api/v1/keys',
    permission: 'keys:write',
    environment: [],
    tableActions: {
      'dynamodb:BatchGetItem': ['MEMBERS#*', 'SIGNIN#*'],
      'dynamodb:ConditionCheckItem': ['KEY#*', 'MEMBERS#*', 'SIGNIN#*'],
      'dynamodb:GetItem': ['KEY#*', 'WORKSPACE#*'],
      'dynamodb:PutItem': ['KEY#*', 'MADE#*', 'WORKSPACE#*'],
      'dynamodb:UpdateItem': ['WORKSPACE#*'],
    },
  },
  {
    name: 'list-keys',
    method: 'GET',
    path: '/api/v1/keys',
    permission: 'keys:read',
    environment: [],
    tableActions: { 'dynamodb:BatchGetItem': ['KEY#*'] },
    queriesIndex: 'Links',
  },
  {
    name: 'get-key',
    method: 'GET',
    path: '/api/v1/keys/{id}',
    permission: 'keys:read',
    environment: [],
    tableActions: { 'dynamodb:GetItem': ['KEY#*'] },
  },
  {
    name: 'update-key',
    method: 'PATCH',
    path: '/api/v1/keys/{id}',
    permission: 'keys:write',
    environment: [],
    tableActions: {
      'dynamodb:BatchGetItem': ['KEY#*', 'MEMBERS#*', 'SIGNIN#*'],
      'dynamodb:ConditionCheckItem': ['KEY#*', 'MEMBERS#*', 'SIGNIN#*'],
      'dynamodb:UpdateItem': ['KEY#*'],
    },
  },
  {
    name: 'delete-key',
    method: 'DELETE',
    path: '/api/v1/keys/{id}',
    permission: 'keys:write',
    environment: [],
    tableActions: {
      'dynamodb:BatchGetItem': ['KEY#*', 'MEMBERS#*', 'SIGNIN#*'],
      'dynamodb:ConditionCheckItem': ['KEY#*', 'MEMBERS#*', 'SIGNIN#*'],
      'dynamodb:DeleteItem': ['MADE#*'],
      'dynamodb:UpdateItem': ['KEY#*', 'WORKSPACE#*'],
    },
  },
  {
    name: 'rotate-key',
    method: 'POST',
    path: '/api/v1/keys/{id}/rotate',
    permission: 'keys:write',
    environment: [],
    tableActions: {
      'dynamodb:BatchGetItem': ['KEY#*', 'MEMBERS#*', 'SIGNIN#*'],
      'dynamodb:ConditionCheckItem': ['KEY#*', 'MEMBERS#*', 'SIGNIN#*', 'WORKSPACE#*'],
      'dynamodb:PutItem': ['KEY#*', 'MADE#*'],
      'dynamodb:UpdateItem': ['KEY#*'],
    },
  },
  {
    name: 'create-member',
    method: 'POST',
    path: '/api/v1/members',
    permission: 'members:write',
    environment: [],
    tableActions: {
      'dynamodb:BatchGetItem': ['MEMBERS#*', 'SIGNIN#*'],
      'dynamodb:ConditionCheckItem': ['KEY#*', 'MEMBERS#*', 'SIGNIN#*', 'WORKSPACE#*'],
      'dynamodb:GetItem': ['KEY#*', 'MEMBERS#*', 'WORKSPACE#*'],
      'dynamodb:PutItem': ['MEMBERS#*', 'WORKSPACE#*'],
      'dynamodb:Query': ['MEMBERS#*'],
      'dynamodb:UpdateItem': ['MEMBERS#*'],
    },
  },
  {
    name: 'list-members',
    method: 'GET',
    path: '/api/v1/members',
    permission: 'members:read',
    environment: [],
    tableActions: { 'dynamodb:Query': ['MEMBERS#*'] },
  },
  {
    name: 'leave-workspace',
    method: 'DELETE',
    path: '/api/v1/members/me',
    permission: 'none',
    environment: ['HISTORY_DAYS'],
    tableActions: {
      'dynamodb:BatchGetItem': ['MEMBERS#*', 'SIGNIN#*'],
      'dynamodb:ConditionCheckItem': ['KEY#*', 'SIGNIN#*'],
      'dynamodb:GetItem': ['KEY#*', 'MEMBERS#*'],
      'dynamodb:PutItem': ['MADE#*'],
      'dynamodb:Query': ['MEMBERS#*'],
      'dynamodb:UpdateItem': ['MEMBERS#*', 'MEMBERSHIPS#*'],
    },
  },
  {
    name: 'get-member',
    method: 'GET',
    path: '/api/v1/members/{id}',
    permission: 'members:read',
    environment: [],
    tableActions: { 'dynamodb:GetItem': ['MEMBERS#*'] },
  },
  {
    name: 'update-member',
    method: 'PATCH',
    path: '/api/v1/members/{id}',
    permission: 'members:write',
    environment: [],
    tableActions: {
      'dynamodb:BatchGetItem': ['MEMBERS#*', 'SIGNIN#*'],
      'dynamodb:ConditionCheckItem': ['KEY#*', 'MEMBERS#*', 'SIGNIN#*'],
      'dynamodb:GetItem': ['KEY#*', 'MEMBERS#*'],
      'dynamodb:Query': ['MEMBERS#*'],
      'dynamodb:UpdateItem': ['MEMBERS#*'],
    },
  },
  {
    name: 'delete-member',
    method: 'DELETE',
    path: '/api/v1/members/{id}',
    permission: 'members:write',
    environment: ['HISTORY_DAYS'],
    tableActions: {
      'dynamodb:BatchGetItem': ['KEY#*', 'MEMBERS#*', 'SIGNIN#*'],
      'dynamodb:ConditionCheckItem': ['KEY#*', 'MEMBERS#*', 'SIGNIN#*'],
      'dynamodb:GetItem': ['KEY#*', 'MEMBERS#*'],
      'dynamodb:PutItem': ['MADE#*'],
      'dynamodb:Query': ['MADE#*', 'MEMBERS#*'],
      'dynamodb:UpdateItem': ['MEMBERS#*', 'MEMBERSHIPS#*'],
    },
  },
];
