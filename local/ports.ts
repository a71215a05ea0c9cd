import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * The port, if it is free at the address; any free one for 0.
 *
 * @throws Error in one line when it cannot be had.
 */
export function findPort(port = 0, address = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', (error) => reject(portError(port, error)));
    server.listen(port, address, () => {
      const { port: found } = server.address() as { port: number };
      server.close(() => resolve(found));
    });
  });
}

/** One of the 16 million addresses of 127.0.0.0/8 that nothing else is likely to use. */
const randomLoopback = () => `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;

/**
 * The address, if this machine has it, else 127.0.0.1. Linux has all of 127.0.0.0/8, macOS only 127.0.0.1.
 *
 * @param address any one of 127.0.0.0/8 unless given: with its port, too many for a web page to try.
 */
export const findLoopback = (address = randomLoopback()): Promise<string> =>
  findPort(0, address).then(
    () => address,
    () => '127.0.0.1',
  );

/** One line for the operator on why a port cannot be listened on. */
export function portError(port: number, { code, message }: NodeJS.ErrnoException): Error {
  return new Error(`port ${port} ${code === 'EADDRINUSE' ? 'is in use, choose another' : `cannot be had: ${message}`}`);
}
