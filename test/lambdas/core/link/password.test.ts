import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashPassword, isPassword } from '../../../../lambdas/core/link/password.ts';

/** Parses a PHC string, and computes its hash again for a password. */
function verify(phc: string, password: string): boolean {
  const [, memory, passes, parallelism, salt = '', hash = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(phc) ?? [];
  const computed = argon2Sync('argon2id', {
    message: Buffer.from(password.normalize('NFC'), 'utf8'),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: 32,
  });
  return computed.equals(Buffer.from(hash, 'base64'));
}

test.for([
  ['a word', 'swordfish'],
  ['one character', 'x'],
  ['128 emoji', '😀'.repeat(128)],
  ['other scripts and marks', 'pa\u0301ssword पासवर्ड'],
  ['spaces', '  '],
] as const)('The hash of %s is a PHC string that matches it, and does not match other passwords.', async ([, password]) => {
  const phc = await hashPassword(password);
  expect(verify(phc, password)).toBe(true);
  expect(verify(phc, `${password} `)).toBe(false);
  expect(verify(phc, password.slice(0, -1))).toBe(false);
  expect(await isPassword(phc, password)).toBe(true);
  expect(await isPassword(phc, `${password} `)).toBe(false);
  expect(await isPassword(phc, '')).toBe(false);
});

test('A password is the same however its letters are composed.', async () => {
  expect(await isPassword(await hashPassword('pa\u0301ss'), 'p\u00e1ss')).toBe(true);
  expect(await isPassword(await hashPassword('pass'), 'p\u00e1ss')).toBe(false);
});

test("A hash has OWASP's recommended costs for Argon2id, a salt of 16 bytes and a hash of 32 bytes.", async () => {
  expect(await hashPassword('swordfish')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
});

test('The same password gets another salt and hash each time, and neither contains it.', async () => {
  const hashes = await Promise.all(Array.from({ length: 4 }, () => hashPassword('swordfish')));
  const fields = hashes.flatMap((phc) => phc.split('$').slice(-2));
  expect(new Set(fields).size).toBe(8);
  expect(hashes.join()).not.toContain('swordfish');
});
