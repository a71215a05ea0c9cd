import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, startChromium } from '../../support/http/chromium.ts';
import { openConsole } from '../../support/http/console-page.ts';
import { sized } from '../../support/run/proof.ts';
import { type Service, useService } from '../../support/service/service.ts';

// What somebody has written or made is not lost, and what others have done is not overwritten, in a real browser, in
// `npm run proof`. What was done is asked of the API.

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

describe.runIf(chromiumPath && sized(false, true))('In the console', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([useService(), startChromium()]);
  });
  afterAll(() => browser?.close());

  test('Esc, however often, closes neither a key that is shown once nor the message that the session has ended.', async () => {
    const workspace = await service.newWorkspace();
    const { page } = await openConsole(browser, service, workspace, { path: '/keys' });
    const pressEscape = async () => {
      for (let n = 0; n < 4; n++) await page.keyboard.press('Escape');
    };
    await button(page, 'Create a key').click();
    await page.getByLabel('Name').press('Enter');
    const secret = page.locator('dialog output.secret');
    await secret.waitFor();
    await pressEscape();
    expect(await secret.isVisible()).toBe(true);
    await button(page, 'I have stored it').click();
    await secret.waitFor({ state: 'detached' });

    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 401, json: { code: 'unauthorized', detail: 'No.' } }));
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    const ended = page.getByText('Your session has ended');
    await ended.waitFor();
    await pressEscape();
    expect(await ended.isVisible()).toBe(true);
    expect(await page.getByLabel('API key').isEditable()).toBe(true);
  });
});
