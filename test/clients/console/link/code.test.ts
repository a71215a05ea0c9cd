import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chromiumPath, useChromium } from '../../../support/http/chromium.ts';
import { openConsole } from '../../../support/http/console-page.ts';
import { useService } from '../../../support/service/service.ts';

test.runIf(chromiumPath)('A browser that has saved a QR code in some colours makes the next ones look the same.', async () => {
  const [service, browser] = await Promise.all([useService(), useChromium()]);
  const workspace = await service.newWorkspace();
  const newLink = async (customSlug: string) =>
    (await workspace.call('POST', '/links', { domain: workspace.domain, url: 'https://example.com/', customSlug })).body.link.id;
  const [one, two] = [await newLink('one'), await newLink('two')];
  const { page, wrong } = await openConsole(browser, service, workspace, { path: `/links/${one}` });
  const saved = async (button: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()]);
    return readFileSync(await download.path(), 'utf8');
  };
  expect(await saved('Save the QR code as SVG')).not.toContain('123456');
  await page.getByRole('button', { name: 'Customize the QR code' }).click();
  await page.getByRole('dialog').getByLabel('Colour').fill('#123456');
  await page.getByRole('dialog').getByLabel('Size').selectOption('1024 pixels');
  expect(await saved('Save SVG')).toContain('#123456');

  await page.goto(`${service.baseUrl}/console/${workspace.id}/links/${two}`);
  expect(await saved('Save the QR code as SVG')).toContain('#123456');
  await page.getByRole('button', { name: 'Customize the QR code' }).click();
  expect(await page.getByRole('dialog').getByLabel('Size').inputValue()).toBe('1024');
  // A saved look that cannot be read is ignored.
  await page.evaluate("localStorage.setItem('links-code', 'red white')");
  await page.reload();
  expect(await saved('Save the QR code as SVG')).not.toContain('#123456');
  expect(wrong).toEqual([]);
});
