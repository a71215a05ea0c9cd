/**
 * What a REST API does with headers between a client and a Lambda function, as far as it does not pass them through: the table's column
 * `lambda` at https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html#api-gateway-known-issues-rest-apis
 *
 * Of `Transfer-Encoding` on a request the table says "Exception" and no more: it is passed through here. `Content-Length` on an answer is
 * the connection's.
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

const droppedFromAnswers = new Set([
  'expect',
  'host',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);

/** Of `date` and `server` the gateway sets its own beside. */
const remappedInAnswers = new Set([
  'authorization',
  'connection',
  'content-md5',
  'date',
  'max-forwards',
  'server',
  'user-agent',
  'www-authenticate',
]);

/** Whether a function gets to see a request's header. */
export const reachesFunction = (name: string): boolean => !droppedFromRequests.has(name.toLowerCase());

/** The headers of a function's answer under the names that a client gets them by. */
export const towardsClient = <V>(entries: readonly (readonly [string, V])[]): (readonly [string, V])[] =>
  entries
    .filter(([name]) => !droppedFromAnswers.has(name.toLowerCase()))
    .map(([name, value]) => [remappedInAnswers.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name, value]);
