import { Agent as PlainAgent, type RequestOptions, request } from 'node:http';
import { request as secureRequest, Agent as TlsAgent } from 'node:https';
import type { Answer } from '../../clients/migration/verify.ts';

/** How long a response may take, in milliseconds. */
const timeoutMs = 10_000;

/**
 * Visits paths of an origin with HEAD, which is never counted. Redirects are not followed.
 *
 * @param through connects to the host and port of this URL, but still asks for the origin: for a domain whose DNS does
 * not lead here yet.
 */
export function headOf(origin: URL, through: URL | undefined): (path: string) => Promise<Answer> {
  const isSecure = origin.protocol === 'https:';
  const agent = isSecure ? new TlsAgent({ keepAlive: true }) : new PlainAgent({ keepAlive: true });
  const at = through ?? origin;
  const options: RequestOptions & { servername?: string } = {
    method: 'HEAD',
    // Not every resolver knows that these names are the machine itself (RFC 6761, section 6.3).
    host: /(^|\.)localhost$/.test(at.hostname) ? '127.0.0.1' : at.hostname.replace(/^\[|\]$/g, ''),
    port: at.port || (isSecure ? 443 : 80),
    agent,
    ...(isSecure && { servername: origin.hostname }),
    // The name of a library isn't taken for a bot, which links may refuse.
    headers: { Host: origin.host, 'User-Agent': 'node (links verify)', Accept: '*/*' },
    timeout: timeoutMs,
  };
  return (path) =>
    new Promise((resolve, reject) => {
      const sent = (isSecure ? secureRequest : request)({ ...options, path }, (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, location: response.headers.location });
      });
      sent.on('timeout', () => sent.destroy(new Error(`it did not answer within ${timeoutMs / 1_000} seconds`)));
      sent.on('error', reject);
      sent.end();
    });
}
