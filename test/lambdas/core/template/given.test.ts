import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withTemplate } from '../../../../lambdas/core/link/given-settings.ts';
import { linkFlags } from '../../../../lambdas/core/link/link.ts';
import { type Utm, utmParameters, withUtm } from '../../../../lambdas/core/link/utm.ts';
import { givenBy } from '../../../../lambdas/core/template/given.ts';
import { templateDefaults } from '../../../../lambdas/core/template/template.ts';

const flags = Object.fromEntries(linkFlags.map((flag) => [flag, fc.boolean()]));
const utm = Object.fromEntries(Object.keys(utmParameters).map((name) => [name, fc.option(fc.constantFrom('a', 'b'))]));
const common = {
  ...flags,
  ...utm,
  redirectType: fc.constantFrom('PERMANENT_301', 'TEMPORARY_302'),
  tagIds: fc.subarray(['t1', 't2']),
};
const template = fc.record({ ...common, expiresAfterDays: fc.option(fc.integer({ min: 1, max: 3_650 })) }, { requiredKeys: [] });
const sent = fc.record({ ...common, expiresAt: fc.option(fc.constant('2030-01-01T00:00:00.000Z')) }, { requiredKeys: [] });

test("Each field of a link has the request's value, else the template's, else the default.", () => {
  const receivedAt = Date.UTC(2026, 0, 1);
  fc.assert(
    fc.property(template, sent, fc.subarray(Object.keys(utmParameters) as (keyof Utm)[]), (has, says, inUrl) => {
      const url = withUtm('https://example.org/', Object.fromEntries(inUrl.map((name) => [name, 'own'])));
      const own = { id: 'tpl', name: 'T', createdAt: '', revision: 0 };
      const given = givenBy({ ...templateDefaults, ...(has as object), ...own }, receivedAt);
      // Between attempts, it is stored as JSON.
      const made = withTemplate({ url, ...(says as object) }, JSON.parse(JSON.stringify(given))) as Record<string, unknown>;
      const [all, asked] = [has as Record<string, unknown>, says as Record<string, unknown>];
      for (const name of ['redirectType', ...linkFlags]) {
        const usual = (templateDefaults as Record<string, unknown>)[name];
        expect(made[name] ?? usual).toBe(asked[name] ?? all[name] ?? usual);
      }
      for (const name of Object.keys(utmParameters) as (keyof Utm)[]) {
        const otherwise = inUrl.includes(name) ? undefined : (all[name] ?? undefined);
        expect(made[name]).toBe(asked[name] === undefined ? otherwise : asked[name]);
      }
      expect(made.tagIds ?? []).toEqual(asked.tagIds ?? all.tagIds ?? []);
      const days = all.expiresAfterDays as number | null | undefined;
      const expiry = days == null ? undefined : new Date(receivedAt + days * 24 * 3_600_000).toISOString();
      expect(made.expiresAt).toBe(asked.expiresAt === undefined ? expiry : asked.expiresAt);
    }),
  );
});

test("The request's tag names replace the template's tags, and only the template's tags may be gone.", () => {
  const given = { tagIds: ['t1'] };
  expect(withTemplate({ url: 'https://example.org/', tagNames: ['x'] }, given)).toEqual({
    url: 'https://example.org/',
    tagNames: ['x'],
  });
  expect(withTemplate({ url: 'https://example.org/' }, given)).toMatchObject({ tagIds: ['t1'], dropsGoneTags: true });
});
