import { argon2Sync, randomBytes } from 'node:crypto';

/**
 * Hashes a password as `hashPassword` does, at the lowest cost. The cost is part of the hash, so checking it is cheap
 * too. For tests whose subject is not the hash itself: at the full cost, a check takes more time than all else in a visit.
 */
export function cheapHash(password: string): string {
  const cost = { memory: 8, passes: 1, parallelism: 1 };
  const nonce = randomBytes(16);
  const hash = argon2Sync('argon2id', { message: password, nonce, tagLength: 32, ...cost });
  const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(nonce)}$${base64(hash)}`;
}
