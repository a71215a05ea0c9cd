import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import type { Service, Workspace } from '../service/service.ts';
import { withAwsRates } from './aws-rates.ts';
import { newPage } from './chromium.ts';

type Options = {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  /** After `/console/{workspaceId}`. */
  readonly path?: string;
  /** The key that the tab is signed in with; null for none. The default is the workspace's, which may do everything. */
  readonly key?: string | null;
  /** Lets axe-core into the page, which its policy does not. */
  readonly withAxe?: boolean;
};

/**
 * Opens the console in a browser of its own, which may send to the API what AWS lets a workspace send, and records what goes
 * wrong and to whom the page talks.
 */
export async function openConsole(browser: Browser, service: Service, workspace: Workspace, options: Options = {}) {
  const { width = 1400, height = 900, theme = 'light', path = '/links', key = workspace.key, withAxe = false } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    bypassCSP: withAxe,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const refused = await withAwsRates(context);
  const { page, wrong } = await newPage(context);
  const asked = new Set<string>();
  page.on('request', (request) => {
    if (!request.url().startsWith('blob:')) asked.add(new URL(request.url()).origin);
  });
  await page.goto(`${service.baseUrl}/console/${workspace.id}${path}${key === null ? '' : `#key=${key}`}`);
  return { page, context, wrong, asked, refused };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong in a page. https://github.com/dequelabs/axe-core */
export async function violationsIn(page: Page): Promise<string[]> {
  // A transition would be taken for a colour without contrast.
  await page.addStyleTag({ content: '* { transition: none !important; animation: none !important; }' });
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}

/** Whether something is wider than the page. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
