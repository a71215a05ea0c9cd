import type { BrowserContext, Page } from 'playwright-core';

export { chromiumPath, startChromium } from '../../../tools/browser/chromium.ts';

/**
 * Opens a page that records what goes wrong in it: violations of its content security policy, script errors and
 * dialogs.
 */
export async function newPage(context: BrowserContext): Promise<{ page: Page; wrong: string[] }> {
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) wrong.push(message.text());
  });
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('dialog', async (dialog) => {
    wrong.push(`a dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  return { page, wrong };
}
