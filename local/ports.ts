import { createServer } from 'node:net';

/**
 * The port, if it is free on 127.0.0.1; any free one for 0.
 *
 * @throws Error in one line when it cannot be had.
 */
export function findPort(port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', (error) => reject(portError(port, error)));
    server.listen(port, '127.0.0.1', () => {
      const { port: found } = server.address() as { port: number };
      server.close(() => resolve(found));
    });
  });
}

/** One line for the operator on why a port cannot be listened on. */
export function portError(port: number, { code, message }: NodeJS.ErrnoException): Error {
  return new Error(`port ${port} ${code === 'EADDRINUSE' ? 'is in use, choose another' : `cannot be had: ${message}`}`);
}
