import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { passwordsUnsupported } from '../errors.ts';

/**
 * Argon2id with 19 MiB, 2 passes and 1 lane:
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };

/** In NFC, so that it doesn't matter how a keyboard composes a letter (RFC 8265, section 4.2.2). */
const messageOf = (password: string): string => password.normalize('NFC');

/**
 * Computes Argon2id. Support is checked here and not at load time, so that a runtime without it (Node before 24.7 or
 * OpenSSL before 3.2) can still do everything that needs no password.
 *
 * @throws RequestError `temporarily_unavailable` if the runtime has no Argon2id.
 */
async function derive(parameters: Argon2Parameters): Promise<Buffer> {
  if (typeof argon2 !== 'function') throw passwordsUnsupported();
  try {
    return await promisify(argon2)('argon2id', parameters);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_CRYPTO_ARGON2_NOT_SUPPORTED' ? passwordsUnsupported() : error;
  }
}

/** Hashes a password with a new salt. Returns a PHC string (https://github.com/P-H-C/phc-string-format). */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const hash = await derive({ message: messageOf(password), nonce, tagLength: 32, ...cost });
  const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(nonce)}$${base64(hash)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/;

/** Whether the password matches the hash. Takes the same time whether it matches or not. */
export async function isPassword(passwordHash: string, password: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = phc.exec(passwordHash) ?? [];
  const wanted = Buffer.from(tag, 'base64');
  const hash = await derive({
    message: messageOf(password),
    nonce: Buffer.from(salt, 'base64'),
    tagLength: wanted.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(hash, wanted);
}

/** The change that a `password` field makes to a link: a new hash, null to remove it, or nothing if it is absent. */
export const passwordChange = async (password: string | null | undefined): Promise<{ passwordHash?: string | null }> =>
  password === undefined ? {} : { passwordHash: password === null ? null : await hashPassword(password) };
