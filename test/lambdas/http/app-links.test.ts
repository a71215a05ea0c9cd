import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appleAppSiteAssociation, assetLinks } from '../../../lambdas/http/app-links.ts';
import { check } from '../../../lambdas/http/validation.ts';
import { runs } from '../../support/run/proof.ts';

test('A file may have 65,536 bytes as compact JSON, and not one more.', () => {
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

test('A file with a million wrong values is refused for its size, before its values are checked.', () => {
  const wrong = Array.from({ length: 1_000_000 }, () => 0);
  expect(check(assetLinks, wrong).errors).toMatchObject([{ path: '', code: 'too_large' }]);
  const details = [{ appIDs: wrong, paths: wrong }];
  expect(check(appleAppSiteAssociation, { applinks: { apps: wrong, details } }).errors).toMatchObject([
    { path: '', code: 'too_large' },
  ]);
});

test('Whatever names the fields of a file have, it is kept as it was sent, or refused.', () => {
  const name = fc.constantFrom('__proto__', 'constructor', 'toJSON', 'then', 'length', 'hasOwnProperty', '?', 'comment', 'x');
  const any = fc.jsonValue({ maxDepth: 2 });
  const more = fc.array(fc.tuple(name, any), { maxLength: 3 });
  const known = { applinks: { details: [{ appIDs: ['ABCDE12345.com.example.app'], components: [{ '/': '/*' }] }] } };
  const statements = [{ include: 'https://www.example.com/list' }];
  /** Adds fields of any name to an object of the file, as JSON allows. */
  const withFields = (json: string, fields: readonly (readonly [string, unknown])[], position: number) => {
    const starts = [...json.matchAll(/\{(?!\})/g)].map(({ index }) => index + 1);
    const start = starts[position % starts.length] ?? 1;
    const added = fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`).join('');
    return JSON.parse(json.slice(0, start) + added + json.slice(start));
  };
  fc.assert(
    fc.property(more, fc.nat(10), (fields, position) => {
      for (const [schema, file] of [
        [appleAppSiteAssociation, known],
        [assetLinks, statements],
      ] as const) {
        const sent = withFields(JSON.stringify(file), fields, position);
        const { value, errors } = check(schema, sent);
        if (!errors) expect([JSON.stringify(value), isDeepStrictEqual(value, sent)]).toEqual([expect.anything(), true]);
      }
    }),
    { numRuns: runs(300) },
  );
});
