import { AuthorizationType, type Integration, type MethodDeploymentOptions, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { bothOf, type TableActions } from './endpoints.ts';
import { signInActions } from './members.ts';
import type { StageSettings } from './stages/settings.ts';
import { TableFunction, type TableFunctionProps } from './table-function.ts';

// How people sign in: the methods, and their function. Nothing of it is there on a stage without the setting `signIn`. The
// paths are outside of `/api/v1/`, so that the policy of the page `/docs` does not reach them.

/**
 * How often the gateway passes on each method, on a best-effort basis, for everybody together: it can't tell callers apart. So
 * it is far more than people need, and what keeps one address from the others' share is the function's own limit, whose
 * refusals cost little. A flood at that rate costs no more than one of visits: docs/deploy.md, "Outer limits".
 */
const throttle = { throttlingRateLimit: 500, throttlingBurstLimit: 1_000 };

const backChannel = '/sign-in/back-channel-logout';
/** The same for what the provider posts. Anybody can send what looks like a token, and each costs a request to the provider. */
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

/** What limits the methods at the gateway. */
export const signInThrottles = (settings: StageSettings): Record<string, MethodDeploymentOptions> =>
  settings.signIn === undefined
    ? {}
    : Object.fromEntries(ways.map(({ method, path }) => [`${path}/${method}`, path === backChannel ? posts : throttle]));

/** What the function does besides letting people into workspaces: it knows people and their sessions, and counts attempts. */
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
    // The function checks the cookie of the person's session.
    api.root.resourceForPath(path).addMethod(method, integration, { authorizationType: AuthorizationType.NONE });
  }
}
