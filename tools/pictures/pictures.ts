import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { startChromium } from '../browser/chromium.ts';

// `npm run pictures`: takes the pictures of docs/console.md from the sample data, in a service of its own.

const project = join(import.meta.dirname, '../..');
const folder = join(project, 'docs/pictures');

/** The most bytes that a picture may have, so that the repository stays small. */
const mostBytes = 120_000;

/** Qualities of WebP, from 0 to 100: the first one that makes a picture small enough is used. */
const qualities = [90, 80, 70, 60, 50];

type Picture = {
  readonly name: string;
  /** After `/console/{workspaceId}`; `{link}` stands for the most clicked link. */
  readonly path: string;
  readonly theme?: 'light' | 'dark';
  readonly isPhone?: boolean;
  /** What to do before the picture is taken. */
  readonly prepare: (page: Page) => Promise<unknown>;
};

const firstRow = (page: Page) => page.locator('[data-row="0"]').getByRole('link').first();

/** Waits for the panel of a link, with its chart and QR code. */
async function panel(page: Page): Promise<void> {
  const shown = page.getByRole('complementary', { name: 'Link' });
  await shown.getByRole('img', { name: /^QR code/ }).waitFor();
}

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name }).first().waitFor();

const pictures: readonly Picture[] = [
  { name: 'home', path: '/home', prepare: heading('Newest links') },
  { name: 'links', path: '/links?order=asc', prepare: (page) => firstRow(page).waitFor() },
  { name: 'links-phone', path: '/links?order=asc', isPhone: true, prepare: (page) => firstRow(page).waitFor() },
  { name: 'link-dark', path: '/links/{link}?order=asc', theme: 'dark', prepare: panel },
  { name: 'statistics', path: '/statistics', prepare: (page) => page.locator('canvas').first().waitFor() },
  { name: 'history', path: '/history', prepare: (page) => page.getByRole('button', { name: /^Undo/ }).first().waitFor() },
  { name: 'import', path: '/import', prepare: heading('Import') },
  { name: 'templates', path: '/templates', prepare: heading('Templates') },
  { name: 'webhooks', path: '/webhooks', prepare: heading('Webhooks') },
];

await main();

/** Takes all pictures, or the named ones. A screen that cannot be shown is reported, and the others are still taken. */
async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  const data = mkdtempSync(join(tmpdir(), 'links-pictures-'));
  const { address, stop } = await startSample(data);
  const browser = await startChromium();
  mkdirSync(folder, { recursive: true });
  try {
    for (const picture of pictures) {
      if (wanted.length > 0 && !wanted.includes(picture.name)) continue;
      try {
        const bytes = await take(browser, picture, address);
        console.log(`${picture.name.padEnd(16)} ${(bytes / 1_000).toFixed(0).padStart(4)} kB`);
      } catch (error) {
        console.error(`${picture.name.padEnd(16)} not taken: ${(error as Error).message.split('\n')[0]}`);
        process.exitCode = 1;
      }
    }
  } finally {
    await browser.close();
    await stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Starts a service with the sample data. @returns the address of the console, which signs in */
async function startSample(data: string): Promise<{ readonly address: URL; readonly stop: () => Promise<void> }> {
  const service = spawn(
    process.execPath,
    [join(project, 'bin/local.ts'), '--port', '0', '--data-dir', data, '--in-memory', '--sample-data'],
    { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise<void>((resolve) => service.on('exit', () => resolve()));
  let address: URL | undefined;
  for await (const line of createInterface({ input: service.stdout })) {
    const [, found] = /^# (http:\S+\/console\/\S+)$/.exec(line) ?? [];
    // The sample's address comes after the demo's, so the last one is kept.
    if (found) address = new URL(found);
    if (line.startsWith('ready ')) break;
  }
  if (!address) throw new Error('the service has not started');
  return {
    address,
    stop: async () => {
      service.kill('SIGTERM');
      await ended;
    },
  };
}

/** Takes a picture, and returns how many bytes it has. */
async function take(browser: Browser, picture: Picture, address: URL): Promise<number> {
  const { name, path, theme = 'light', isPhone = false, prepare } = picture;
  const context = await browser.newContext({
    viewport: isPhone ? { width: 360, height: 720 } : { width: 1_280, height: 800 },
    deviceScaleFactor: isPhone ? 2 : 1.5,
    colorScheme: theme,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const [root = ''] = address.pathname.match(/^\/console\/[^/]+/) ?? [];
  await page.goto(`${address.origin}${root}${path.replace('{link}', await topLink(address))}${address.hash}`);
  await prepare(page);
  await page.waitForLoadState('networkidle');
  const bytes = await webpOf(page);
  await context.close();
  writeFileSync(join(folder, `${name}.webp`), bytes);
  return bytes.length;
}

/** The most clicked link of the last 31 days. */
async function topLink({ origin, hash }: URL): Promise<string> {
  const key = new URLSearchParams(hash.slice(1)).get('key');
  const from = `${new Date(Date.now() - 30 * 24 * 60 * 60_000).toISOString().slice(0, 10)}T00:00:00Z`;
  const response = await fetch(`${origin}/api/v1/stats/top-links?from=${from}`, { headers: { Authorization: `Bearer ${key}` } });
  const { links = [] } = (await response.json()) as { links?: { id: string; shortUrl: string | null }[] };
  const link = links.find(({ shortUrl }) => shortUrl !== null);
  if (!link) throw new Error(`no link was clicked: ${response.status}`);
  return link.id;
}

/** A screenshot of the page, as WebP of at most `mostBytes`. @throws Error if it takes more at any quality */
async function webpOf(page: Page): Promise<Buffer> {
  const devtools = await page.context().newCDPSession(page);
  for (const quality of qualities) {
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality });
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length <= mostBytes) return bytes;
  }
  throw new Error(`more than ${mostBytes} bytes at any quality`);
}
