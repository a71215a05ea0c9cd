import type { IncomingMessage } from 'node:http';
import { GatewayError } from './gateway-error.ts';

/** The client disconnected before its request was complete. */
export class ClientGone extends Error {}

const limit = 10 * 1024 * 1024;
const none = Buffer.alloc(0);

/** A request with a body says so: https://www.rfc-editor.org/rfc/rfc9112#section-6.3 */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/**
 * Reads a request's body.
 *
 * A body over the gateway's 10 MB is refused at once. The rest of it is read and discarded, so that a client that reads
 * only after it has sent everything still gets the response.
 *
 * @throws GatewayError if the body is too large; ClientGone if the client disconnects.
 */
export function readBody(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (message.destroyed) return reject(new ClientGone());
    if (!hasBody(message)) return resolve(none);
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = () => {
      message.removeListener('data', keep);
      message.resume();
      chunks.length = 0;
      reject(new GatewayError('REQUEST_TOO_LARGE'));
    };
    const keep = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) refuse();
      else chunks.push(chunk);
    };
    message.on('end', () => resolve(Buffer.concat(chunks)));
    message.on('error', () => reject(new ClientGone()));
    message.on('close', () => {
      // Every request ends with this event, and the check is cheaper than an error.
      if (!message.complete) reject(new ClientGone());
    });
    if (Number(message.headers['content-length']) > limit) refuse();
    else message.on('data', keep);
  });
}
