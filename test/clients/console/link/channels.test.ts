import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { channelsAsCsv, channelsIn } from '../../../../clients/console/link/fields/channels.ts';
import { bodyOf, changedFields, newValues, notCopied } from '../../../../clients/console/link/fields/fields.ts';
import { utmOf } from '../../../../clients/console/link/fields/utm.ts';
import { formats } from '../../../../clients/migration/formats.ts';
import { guessOf } from '../../../../clients/migration/guess.ts';
import { planOf } from '../../../../clients/migration/plan.ts';
import { bodyOfLink } from '../../../../clients/migration/planned.ts';
import { chromiumPath, useChromium } from '../../../support/http/chromium.ts';
import { openConsole, violationsIn } from '../../../support/http/console-page.ts';
import { useService } from '../../../support/service/service.ts';

test('Each line is a channel, with its medium after a comma or a tab; repeated channels are left out.', () => {
  expect(channelsIn('newsletter, email\r\n\nx\nsocial\tpaid\n , a\nnewsletter,email')).toEqual([
    { source: 'newsletter', medium: 'email' },
    { source: 'x', medium: '' },
    { source: 'social', medium: 'paid' },
  ]);
});

const text = fc.stringMatching(/^[ -~\u00e4\u4e00]{1,20}$/).filter((one) => one.trim() === one && one !== '');
const channel = fc.record({ source: text, medium: fc.oneof(fc.constant(''), text) });
const form = fc.record(
  {
    title: text,
    notes: fc.constantFrom('a note', 'two\nlines; with "quotes"', '=1+1'),
    isActive: fc.constant(false),
    startsAt: fc.constant('2999-01-02T03:04'),
    expiresAt: fc.constant('2999-02-03T04:05'),
    expiredUrl: fc.constant('https://example.com/over?a=1,2'),
    maxClicks: fc.constant('12'),
    confirmVisit: fc.constant(true),
    forwardParameters: fc.constant(true),
    redirectType: fc.constant('PERMANENT_301'),
    metaPixelId: fc.constant('1234567890'),
    webhookUrls: fc.constant('https://a.example.com/x\nhttps://b.example.com/y'),
    customSlug: fc.constant('own'),
    externalId: fc.constant('cms:1'),
    password: fc.constant('secret-password'),
    managedBy: fc.constant('me@example.com'),
  },
  { requiredKeys: [] },
);

test("The import plans a link for each channel, with the form's values, except those that two links cannot share.", () => {
  fc.assert(
    fc.property(
      form,
      fc.uniqueArray(channel, { minLength: 1, maxLength: 5, selector: (one) => JSON.stringify(one) }),
      fc.subarray(['Spring', 'Sale 2']),
      (said, channels, tags) => {
        const values = { ...newValues('https://example.com/a?utm_medium=own&utm_campaign=spring#top'), ...said };
        const file = guessOf(new TextEncoder().encode(channelsAsCsv(values, tags, channels)));
        if (!file) throw new Error('no format reads it');
        const plan = planOf(file.rows, formats[file.format], undefined);
        expect(plan.flatMap(({ notes, reason }) => [...notes, ...(reason ? [reason] : [])])).toEqual([]);
        const names = changedFields(values, newValues('')).filter((name) => !notCopied.includes(name));
        const { url: _, ...shared } = bodyOf(values, names);
        for (const [at, { link }] of plan.entries()) {
          if (!link) throw new Error('a row has no link');
          const { url, tagNames, ...others } = bodyOfLink(link);
          expect(others).toEqual({ redirectType: 'TEMPORARY_302', ...shared });
          expect(tagNames ?? []).toEqual(tags);
          const { source, medium } = channels[at] ?? { source: '', medium: '' };
          expect([utmOf(url, 'utm_source'), utmOf(url, 'utm_medium'), utmOf(url, 'utm_campaign')]).toEqual([
            source,
            medium || 'own',
            'spring',
          ]);
        }
        expect(plan).toHaveLength(channels.length);
      },
    ),
  );
});

describe.runIf(chromiumPath)('In a browser', () => {
  test("a list of channels makes a link for each, with the form's values, and all short links are copied at once.", async () => {
    const [service, browser] = await Promise.all([useService(), useChromium()]);
    const workspace = await service.newWorkspace();
    await workspace.newTag('Spring');
    const landing = 'https://example.com/landing?utm_campaign=spring';
    const path = `/new?url=${encodeURIComponent(landing)}`;
    const { page, wrong } = await openConsole(browser, service, workspace, { path, withAxe: true });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.getByLabel('Title').fill('Landing page');
    await button('Choose').click();
    await page.getByRole('checkbox', { name: 'Spring' }).check();
    await page.keyboard.press('Escape');
    await button('Several channels…').click();
    await page.getByLabel('Channels').fill('newsletter, email\ninstagram, social\npartner');
    await page.getByText(`3 links. The first one leads to ${landing}&utm_source=newsletter&utm_medium=email`).waitFor();
    expect(await violationsIn(page, 'dialog')).toEqual([]);
    await button('Check').click();
    await button('Import 3 links').click();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    await button('Copy short links').click();
    await button('Copied').waitFor();
    const links: { url: string; title: string; shortUrl: string; tags: { name: string }[] }[] = (
      await workspace.call('GET', '/links')
    ).body.links;
    const of = (end: string) => links.find(({ url }) => url === `${landing}&${end}`);
    const made = ['utm_source=newsletter&utm_medium=email', 'utm_source=instagram&utm_medium=social', 'utm_source=partner'].map(
      of,
    );
    for (const link of made) expect(link).toMatchObject({ title: 'Landing page', tags: [{ name: 'Spring' }] });
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(made.map((link) => link?.shortUrl).join('\n'));
    expect(wrong).toEqual([]);
  });

  test("the links of channels are on the form's domain, even if a copied link or a template has chosen it.", async () => {
    const [service, browser] = await Promise.all([useService(), useChromium()]);
    const { id: workspaceId, domain: usual, ...workspace } = await service.newWorkspace();
    const domain = `second.${usual}`;
    await service.addDomain(workspaceId, domain, 'ACTIVE');
    const { link } = (await workspace.call('POST', '/links', { domain, url: 'https://example.com/' })).body;
    const opened = { ...workspace, id: workspaceId, domain: usual };
    const { page } = await openConsole(browser, service, opened, { path: `/new?from=${link.id}` });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await button('Several channels…').click();
    await page.getByLabel('Channels').fill('partner');
    await button('Check').click();
    expect(await page.getByLabel('To the domain').inputValue()).toBe(domain);
  });
});
