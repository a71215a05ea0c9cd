import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Where a Chromium is, or something like it; undefined where there is none. `CHROMIUM_PATH` names another. */
export const chromiumPath = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path));

/** A real browser, which finds every name on the loopback interface and asks nobody for anything by itself. */
export const startChromium = (): Promise<Browser> =>
  chromium.launch({
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

/** A page that notes what goes wrong in it: violations of its policy, and scripts that ask to be noticed. */
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
