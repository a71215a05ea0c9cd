import { expect, test } from 'vitest';
import { imageTypeOf, parseLogoUrl } from '../../../../lambdas/core/domain/logo.ts';

test('The URL of a logo is stored as browsers normalise it.', () => {
  expect(parseLogoUrl('HTTPS://Example.com/a.png')).toBe('https://example.com/a.png');
});

test.for([
  ['', 'logo_invalid'],
  ['http://example.com/', 'logo_scheme'],
  ['data:image/png;base64,AA', 'logo_scheme'],
  ['https://me:secret@example.com/', 'logo_credentials'],
  [`https://example.com/${'x'.repeat(2_048)}`, 'logo_too_long'],
  ['https://127.0.0.1/', 'logo_private'],
  ['https://[::1]/', 'logo_private'],
  ['https://metadata/', 'logo_private'],
] as const)('The URL %s is refused as %s.', ([url, code]) => {
  expect(() => parseLogoUrl(url)).toThrow(expect.objectContaining({ code }));
});

test.for([
  ['89504e470d0a1a0a0000', 'image/png'],
  ['ffd8ffe000104a464946', 'image/jpeg'],
  [Buffer.from('GIF87a...').toString('hex'), 'image/gif'],
  [Buffer.from('GIF89a...').toString('hex'), 'image/gif'],
  [Buffer.from('RIFF\x01\x02\x03\x04WEBPVP8 ').toString('hex'), 'image/webp'],
  [Buffer.from('RIFF\x01\x02\x03\x04WAVEfmt ').toString('hex'), undefined],
  [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('hex'), undefined],
  [Buffer.from('<!doctype html>').toString('hex'), undefined],
  ['89504e47', undefined],
  ['', undefined],
] as const)('An image that begins with %s has the type %s.', ([hex, type]) => {
  expect(imageTypeOf(Buffer.from(hex, 'hex'))).toBe(type);
});
