import { promisify } from 'node:util';
import { deflate, gzip } from 'node:zlib';
import type { GatewayResponse } from '../gateway-response.ts';

const codings = { gzip: promisify(gzip), deflate: promisify(deflate) };
type Coding = keyof typeof codings;

/**
 * The coding that the client prefers, or the first of equal ones; undefined if the gateway does not support it. As on
 * AWS, the gateway then does not look for another one, and `*` and an absent header name none:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-enable-compression.html
 */
function codingIn(acceptEncoding: string): Coding | undefined {
  const [preferred] = acceptEncoding
    .toLowerCase()
    .split(',')
    .map((item) => item.split(';').map((part) => part.trim()))
    .map(([name = '', weight]) => ({ name, weight: Number(weight?.match(/^q=([\d.]+)$/)?.[1] ?? 1) }))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return preferred && Object.hasOwn(codings, preferred.name) ? (preferred.name as Coding) : undefined;
}

/**
 * Compresses a function's response if the API has a minimum size for that, the body has it, the client accepts a
 * coding, and the function has not encoded the body itself:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-receive-response-with-compressed-payload.html
 */
export async function compressed(
  response: GatewayResponse,
  minimumSize: number | undefined,
  acceptEncoding = '',
): Promise<GatewayResponse> {
  const coding = codingIn(acceptEncoding);
  const isEncoded = Object.keys(response.headers).some((name) => name.toLowerCase() === 'content-encoding');
  if (!coding || isEncoded || minimumSize === undefined || Buffer.byteLength(response.body) < minimumSize) return response;
  return {
    ...response,
    headers: { ...response.headers, 'Content-Encoding': coding },
    body: await codings[coding](response.body),
  };
}
