import { expect, test } from 'vitest';
import { outcomePage } from '../../../lambdas/sign-in/outcome-page.ts';

test('A page about a failed sign-in sets its cookies, and has no Set-Cookie header without any.', () => {
  expect(outcomePage('unavailable', '/dev', 'req-1')).not.toHaveProperty('multiValueHeaders');
  const cookie = '__Host-links-sign-in=; Max-Age=0';
  expect(outcomePage('expired', '/dev', 'req-1', [cookie]).multiValueHeaders).toEqual({ 'Set-Cookie': [cookie] });
});
