/**
 * The headers that a REST API drops or renames between a client and a Lambda function. The source is the column
 * `lambda` of
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html#api-gateway-known-issues-rest-apis
 *
 * For `Transfer-Encoding` of a request, that table only says "Exception"; it is passed through here. `Content-Length`
 * of a response belongs to the connection.
 */
const droppedFromRequests = new Set([
  'connection',
  'content-md5',
  'expect',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'upgrade',
  'www-authenticate',
]);

const droppedFromResponses = new Set([
  'expect',
  'host',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);

/** The gateway adds its own `date` and `server`. */
const remappedInResponses = new Set([
  'authorization',
  'connection',
  'content-md5',
  'date',
  'max-forwards',
  'server',
  'user-agent',
  'www-authenticate',
]);

/** Whether a request header is passed to the function. */
export const reachesFunction = (name: string): boolean => !droppedFromRequests.has(name.toLowerCase());

/** The headers of a function's response under the names that the client sees. */
export const towardsClient = <V>(entries: readonly (readonly [string, V])[]): (readonly [string, V])[] =>
  entries
    .filter(([name]) => !droppedFromResponses.has(name.toLowerCase()))
    .map(([name, value]) => [remappedInResponses.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name, value]);
