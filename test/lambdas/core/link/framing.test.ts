import { describe, expect, test } from 'vitest';
import { allowsFraming, framingUnasked } from '../../../../lambdas/core/link/framing.ts';

const page = new URL('https://go.example.com');
const framed = new URL('https://www.example.org/path');
const allowed = (headers: { csp?: string[]; xfo?: string[] }, from = framed) =>
  allowsFraming({ contentSecurityPolicy: headers.csp ?? [], xFrameOptions: headers.xfo ?? [] }, from, page);

test.for([
  ['https://example.org/', 'https://go.example.com', 'ask'],
  ['https://example.org:443/', 'https://go.example.com', 'ask'],
  ['http://example.org:80/', 'http://go.example.com', 'ask'],
  ['https://example.org/', 'http://go.example.com:3000', 'ask'],
  ['http://example.org/', 'https://go.example.com', false],
  ['http://example.org:22/', 'https://go.example.com', false],
  ['https://[2001:4860:4860::8888]/', 'https://go.example.com', false],
  ['https://under_score.example.org/', 'https://go.example.com', false],
  ['https://example.org:80/', 'https://go.example.com', undefined],
  ['http://example.org:443/', 'http://go.example.com', undefined],
  ['https://example.org:22/', 'https://go.example.com', undefined],
  ['http://example.org:6379/', 'http://go.example.com', undefined],
] as const)('For %s framed by %s, framingUnasked returns %j.', ([framed, from, known]) => {
  expect(framingUnasked(new URL(framed), new URL(from))).toBe(known);
});

test('A response without framing rules may be framed.', () => {
  expect(allowed({})).toBe(true);
  expect(allowed({ csp: ["default-src 'none'; frame-src 'none'"] })).toBe(true);
});

describe('X-Frame-Options', () => {
  test.for([
    ['DENY', false],
    ['deny', false],
    [' Deny ', false],
    ['SAMEORIGIN', false],
    ['SAMEORIGIN, SAMEORIGIN', false],
    ['DENY, SAMEORIGIN', false],
    ['ALLOWALL', true],
    ['ALLOWALL, nonsense', false],
    ['ALLOW-FROM https://go.example.com', true],
    ['nonsense', true],
    ['nonsense, other', true],
    ['', true],
  ] as const)('X-Frame-Options: %j allows framing: %s.', ([value, may]) => {
    expect(allowed({ xfo: [value] })).toBe(may);
    expect(allowed({ xfo: value.split(',') })).toBe(may);
  });

  test('SAMEORIGIN allows framing by the same origin.', () => {
    expect(allowed({ xfo: ['SAMEORIGIN'] }, new URL('https://go.example.com/x'))).toBe(true);
  });

  test('X-Frame-Options is ignored if there is a frame-ancestors directive, whatever either says.', () => {
    expect(allowed({ xfo: ['DENY'], csp: ['frame-ancestors *'] })).toBe(true);
    expect(allowed({ xfo: ['ALLOWALL'], csp: ["frame-ancestors 'none'"] })).toBe(false);
    expect(allowed({ xfo: ['DENY'], csp: ["default-src 'self'"] })).toBe(false);
  });
});

describe('frame-ancestors', () => {
  test.for([
    ["'none'", false],
    ['', false],
    ["'self'", false],
    ['*', true],
    ['https:', true],
    ['http:', true],
    ['data:', false],
    ['go.example.com', true],
    ['GO.EXAMPLE.COM', true],
    ['https://go.example.com', true],
    ['http://go.example.com', true],
    ['https://go.example.com:443', true],
    ['https://go.example.com:*', true],
    ['https://go.example.com:8443', false],
    ['https://go.example.com/path', true],
    ['*.example.com', true],
    ['*.go.example.com', false],
    ['example.com', false],
    ['https://evil.example.com', false],
    ["'self' https://go.example.com", true],
    ["'none' https://go.example.com", true],
    ['wss://go.example.com', false],
  ] as const)('frame-ancestors %j allows framing: %s.', ([sources, may]) => {
    expect(allowed({ csp: [`frame-ancestors ${sources}`] })).toBe(may);
    expect(allowed({ csp: [`default-src 'self'; Frame-Ancestors ${sources}; img-src *`] })).toBe(may);
  });

  test('All of several policies must allow framing, and the first of several directives in one policy counts.', () => {
    expect(allowed({ csp: ['frame-ancestors *', "frame-ancestors 'none'"] })).toBe(false);
    expect(allowed({ csp: ["frame-ancestors *, frame-ancestors 'none'"] })).toBe(false);
    expect(allowed({ csp: ["frame-ancestors *; frame-ancestors 'none'"] })).toBe(true);
  });

  test('A source without a scheme has the scheme of the destination.', () => {
    expect(allowed({ csp: ['frame-ancestors go.example.com'] }, new URL('http://www.example.org'))).toBe(true);
    const insecure = new URL('http://go.example.com');
    expect(
      allowsFraming({ contentSecurityPolicy: ['frame-ancestors go.example.com'], xFrameOptions: [] }, framed, insecure),
    ).toBe(false);
  });
});
