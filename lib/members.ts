import type { TableActions } from './endpoints.ts';

/**
 * What a function needs that lets people into workspaces: it accepts invitations, applies the rules of the stage, which may
 * begin to revoke the keys of whom they remove, notes sign-ins, and makes keys for them.
 */
export const signInActions: TableActions = {
  'dynamodb:BatchGetItem': ['MEMBERS#*', 'MEMBERSHIPS#*', 'WORKSPACE#*'],
  'dynamodb:ConditionCheckItem': ['MEMBERS#*', 'MEMBERSHIPS#*', 'SIGNIN#*', 'WORKSPACE#*'],
  'dynamodb:GetItem': ['MEMBERS#*', 'MEMBERSHIPS#*'],
  'dynamodb:PutItem': ['KEY#*', 'MADE#*', 'MEMBERS#*'],
  'dynamodb:Query': ['MEMBERS#*', 'MEMBERSHIPS#*'],
  'dynamodb:UpdateItem': ['IDENTITY#*', 'MEMBERS#*', 'MEMBERSHIPS#*'],
};
