import { AuthorizationType, type Integration, type MethodDeploymentOptions, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { bothOf, type TableActions } from './endpoints.ts';
import { signInActions } from './members.ts';
import type { StageSettings } from './stages/settings.ts';
import { TableFunction, type TableFunctionProps } from './table-function.ts';

// How people sign in: the methods, and their function. Nothing of it is there on a stage without the setting `signIn`. The
// paths are outside of `/api/v1/`, so that the policy of the page `/docs` does not reach them.

/** A visit that leads to the provider, or back from it. */
const visits = { throttlingRateLimit: 10, throttlingBurstLimit: 100 };
/** A request of a page. Each tab of the console asks for a key when it is opened, and four times an hour. */
const requests = { throttlingRateLimit: 50, throttlingBurstLimit: 500 };

/** The methods, and how often the gateway passes them on, on a best-effort basis, for everybody together. */
const ways = [
  { method: 'GET', path: '/sign-in', throttle: visits },
  { method: 'GET', path: '/sign-in/callback', throttle: visits },
  { method: 'GET', path: '/sign-ins/current', throttle: requests },
  { method: 'DELETE', path: '/sign-ins/current', throttle: requests },
  { method: 'POST', path: '/sign-ins/current/keys', throttle: requests },
  { method: 'POST', path: '/sign-ins/current/invitations', throttle: visits },
] as const;

/** What limits the methods at the gateway. */
export const signInThrottles = (settings: StageSettings): Record<string, MethodDeploymentOptions> =>
  settings.signIn === undefined
    ? {}
    : Object.fromEntries(ways.map(({ method, path, throttle }) => [`${path}/${method}`, throttle]));

/** What the function does besides letting people into workspaces: it knows people and their sessions, and counts attempts. */
const ownActions: TableActions = {
  'dynamodb:ConditionCheckItem': ['IDENTITY#*'],
  'dynamodb:DeleteItem': ['SIGNIN#*'],
  'dynamodb:GetItem': ['IDENTITY#*', 'PERSON#*', 'SIGNIN#*'],
  'dynamodb:PutItem': ['IDENTITY#*', 'SIGNIN#*'],
  'dynamodb:UpdateItem': ['ADDRESS#*', 'PERSON#*'],
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
