import type { TableActions } from './endpoints.ts';

/**
 * The table actions of a function that lets people into workspaces: it accepts invitations, notes sign-ins and makes
 * keys for them, and applies the rules of the stage, which may begin to revoke the keys of members whom they remove.
 */
export const signInActions: TableActions = {
  'dynamodb:BatchGetItem': ['MEMBERS#*', 'MEMBERSHIPS#*', 'WORKSPACE#*'],
  'dynamodb:ConditionCheckItem': ['MEMBERS#*', 'MEMBERSHIPS#*', 'SIGNIN#*', 'WORKSPACE#*'],
  'dynamodb:GetItem': ['MEMBERS#*', 'MEMBERSHIPS#*'],
  'dynamodb:PutItem': ['KEY#*', 'MADE#*', 'MEMBERS#*'],
  'dynamodb:Query': ['MEMBERS#*', 'MEMBERSHIPS#*'],
  'dynamodb:UpdateItem': ['IDENTITY#*', 'MEMBERS#*', 'MEMBERSHIPS#*'],
};
