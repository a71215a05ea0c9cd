import { expect, test } from 'vitest';
import { addressIn, completed, readPasted } from '../../../../clients/console/service/destination.ts';

test.for([
  ['www.iana.org/abc', 'https://www.iana.org/abc'],
  [' example.com ', 'https://example.com'],
  ['example.com:8080/a?b#c', 'https://example.com:8080/a?b#c'],
  ['example.com?q=1', 'https://example.com?q=1'],
  ['münchen.de', 'https://münchen.de'],
  ['例え.xn--q9jyb4c/x', 'https://例え.xn--q9jyb4c/x'],
  ['http://example.com/', 'http://example.com/'],
  ['HTTPS://localhost', 'HTTPS://localhost'],
  ['\u200bhttps://example.com/a\u202c', 'https://example.com/a'],
  ['\ufeffexample.com/a\u200e ', 'https://example.com/a'],
  ['https://example.com/👩🏽‍🚀❤️', 'https://example.com/👩🏽‍🚀❤️'],
  ['https://example.com/a\u200bb', 'https://example.com/a\u200bb'],
] as const)('“%s” is the address %s.', ([text, address]) => {
  expect(addressIn(text)).toBe(address);
  expect(completed(text)).toBe(address);
});

test.for([
  '',
  'example',
  'no address',
  'example.com and more',
  'ada@example.com',
  'mailto:ada@example.com',
  'ftp://example.com/',
  'javascript:alert(1)',
  '1.5',
  '3.14/2',
  '192.168.0.1',
  '.com',
  'example..com',
  'example.c',
  '/spring.html',
])("“%s” isn't an address, and stays as it is.", (text) => {
  expect(addressIn(text)).toBeUndefined();
  expect(completed(text)).toBe(text);
});

test('A long text without an address is read without backtracking.', () => {
  expect(addressIn(`${'a.'.repeat(100_000)}!`)).toBeUndefined();
  expect(addressIn('a'.repeat(200_000))).toBeUndefined();
});

test.for([
  ['example.com/a', { kind: 'address', url: 'https://example.com/a' }],
  ['\nhttps://example.com/a\n', { kind: 'address', url: 'https://example.com/a' }],
  ['https://example.com/a\nwww.iana.org', { kind: 'several' }],
  ['https://example.com/a, https://example.com/b', { kind: 'several' }],
  ['Spring\thttps://example.com/a\r\nAutumn\thttps://example.com/b', { kind: 'several' }],
  ['example.com/a\tspring\nexample.com/b\tautumn\n', { kind: 'several' }],
  ['https://example.com/a\nnot an address\nhttps://example.com/b', { kind: 'several' }],
  ['Look at https://example.com/a\nand at https://example.com/b today', { kind: 'other' }],
  ['https://example.com/a and https://example.com/b', { kind: 'other' }],
  ['notes.txt\nreadme.md\nand more', { kind: 'other' }],
  ['\u2068https://example.com/a\u2069 \u200b', { kind: 'address', url: 'https://example.com/a' }],
  ['See https://example.com/a', { kind: 'other' }],
  ['Put a.txt beside readme.md', { kind: 'other' }],
  ['spring', { kind: 'other' }],
  [' \n', undefined],
  ['\u200b', undefined],
] as const)('The pasted text “%s” is recognised.', ([text, pasted]) => {
  expect(readPasted(text)).toEqual(pasted);
});
