import { expect, test } from 'vitest';
import { outcomePage } from '../../../lambdas/sign-in/outcome-page.ts';

test('A page for somebody who is not signed in sets the cookies that it has to, and without any it has no such header.', () => {
  expect(outcomePage('unavailable', '/dev', 'req-1')).not.toHaveProperty('multiValueHeaders');
  const cookie = '__Host-links-sign-in=; Max-Age=0';
  expect(outcomePage('expired', '/dev', 'req-1', [cookie]).multiValueHeaders).toEqual({ 'Set-Cookie': [cookie] });
});
