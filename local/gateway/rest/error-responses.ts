import type { Template } from '../../template/template.ts';
import type { ResponseType } from '../gateway-error.ts';
import type { GatewayResponse } from '../gateway-response.ts';

/** AWS's status and message for each of the gateway's own responses; the template can override them. */
const standard = {
  ACCESS_DENIED: [403, 'User is not authorized to access this resource'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, null],
  AUTHORIZER_FAILURE: [500, null],
  BAD_REQUEST_BODY: [400, 'Invalid request body'],
  INTEGRATION_FAILURE: [502, 'Internal server error'],
  INTEGRATION_TIMEOUT: [504, 'Endpoint request timed out'],
  INVALID_API_KEY: [403, 'Forbidden'],
  MISSING_AUTHENTICATION_TOKEN: [403, 'Missing Authentication Token'],
  REQUEST_TOO_LARGE: [413, 'HTTP content length exceeded 10485760 bytes.'],
  THROTTLED: [429, 'Too Many Requests'],
  UNAUTHORIZED: [401, 'Unauthorized'],
} as const satisfies Record<ResponseType, readonly [status: number, message: string | null]>;

type GatewayResponseProperties = {
  readonly ResponseType: string;
  readonly StatusCode?: string;
  readonly ResponseParameters?: Readonly<Record<string, string>>;
  readonly ResponseTemplates?: Readonly<Record<string, string>>;
};
/** The `$context` variables, nested like their names: `error.message` is `{ error: { message } }`. */
export type Context = { readonly [name: string]: unknown };

/**
 * The gateway's own responses, as the template configures them: the response for the type, else the default for 4xx or
 * 5xx, else AWS's.
 *
 * @throws Error for a parameter that is not a header with a constant or a `$context` variable.
 */
export function gatewayResponses(template: Template): (type: ResponseType, context: Context) => GatewayResponse {
  const configured = new Map<string, GatewayResponseProperties>();
  for (const { properties } of template.ofType<GatewayResponseProperties>('AWS::ApiGateway::GatewayResponse')) {
    for (const [name, value] of Object.entries(properties.ResponseParameters ?? {})) {
      if (!name.startsWith('gatewayresponse.header.') || !/^('.*'|context\..+)$/s.test(value)) {
        throw new Error(`the local host does not support the gateway response parameter ${name}: ${value}`);
      }
    }
    configured.set(properties.ResponseType, properties);
  }

  return (type, outer) => {
    const [status, message] = standard[type];
    const context: Context = {
      ...outer,
      error: { message: message ?? '', messageString: JSON.stringify(message), responseType: type },
    };
    const own = configured.get(type) ?? configured.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
    const headers: Record<string, string> = { 'Content-Type': 'application/json' };
    for (const [name, value] of Object.entries(own?.ResponseParameters ?? {})) {
      const header = name.slice('gatewayresponse.header.'.length);
      if (header.toLowerCase() === 'content-type') delete headers['Content-Type'];
      headers[header] = value.startsWith("'") ? value.slice(1, -1) : variable(value.slice('context.'.length), context);
    }
    const body = own?.ResponseTemplates?.['application/json'] ?? '{"message":$context.error.messageString}';
    return { status: Number(own?.StatusCode ?? status), headers, body: substitute(body, context) };
  };
}

/**
 * Variables are `$context.name` or `${context.name}`. The forms are matched separately, so that braces must be
 * balanced.
 */
function substitute(text: string, context: Context): string {
  return text.replace(/\$\{context\.([\w.]+)\}|\$context\.(\w+(?:\.\w+)*)/g, (_, braced?: string, bare?: string) =>
    variable(braced ?? bare ?? '', context),
  );
}

function variable(path: string, context: Context): string {
  let value: unknown = context;
  for (const part of path.split('.')) value = (value as Context | undefined)?.[part];
  return value === undefined || value === null ? '' : String(value);
}
