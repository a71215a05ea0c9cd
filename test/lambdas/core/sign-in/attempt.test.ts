import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  attemptSeconds,
  localPath,
  readAnswered,
  readAttempt,
  writeAnswered,
  writeAttempt,
} from '../../../../lambdas/core/sign-in/attempt.ts';

const signInId = `sgn_${'a'.repeat(59)}`;
const attempt = {
  state: 's',
  nonce: 'n',
  verifier: 'v',
  returnTo: '/console/ws_abc/links?q=a%20b',
  at: 1_000_000,
  replaces: signInId,
};

test('An attempt survives a cookie, and expires after ten minutes.', () => {
  const value = writeAttempt(attempt);
  expect(value).toMatch(/^[\w-]+$/);
  expect(readAttempt(value, attempt.at)).toEqual(attempt);
  expect(readAttempt(value, attempt.at + attemptSeconds * 1_000 - 1)).toEqual(attempt);
  expect(readAttempt(value, attempt.at + attemptSeconds * 1_000)).toBeUndefined();
  for (const replaces of [undefined, 'sgn_', `sgn_${'#'.repeat(59)}`])
    expect(readAttempt(writeAttempt({ ...attempt, replaces }), attempt.at)).toEqual({ ...attempt, replaces: undefined });
});

test("An attempt is either open or answered, and an answered one has only the person's destination and session.", () => {
  const { returnTo } = attempt;
  const answered = writeAnswered({ returnTo, signInId });
  expect([readAnswered(answered), readAttempt(answered, attempt.at)]).toEqual([{ returnTo, signInId }, undefined]);
  expect(readAnswered(writeAnswered({ returnTo, signInId: 'x' }))).toBeUndefined();
  expect(readAnswered(writeAttempt(attempt))).toBeUndefined();
});

test('Whatever a cookie has, it is an attempt or none, and leads only to the console.', () => {
  const part = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.constant('//evil.example'));
  const anything = fc.oneof(
    fc.string(),
    fc.array(part, { maxLength: 7 }).map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url')),
    fc
      .tuple(part, part, part, fc.string(), fc.constant(5), part)
      .map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url')),
  );
  fc.assert(
    fc.property(anything, (value) => {
      const read = readAttempt(value, 10);
      for (const path of [read?.returnTo, readAnswered(value)?.returnTo])
        if (path !== undefined) expect(path).toMatch(/^\/console(?![^/?])/);
    }),
  );
});

test.for([
  '/console',
  '/console/',
  '/console?signed-in=1',
  '/console/ws_abc/links/lnk_abc?q=%2F%2Fx&tag=tag_a,tag_b',
  '/console/ws_abc/domains/go.example.com',
  '/console/ws_abc/new?url=https://example.com/?a=b',
])('A person returns to %s.', (path) => {
  expect(localPath(path)).toBe(path);
});

test.for([
  undefined,
  '',
  '/',
  '/docs',
  '//evil.example',
  '//evil.example/console',
  '/\\evil.example',
  'https://evil.example/console',
  'javascript:alert(1)',
  '/console.evil.example',
  '/console@evil.example',
  '/console/../docs',
  '/console//evil.example',
  '/console/%2e%2e/docs',
  '/console/\\evil.example',
  '/console\r\nSet-Cookie: a=b',
  '/console?a\r\nb',
  '/console?a b',
  '/console#key=lk_1',
  '/console?#key=lk_1',
  ' /console',
  `/console?${'a'.repeat(1_000)}`,
])('A person who asks for %j returns to the start of the console.', (path) => {
  expect(localPath(path)).toBe('/console');
});

test('Whatever address somebody asks for, the browser stays on the same site, in the console.', () => {
  const pieces = fc.array(
    fc.constantFrom('/', '\\', '.', '..', 'console', '?', '#', '@', ':', '%2f', 'evil.example', '\t', '\n', 'ws_a', 'links'),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        pieces.map((all) => all.join('')),
        pieces.map((all) => `/console${all.join('')}`),
      ),
      (wanted) => {
        for (const root of ['', '/dev']) {
          const url = new URL(`${root}${localPath(wanted)}`, 'https://api.example');
          expect(url.origin).toBe('https://api.example');
          expect(url.pathname).toMatch(new RegExp(`^${root}/console(/|$)`));
          expect(url.hash).toBe('');
        }
      },
    ),
  );
});
