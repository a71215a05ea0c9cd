import type { IncomingMessage } from 'node:http';
import { GatewayError } from './gateway-error.ts';

/** The client went away before its request was complete: there is nobody to answer. */
export class ClientGone extends Error {}

const limit = 10 * 1024 * 1024;

/**
 * Reads a request's body.
 *
 * Past the gateway's 10 MB it stops keeping and refuses at once, while the rest is read and dropped: a client that only listens
 * once it has sent everything gets its answer all the same.
 *
 * @throws GatewayError when it is too large; ClientGone when the client leaves.
 */
export function readBody(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (message.destroyed) return reject(new ClientGone());
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
    message.on('close', () => reject(new ClientGone()));
    if (Number(message.headers['content-length']) > limit) refuse();
    else message.on('data', keep);
  });
}
