import { describe, expect, test } from 'vitest';
import { checkAddress, host, hostAndPort, hostToBlock, originOf } from '../../../bin/shared/arguments.ts';

describe('What is pasted into the command line', () => {
  test.for([
    ['a domain', (text: string) => host(text), 'go.example.com', 'go.example.com'],
    ['a host to block', (text: string) => hostToBlock(text), 'evil.example', 'evil.example'],
    ['an origin', (text: string) => originOf(text).href, 'https://go.example.com', 'https://go.example.com/'],
    ['a host with a port', (text: string) => hostAndPort(text).host, 'go.example.com:8443', 'go.example.com:8443'],
    [
      'the URL of the service',
      (text: string) => checkAddress(text),
      'https://api.example.com/dev/',
      'https://api.example.com/dev',
    ],
  ] as const)('loses spaces and invisible characters at both ends: %s.', ([, read, text, meant]) => {
    for (const pasted of [text, `\u200b${text}`, `${text}\u202c\n`, `\ufeff ${text}\u200e`]) expect(read(pasted)).toBe(meant);
  });

  test('An invisible character inside a host to block is refused, because nobody could see which host it is.', () => {
    expect(() => hostToBlock('ev\u200bil.example')).toThrow('domain name');
  });
});
