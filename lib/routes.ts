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

/** How a partition key begins: the kinds of partitions in the table's chart, `lambdas/store/keys.ts`. */
type LeadingKey = 'CLICK#*' | 'DOMAIN#*' | 'FAILURE#*' | 'KEY#*' | 'LINK#*' | 'TAG#*' | 'WORKSPACE#*';

/** What a function may do, each on which partitions. */
export type TableActions = Readonly<Partial<Record<TableAction, readonly LeadingKey[]>>>;

/** One endpoint: its name is also its file in `lambdas/endpoints`, its construct id and its test. */
export type Route = {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: `/api/v1/${string}`;
  /** What the caller's key must be allowed to do; the function gets it as `PERMISSION`. */
  readonly permission: Permission;
  readonly tableActions: TableActions;
  /** Held back by the usage plan at the gateway, beside the table's exact limit. */
  readonly throttled?: true;
  /** In MB; 512 unless given. On Lambda, CPU comes in proportion to memory. */
  readonly memorySize?: number;
};

/** The one table of endpoints: gateway, functions, permissions and the laptop's server all follow from it. */
export const routes: readonly Route[] = [
  {
    name: 'update-link',
    method: 'PATCH',
    path: '/api/v1/links/{id}',
    permission: 'links:write',
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'LINK#*', 'WORKSPACE#*'],
      'dynamodb:DeleteItem': ['TAG#*'],
      'dynamodb:GetItem': ['DOMAIN#*'],
      'dynamodb:PutItem': ['TAG#*'],
      'dynamodb:UpdateItem': ['LINK#*', 'WORKSPACE#*'],
    },
    // Argon2id takes 19 MiB and two passes: a full virtual CPU keeps a password change under 100 ms.
    memorySize: 1769,
  },
  {
    name: 'bulk-create-links',
    method: 'POST',
    path: '/api/v1/links/bulk',
    permission: 'links:write',
    tableActions: {
      'dynamodb:BatchGetItem': ['DOMAIN#*', 'LINK#*'],
      'dynamodb:GetItem': ['DOMAIN#*', 'WORKSPACE#*'],
      'dynamodb:PartiQLInsert': ['LINK#*'],
      'dynamodb:PutItem': ['WORKSPACE#*'],
      'dynamodb:UpdateItem': ['WORKSPACE#*'],
    },
    throttled: true,
    // A full virtual CPU: 1,000 links are 40 calls, each to be signed and parsed.
    memorySize: 1769,
  },
  {
    name: 'create-tag',
    method: 'POST',
    path: '/api/v1/tags',
    permission: 'tags:write',
    tableActions: { 'dynamodb:PutItem': ['WORKSPACE#*'], 'dynamodb:UpdateItem': ['WORKSPACE#*'] },
  },
  {
    name: 'list-tags',
    method: 'GET',
    path: '/api/v1/tags',
    permission: 'tags:read',
    tableActions: { 'dynamodb:Query': ['WORKSPACE#*'] },
  },
  {
    name: 'get-tag',
    method: 'GET',
    path: '/api/v1/tags/{id}',
    permission: 'tags:read',
    tableActions: { 'dynamodb:GetItem': ['WORKSPACE#*'] },
  },
  {
    name: 'delete-tag',
    method: 'DELETE',
    path: '/api/v1/tags/{id}',
    permission: 'tags:write',
    tableActions: {
      'dynamodb:DeleteItem': ['WORKSPACE#*'],
      'dynamodb:GetItem': ['WORKSPACE#*'],
      'dynamodb:PutItem': ['TAG#*'],
      'dynamodb:UpdateItem': ['WORKSPACE#*'],
    },
  },
];
