import { AuthorizationType, type Integration, type MethodDeploymentOptions, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { bothOf, type TableActions } from './endpoints.ts';
import { signInActions } from './members.ts';
import type { StageSettings } from './stages/settings.ts';
import { TableFunction, type TableFunctionProps } from './table-function.ts';

// The methods for signing in, and their function, on stages with the setting `signIn`. The paths are outside of
// `/api/v1/`, so that the content security policy of `/docs` does not allow calling them.

/**
 * How often the gateway passes on each method, on a best-effort basis. The limit is far more than people need, because
 * the gateway can't distinguish callers. The function's own limit per address keeps one address from using it all up,
 * and its refusals cost little. A flood at this rate costs no more than a flood of visits: docs/deploy.md, "Outer
 * limits".
 */
const throttle = { throttlingRateLimit: 500, throttlingBurstLimit: 1_000 };

const backChannel = '/sign-in/back-channel-logout';
/** The same for the provider's posts. Anybody can send forged tokens, and each costs a request to the provider. */
const posts = { throttlingRateLimit: 20, throttlingBurstLimit: 200 };

const ways = [
  { method: 'GET', path: '/sign-in' },
  { method: 'GET', path: '/sign-in/callback' },
  { method: 'POST', path: backChannel },
  { method: 'GET', path: '/sign-ins' },
  { method: 'DELETE', path: '/sign-ins' },
  { method: 'DELETE', path: '/sign-ins/{id}' },
  { method: 'GET', path: '/sign-ins/current' },
  { method: 'DELETE', path: '/sign-ins/current' },
  { method: 'POST', path: '/sign-ins/current/keys' },
  { method: 'POST', path: '/sign-ins/current/invitations' },
] as const;

/** The gateway's throttles of the methods. */
export const signInThrottles = (settings: StageSettings): Record<string, MethodDeploymentOptions> =>
  settings.signIn === undefined
    ? {}
    : Object.fromEntries(ways.map(({ method, path }) => [`${path}/${method}`, path === backChannel ? posts : throttle]));

/** The function's other table actions: it stores people and their sessions, and counts attempts. */
const ownActions: TableActions = {
  'dynamodb:ConditionCheckItem': ['IDENTITY#*'],
  'dynamodb:DeleteItem': ['SIGNIN#*'],
  'dynamodb:GetItem': ['IDENTITY#*', 'PERSON#*', 'SID#*', 'SIGNIN#*'],
  'dynamodb:PutItem': ['IDENTITY#*', 'LOGOUT#*', 'SIGNIN#*'],
  'dynamodb:Query': ['SIGNIN#*'],
  'dynamodb:UpdateItem': ['ADDRESS#*', 'PERSON#*', 'SID#*', 'SIGNIN#*'],
};
const tableActions = bothOf(ownActions, signInActions);

type Props = Pick<TableFunctionProps, 'settings' | 'tables' | 'logGroup'> & { readonly code: string };

/**
 * Adds the methods and their function, if the stage has a provider.
 *
 * @param invoking lets methods invoke a function.
 */
export function addSignIn(api: RestApi, props: Props, invoking: (handler: TableFunction) => Integration): void {
  const { signIn } = props.settings;
  if (signIn === undefined) return;
  const handler = new TableFunction(api.stack, 'sign-in', {
    ...props,
    kind: 'endpoint',
    description: 'GET /sign-in and /sign-ins: signs people in with the provider of the stage',
    tableActions,
    environment: {
      HISTORY_DAYS: String(props.settings.historyDays),
      SIGN_IN: JSON.stringify(signIn),
      ...(props.settings.webhookLoopback && { WEBHOOK_LOOPBACK: 'allowed' }),
    },
  });
  if (signIn.clientSecretArn !== undefined) {
    handler.addToRolePolicy(
      new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [signIn.clientSecretArn] }),
    );
  }
  const integration = invoking(handler);
  for (const { method, path } of ways) {
    // The function itself checks the session's cookie.
    api.root.resourceForPath(path).addMethod(method, integration, { authorizationType: AuthorizationType.NONE });
  }
}
