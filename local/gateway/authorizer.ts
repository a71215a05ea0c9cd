import type { Functions } from '../functions/functions.ts';
import { FunctionError } from '../functions/worker-thread.ts';
import type { Resource, Template } from '../template/template.ts';
import { GatewayError } from './gateway-error.ts';

type AuthorizerProperties = {
  readonly Type: string;
  readonly AuthorizerUri: string;
  readonly IdentitySource?: string;
  readonly IdentityValidationExpression?: string;
  readonly AuthorizerResultTtlInSeconds?: number;
};

/** The owner of a token, according to the authorizer. */
export type Identity = {
  readonly principalId: string;
  /** Context values as strings, as the gateway passes them on. */
  readonly context: Readonly<Record<string, string>>;
  readonly usageIdentifierKey: string | undefined;
};
type Statement = {
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly RegExp[];
  readonly resources: readonly RegExp[];
};
type Verdict = Identity & { readonly statements: readonly Statement[] };

type Header = (name: string) => string | undefined;

const defaultTtl = 300;

/**
 * The template's TOKEN authorizers. The result calls one by its id, which is what `Ref` returns for it, and throws a
 * GatewayError if the request is not allowed.
 *
 * @throws Error for an authorizer of a type that the local host does not support.
 */
export function authorizers(
  template: Template,
  functions: Functions,
  log: (line: string) => void,
): (authorizerId: string, header: Header, methodArn: string) => Promise<Identity> {
  const resources = template.ofType<AuthorizerProperties>('AWS::ApiGateway::Authorizer');
  const byId = new Map(resources.map((resource) => [resource.name, authorizer(resource, functions, log)]));
  return async (authorizerId, header, methodArn) => {
    const authorize = byId.get(authorizerId);
    if (!authorize) throw new Error(`the template has no authorizer "${authorizerId}"`);
    return authorize(header, methodArn);
  };
}

function authorizer({ name, properties }: Resource<AuthorizerProperties>, functions: Functions, log: (line: string) => void) {
  const { Type, IdentitySource = '', IdentityValidationExpression, AuthorizerResultTtlInSeconds: ttl = defaultTtl } = properties;
  const headerName = /^method\.request\.header\.([\w-]+)$/.exec(IdentitySource)?.[1];
  if (Type !== 'TOKEN' || !headerName)
    throw new Error(`the local host does not support ${Type} authorizers on "${IdentitySource}" (${name})`);
  const shape = new RegExp(`^(?:${IdentityValidationExpression ?? '.*'})$`, 's');
  const functionArn = functions.arnOf(functionOfUri(properties.AuthorizerUri));
  const verdicts = new Map<string, Promise<Verdict>>();

  async function ask(token: string, methodArn: string): Promise<Verdict> {
    let result: string;
    try {
      const event = JSON.stringify({ type: 'TOKEN', authorizationToken: token, methodArn });
      result = await functions.invoke(functionArn, event, { caller: token });
    } catch (error) {
      const refused = error instanceof FunctionError && error.message === 'Unauthorized';
      throw refused ? new GatewayError('UNAUTHORIZED') : new GatewayError('AUTHORIZER_FAILURE', (error as Error).message);
    }
    try {
      return readVerdict(JSON.parse(result));
    } catch (error) {
      log(`${name}: malformed result: ${(error as Error).message}`);
      throw new GatewayError('AUTHORIZER_CONFIGURATION_ERROR');
    }
  }

  /** Caches the promise, so that concurrent calls share one invocation. Failures are not kept. */
  function verdictOn(token: string, methodArn: string): Promise<Verdict> {
    const known = verdicts.get(token);
    if (known) return known;
    const fresh = ask(token, methodArn);
    if (ttl > 0) {
      const forget = () => verdicts.delete(token);
      verdicts.set(token, fresh);
      fresh.then(() => setTimeout(forget, ttl * 1000).unref(), forget);
    }
    return fresh;
  }

  return async (header: Header, methodArn: string): Promise<Identity> => {
    const token = header(headerName);
    if (!token || !shape.test(token)) throw new GatewayError('UNAUTHORIZED');
    const { statements, ...identity } = await verdictOn(token, methodArn);
    if (!allows(statements, methodArn)) throw new GatewayError('ACCESS_DENIED');
    return identity;
  };
}

/** The function's ARN in `arn:…:lambda:path/2015-03-31/functions/<arn>/invocations`. */
export function functionOfUri(uri: string): string {
  const arn = /\/functions\/(.+)\/invocations$/.exec(uri)?.[1];
  if (!arn) throw new Error(`the local host does not support the integration "${uri}"`);
  return arn;
}

function allows(statements: readonly Statement[], methodArn: string): boolean {
  const applying = statements.filter(
    ({ actions, resources }) => actions.some((it) => it.test('execute-api:Invoke')) && resources.some((it) => it.test(methodArn)),
  );
  return applying.some(({ effect }) => effect === 'Allow') && !applying.some(({ effect }) => effect === 'Deny');
}

function readVerdict(result: unknown): Verdict {
  const { principalId, policyDocument, context, usageIdentifierKey } = record(result, 'the result');
  if (typeof principalId !== 'string') throw new Error('principalId is not a string');
  if (usageIdentifierKey !== undefined && usageIdentifierKey !== null && typeof usageIdentifierKey !== 'string') {
    throw new Error('usageIdentifierKey is not a string');
  }
  const statements = list(record(policyDocument, 'policyDocument').Statement).map((raw): Statement => {
    const { Effect, Action, Resource, Sid: _, ...rest } = record(raw, 'a statement');
    if (Effect !== 'Allow' && Effect !== 'Deny') throw new Error(`Effect is ${JSON.stringify(Effect)}`);
    const [unknown] = Object.keys(rest);
    if (unknown) throw new Error(`the local host does not support ${unknown} in a policy`);
    return {
      effect: Effect,
      actions: list(Action).map((it) => wildcard(it, 'i')),
      resources: list(Resource).map((it) => wildcard(it)),
    };
  });
  if (!statements.length) throw new Error('the policy has no statement');
  const values = Object.entries(context === undefined || context === null ? {} : record(context, 'context'));
  for (const [name, value] of values) {
    if (!['string', 'number', 'boolean'].includes(typeof value))
      throw new Error(`context.${name} is not a string, number or boolean`);
  }
  return {
    principalId,
    context: Object.fromEntries(values.map(([name, value]) => [name, String(value)])),
    usageIdentifierKey: usageIdentifierKey ?? undefined,
    statements,
  };
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${what} is not an object`);
  return value as Record<string, unknown>;
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** `*` matches any characters, `?` matches one. */
function wildcard(pattern: unknown, flags = ''): RegExp {
  if (typeof pattern !== 'string') throw new Error(`${JSON.stringify(pattern)} is not a string`);
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, `s${flags}`);
}
