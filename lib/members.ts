import type { TableActions } from './endpoints.ts';

/**
 * What a function needs that lets people into workspaces: it accepts invitations, applies the rules of the stage, notes
 * sign-ins, and makes keys for them.
 */
export const signInActions: TableActions = {
  'dynamodb:BatchGetItem': ['MEMBERS#*', 'MEMBERSHIPS#*', 'WORKSPACE#*'],
  'dynamodb:ConditionCheckItem': ['MEMBERS#*', 'MEMBERSHIPS#*', 'SIGNIN#*', 'WORKSPACE#*'],
  'dynamodb:GetItem': ['MEMBERS#*'],
  'dynamodb:PutItem': ['KEY#*', 'MEMBERS#*'],
  'dynamodb:Query': ['MEMBERS#*', 'MEMBERSHIPS#*'],
  'dynamodb:UpdateItem': ['IDENTITY#*', 'MEMBERS#*', 'MEMBERSHIPS#*'],
};
