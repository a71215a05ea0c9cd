import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page, Request } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Service, Workspace } from '../service/service.ts';
import { withAwsRates } from './aws-rates.ts';
import { newPage } from './chromium.ts';

type Options = {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  /** The reader's time zone; by default that of this machine. */
  readonly timezoneId?: string;
  /** After `/console/{workspaceId}`. */
  readonly path?: string;
  /** The key that the tab is signed in with; null for none. The default is the workspace's, which may do everything. */
  readonly key?: string | null;
  /** Lets axe-core into the page, which its policy does not. */
  readonly withAxe?: boolean;
  /** Whether the API takes what AWS lets a workspace send; otherwise whatever this machine can. The default is true. */
  readonly hasAwsRates?: boolean;
};

type Traffic = { begun: number; readonly underWay: Set<Request> };
const traffics = new WeakMap<Page, Traffic>();

/**
 * Opens the console in a fresh context, and records errors and the hosts that the page calls. It is closed
 * after the test.
 */
export async function openConsole(browser: Browser, service: Service, workspace: Workspace, options: Options = {}) {
  const {
    width = 1400,
    height = 900,
    theme = 'light',
    path = '/links',
    key = workspace.key,
    withAxe = false,
    hasAwsRates = true,
    timezoneId,
  } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    ...(timezoneId !== undefined && { timezoneId }),
    bypassCSP: withAxe,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  onTestFinished(() => context.close());
  const refused = hasAwsRates ? await withAwsRates(context) : () => 0;
  const { page, wrong } = await newPage(context);
  const asked = new Set<string>();
  const traffic: Traffic = { begun: 0, underWay: new Set() };
  traffics.set(page, traffic);
  page.on('request', (request) => {
    traffic.begun++;
    traffic.underWay.add(request);
    if (!request.url().startsWith('blob:')) asked.add(new URL(request.url()).origin);
  });
  page.on('requestfinished', (request) => traffic.underWay.delete(request));
  page.on('requestfailed', (request) => traffic.underWay.delete(request));
  await page.goto(`${service.baseUrl}/console/${workspace.id}${path}${key === null ? '' : `#key=${key}`}`);
  return { page, context, wrong, asked, refused };
}

/** Ends once nothing has changed in the page for some frames, so that what has arrived is drawn. */
const untilDrawn = `new Promise((resolve) => {
  let left = 4;
  const observer = new MutationObserver(() => { left = 4; });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  const look = () => {
    if (left-- > 0) return requestAnimationFrame(look);
    observer.disconnect();
    resolve();
  };
  requestAnimationFrame(look);
})`;

/** The most checks of a page. Only one that waits for something that never comes reaches it. */
const mostRounds = 1_000;

/**
 * Whether each part of the page is there. Parts are loaded when they are needed, and show nothing until then. What is behind a
 * dialog may wait for it.
 */
const isThere = `document.querySelector('main h1, main [role=alert]') !== null &&
  (document.querySelector('dialog:modal') ?? document).querySelector(
    '[aria-busy=true], .later, main.with-panel:not(:has(aside, [role=alert]))') === null`;

/**
 * Waits until a page of `openConsole` is complete: no request is under way, all responses are drawn, and no
 * request followed from it.
 */
export async function settled(page: Page): Promise<void> {
  const traffic = traffics.get(page);
  if (!traffic) throw new Error('openConsole has not opened this page');
  for (let round = 0; ; round++) {
    if (round === mostRounds)
      throw new Error(`${page.url()} still waits for ${[...traffic.underWay].map((one) => one.url()).join()}`);
    const { begun } = traffic;
    try {
      await page.evaluate(untilDrawn);
      if (traffic.underWay.size > 0 || traffic.begun > begun) continue;
      if (await page.evaluate(isThere)) return;
    } catch (error) {
      // The page went to another address meanwhile.
      if (!/context was destroyed|navigat/i.test(String(error))) throw error;
      await page.waitForLoadState('domcontentloaded');
    }
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The violations that axe-core finds in a page, or in the part that a selector names. https://github.com/dequelabs/axe-core
 *
 * @param rules those that are tried; all by default.
 */
export async function violationsIn(page: Page, part = 'html', rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) {
    // A transition would be taken for a colour without contrast.
    await page.addStyleTag({ content: '* { transition: none !important; animation: none !important; }' });
    await page.evaluate(axe);
  }
  const options = JSON.stringify({ resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) });
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(part)}, ${options})`)) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}

/** Whether something is wider than the page. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/**
 * Tries to reach every control of a part of the page by a key, from where the focus is.
 *
 * @returns those that are not reached, or whose focus is not seen.
 */
export async function unreachable(page: Page, part = 'html', key: 'Tab' | 'ArrowDown' = 'Tab'): Promise<string[]> {
  const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
  const look = `(() => {
    const it = document.activeElement;
    if (!it || it === document.body || !document.querySelector(${JSON.stringify(part)}).contains(it)) return '';
    window.left.delete(it);
    const style = getComputedStyle(it);
    return style.outlineStyle === 'none' && style.boxShadow === 'none' ? it.outerHTML.slice(0, 200) : '';
  })()`;
  const count = (await page.evaluate(`(window.left = new Set(
    [...document.querySelector(${JSON.stringify(part)}).querySelectorAll('${controls}')].filter((it) =>
      !it.disabled && !(it.type === 'radio' && !it.checked) && ${key === 'Tab' ? 'it.tabIndex >= 0 &&' : ''} it.checkVisibility({ visibilityProperty: true }) &&
      it.getClientRects().length > 0))).size`)) as number;
  const unseen = new Set<string>();
  for (let n = 0; n < count * 2 + 10; n++) {
    const seen = (await page.evaluate(look)) as string;
    if (seen !== '') unseen.add(`no visible focus: ${seen}`);
    if ((await page.evaluate('window.left.size')) === 0) break;
    await page.keyboard.press(key);
  }
  const left = (await page.evaluate('[...window.left].map((it) => "not reached: " + it.outerHTML.slice(0, 200))')) as string[];
  return [...unseen, ...left];
}
