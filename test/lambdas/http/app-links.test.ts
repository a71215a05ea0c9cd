import { expect, test } from 'vitest';
import { appleAppSiteAssociation, assetLinks } from '../../../lambdas/http/app-links.ts';
import { check } from '../../../lambdas/http/validation.ts';

test('A file is measured in bytes of compact JSON: 65,536 are accepted, one more is not.', () => {
  const site = { include: 'https://www.example.com/list' };
  const sized = (bytes: number) => {
    const rest = bytes - JSON.stringify([{ ...site, padding: '' }]).length;
    return [{ ...site, padding: 'ü'.repeat(rest / 2) + 'x'.repeat(rest % 2) }];
  };
  expect(check(assetLinks, sized(65_536))).toEqual({ value: sized(65_536) });
  expect(check(assetLinks, sized(65_537)).errors).toMatchObject([{ code: 'too_large' }]);
});

test('A file that is nested too deeply to be written is refused.', () => {
  const nested = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`);
  expect(check(appleAppSiteAssociation, { applinks: { details: [] }, nested }).errors).toMatchObject([{ code: 'too_large' }]);
});

test('A file with a million wrong values is refused for its size, and not read.', () => {
  const wrong = Array.from({ length: 1_000_000 }, () => 0);
  expect(check(assetLinks, wrong).errors).toMatchObject([{ path: '', code: 'too_large' }]);
  const details = [{ appIDs: wrong, paths: wrong }];
  expect(check(appleAppSiteAssociation, { applinks: { apps: wrong, details } }).errors).toMatchObject([
    { path: '', code: 'too_large' },
  ]);
});
