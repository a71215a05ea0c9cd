import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/**
 * The path of Chromium or a similar browser; undefined if there is none. `CHROMIUM_PATH` overrides it. The headless
 * shell is preferred, because it takes half the processor time.
 */
export const chromiumPath = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path));

/**
 * Starts a real browser. It resolves every name to the loopback interface, and makes no requests of its own.
 *
 * @param timeZone the machine's time zone for the browser.
 */
export const startChromium = (timeZone?: string): Promise<Browser> =>
  chromium.launch({
    ...(timeZone !== undefined && { env: { ...process.env, TZ: timeZone } }),
    ...(chromiumPath && { executablePath: chromiumPath }),
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--host-resolver-rules=MAP * 127.0.0.1',
    ],
  });

/** Opens a page that records violations of its content security policy, script errors and dialogs. */
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
