import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A random port below those that Linux, macOS and Windows use for outgoing connections. Such a connection could take a
 * free port in the seconds before the service listens on it.
 */
const randomPort = () => randomInt(20_000, 32_768);
/** How many random ports are tried. */
const mostTries = 10;

/**
 * Returns the port if it is free at the address. For 0, returns any free port.
 *
 * @throws Error with a one-line message if it cannot listen on the port.
 */
export async function findPort(port = 0, address = '127.0.0.1'): Promise<number> {
  if (port !== 0) return freePort(port, address);
  for (let tries = 1; ; tries++) {
    try {
      return await freePort(randomPort(), address);
    } catch (error) {
      if (tries === mostTries) throw error;
    }
  }
}

const freePort = (port: number, address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', (error) => reject(portError(port, error)));
    server.listen(port, address, () => server.close(() => resolve(port)));
  });

/** A random address of 127.0.0.0/8, which has 16 million. */
const randomLoopback = () => `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;

/**
 * Returns the address if this machine has it, else 127.0.0.1. Linux has all of 127.0.0.0/8, macOS only 127.0.0.1.
 *
 * @param address by default a random one: a web page cannot scan that many addresses and ports.
 */
export const findLoopback = (address = randomLoopback()): Promise<string> =>
  findPort(0, address).then(
    () => address,
    () => '127.0.0.1',
  );

/** An error with a one-line message for the operator: why a port cannot be used. */
export function portError(port: number, { code, message }: NodeJS.ErrnoException): Error {
  return new Error(
    `port ${port} ${code === 'EADDRINUSE' ? 'is in use, choose another with --port' : `cannot be used: ${message}`}`,
  );
}
