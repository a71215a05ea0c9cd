import type { Page } from 'playwright-core';
import { settled, unreachable, violationsIn } from './console-page.ts';

// Opens everything that opens. It presses every control that it sees, by keyboard, then the controls of what has opened, and
// so on. Nobody registers a menu or a dialog: a layer is what has the role of one.

/** A page of the console, and how to get to where the walk begins. */
export type Start = {
  /** After `/console/{workspaceId}`. */
  readonly path: string;
  /** The steps before the walk begins. */
  readonly prepare?: (page: Page) => Promise<unknown>;
};

/** The control that was pressed; with a number, the option of a list that was chosen. */
type Step = string;
type State = {
  readonly place: string;
  /** The page and its layers. */
  readonly at: string;
  /** The identity of this state. */
  readonly sig: string;
  /** The controls that can be pressed. */
  readonly keys: readonly Step[];
  readonly layer: string;
  readonly name: string;
  readonly count: number;
  readonly isClosable: boolean;
  /** The defects of whatever is open. */
  readonly wrong: readonly string[];
};

/** How many options of a list are tried. */
const mostOptions = 8;
/** How many steps lead from a page to a control. */
const mostSteps = 6;

/**
 * What the walk knows inside a page. A control is recognised by its place and the beginning of its name, so that a list has
 * one of each kind; two in lists, so that different texts are seen.
 */
const inPage = `window.walk ??= (() => {
  const isSeen = (it) => it.checkVisibility({ visibilityProperty: true }) && it.getClientRects().length > 0;
  const layers = () => [...document.querySelectorAll(
    'dialog[open], [popover]:popover-open, [role=dialog], [role=alertdialog], [role=menu], [aria-modal=true]',
  )].filter(isSeen);
  const top = () => layers().at(-1);
  const words = (text) => text.trim().split(/\\s+/).filter((word) => /^[\\p{L}…?:-]{1,20}$/u.test(word)).slice(0, 3).join(' ');
  const nameOf = (it) => it.getAttribute('aria-label') ?? document.getElementById(it.getAttribute('aria-labelledby'))?.textContent ??
    it.labels?.[0]?.textContent ?? it.textContent;
  const partOf = (it) => {
    const row = /^(LI|TR|LABEL)$/.test(it.tagName) || it.role === 'row';
    const index = row ? Math.min(1, [...it.parentElement.children].filter((one) => one.tagName === it.tagName).indexOf(it)) : '';
    return it.tagName + (it.role ?? '') + '.' + [...it.classList].filter((one) => !/^(dim|over|selecting)$/.test(one)).join('.') + index;
  };
  const keyOf = (it) => {
    const parts = [];
    for (let at = it; at && at !== document.body; at = at.parentElement) parts.unshift(partOf(at));
    return parts.join('>') + ' "' + words(nameOf(it)) + '"';
  };
  const controls = () => [...(top() ?? document.body).querySelectorAll(
    'button, summary, select, input[type=checkbox], input[type=radio]',
  )].filter((it) => isSeen(it) && !it.disabled && !it.closest('[inert]'));
  const kindOf = (layer) => layer ? partOf(layer) + ' "' + words(nameOf(layer)) + '"' : '';
  const opened = [];
  const wrong = () => {
    const layer = top();
    const found = [];
    const wider = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (wider !== 0) found.push('something is ' + wider + ' px wider than the page');
    if (window.ran !== undefined) found.push('a script of somebody else ran');
    for (const it of document.querySelectorAll('a[href^="javascript:" i], img:not([src^="blob:"]):not([src^="data:"])')) found.push(it.outerHTML.slice(0, 200));
    if (!layer) return found;
    const { left, right } = layer.getBoundingClientRect();
    if (left < -1 || right > innerWidth + 1) found.push('it leaves the window: ' + Math.round(left) + ' to ' + Math.round(right));
    for (const it of [layer, ...layer.querySelectorAll('*')]) {
      const style = getComputedStyle(it);
      if (it.scrollWidth > it.clientWidth + 1 && it.clientWidth > 0 && /auto|scroll/.test(style.overflowX) && !/INPUT|TEXTAREA|SELECT/.test(it.tagName))
        found.push('it scrolls sideways: ' + it.cloneNode().outerHTML.slice(0, 200) + it.scrollWidth + ' in ' + it.clientWidth);
    }
    if (!layer.contains(document.activeElement)) found.push('the focus is not in it but on ' + document.activeElement?.cloneNode().outerHTML);
    return found;
  };
  return {
    state: () => ({
      place: location.pathname,
      at: [location.pathname, ...layers().map(kindOf)].join('\\n'),
      sig: [location.href, ...layers().map(kindOf), ...new Set(controls().filter((it) => !it.closest('.toasts')).map((it) =>
        [keyOf(it), it.checked, it.tagName === 'SELECT' && it.value, it.ariaExpanded, it.parentElement.open].join()))].join('\\n'),
      keys: [...new Set(controls().flatMap((it) =>
        it.tagName === 'SELECT' ? [...it.options].slice(1, ${mostOptions}).map((_, n) => keyOf(it) + '#' + (n + 1)) : keyOf(it)))],
      layer: kindOf(top()),
      name: top() ? nameOf(top()).trim() : '',
      count: layers().length,
      isClosable: !top() || top().role === 'menu' || top().popover !== null || !!top().querySelector('[aria-label=Close]'),
      wrong: wrong(),
    }),
    /**
     * Gives a control the focus, and chooses the option of a list, because each key would choose one on the way.
     *
     * @returns what kind it is; empty if it is gone
     */
    focus: (key, depth, option) => {
      const it = controls().find((one) => keyOf(one) === key);
      if (!it) return '';
      it.focus();
      opened.length = depth;
      opened.push(it);
      if (document.activeElement !== it) return 'unfocusable';
      if (!option) return it.type === 'checkbox' || it.type === 'radio' ? 'check' : it.tagName;
      it.selectedIndex = option;
      it.dispatchEvent(new Event('change', { bubbles: true }));
      return 'chosen';
    },
    /** Marks what has just opened: the layer, or the smallest part of the page that has the controls which were not there before. */
    mark: (before) => {
      document.querySelector('[data-walk]')?.removeAttribute('data-walk');
      let part = top();
      if (!part) {
        const added = controls().filter((it) => !before.includes(keyOf(it)) && !it.closest('.toasts'));
        part = added[0];
        while (part && !added.every((it) => part.contains(it))) part = part.parentElement;
      }
      part?.setAttribute('data-walk', '');
      return part !== undefined;
    },
    /** Whether the focus is on what has opened a layer; if that is gone, on what has led to it, or at least somewhere. */
    returned: (depth) => {
      const it = opened[depth];
      const isThere = (one) => one.isConnected && isSeen(one) && !one.disabled;
      const active = document.activeElement;
      const found = active?.cloneNode().outerHTML.slice(0, 200);
      if (it && isThere(it)) return active === it ? '' : 'the focus does not return to what opened it, but to ' + found;
      const earlier = opened.slice(0, depth).findLast(isThere);
      if (earlier && earlier.getAttribute('aria-haspopup') && active !== earlier) return 'the focus does not return to its menu, but to ' + found;
      return active && active !== document.body ? '' : 'the focus is lost';
    },
  };
})()`;

/**
 * Walks from each start through everything that opens.
 *
 * @param pages that walk at the same time, each from the next start. What one has pressed, the others don't.
 * @param where the address before the paths.
 * @returns the names of the layers that they have opened, and what is wrong.
 */
export async function walk(pages: readonly Page[], where: string, starts: readonly Start[]) {
  const shared: Shared = { names: new Set(), problems: [], pressed: new Set(), looked: new Set() };
  const left = starts.values();
  await Promise.all(
    pages.map(async (page) => {
      for (const start of left) await walkFrom(page, where, start, shared);
    }),
  );
  return shared;
}

type Shared = {
  readonly names: Set<string>;
  readonly problems: string[];
  readonly pressed: Set<Step>;
  /** The kinds of layers that have been checked. */
  readonly looked: Set<string>;
};

async function walkFrom(page: Page, where: string, start: Start, { names, problems, pressed, looked }: Shared): Promise<void> {
  /** The steps to the page's present state, with the page and the layers after each; none if unknown. */
  let taken: { readonly step: Step; readonly at: string }[] = [];
  /** Where the page is before the first of them. */
  let begins = '';
  let now = {} as State;
  /** The step that is tried. */
  let trying: readonly Step[] = [];

  const ask = async <T>(what: string): Promise<T> => {
    try {
      return (await page.evaluate(`${inPage}; walk.${what}`)) as T;
    } catch (error) {
      if (!/context was destroyed|navigat/i.test(String(error))) throw error;
      await settled(page);
      return ask(what);
    }
  };
  const look = async () => {
    now = await ask<State>('state()');
    return now;
  };
  /** Looks until nothing is wrong, or stays wrong: a button gives the focus back when it is done, which no request shows. */
  const lookAgain = async () => {
    for (let n = 0; (await look()).wrong.length > 0 && n < 20; n++) await settled(page);
    return now;
  };
  const press = async (key: string) => {
    await page.keyboard.press(key);
    await settled(page);
  };
  const note = (path: readonly Step[], found: readonly string[]) => {
    const steps = path.map((step) => step.slice(step.lastIndexOf(' "') + 1) || step).join(', ');
    for (const one of found) problems.push(`${start.path} after ${steps}: ${one}`);
  };

  const act = async (step: Step, depth: number): Promise<boolean> => {
    const [, key = step, option = '0'] = /^(.*)#(\d+)$/s.exec(step) ?? [];
    const kind = await ask<string>(`focus(${JSON.stringify(key)}, ${depth}, ${option})`);
    if (kind === 'unfocusable') note([step], ['it cannot have the focus']);
    if (kind === '' || kind === 'unfocusable') return false;
    if (kind === 'chosen') await settled(page);
    else await press(kind === 'check' ? 'Space' : 'Enter');
    return true;
  };

  const open = async () => {
    await page.goto(`${where}${start.path}`);
    await settled(page);
    if (start.prepare) {
      await start.prepare(page);
      await settled(page);
    }
    taken = [{ step: '', at: (await look()).at }];
    begins = now.place;
  };

  /**
   * Brings the page behind these steps. What controls have changed stays, and another page or layer has to go: by Back or Esc,
   * as people do. Only if that does not help, or a control is gone, the page is loaded again.
   *
   * @returns false if it no longer can
   */
  const goTo = async (path: readonly Step[]): Promise<boolean> => {
    const other = taken.findIndex(({ step }, n) => n > 0 && step !== path[n - 1]);
    if (other > 0) taken.length = other;
    if (taken.length > 0 && !taken.some(({ at }) => at === now.at)) {
      if (now.place === begins) await press('Escape');
      else await page.goBack().then(() => settled(page));
      await look();
    }
    while (taken.length > 0 && taken.at(-1)?.at !== now.at) taken.pop();
    const isNew = taken.length === 0;
    if (isNew) await open();
    for (const step of path.slice(taken.length - 1)) {
      if (!(await act(step, taken.length - 1))) {
        taken = [];
        return !isNew && goTo(path);
      }
      taken.push({ step, at: (await look()).at });
    }
    return true;
  };

  const findingsIn = async (path: readonly Step[], part: string) => {
    for (const theme of ['dark', 'light']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      const found = await violationsIn(page, part, theme === 'light' ? undefined : ['color-contrast']);
      note(
        path,
        found.map((one) => `${theme}: ${one}`),
      );
    }
  };

  /**
   * Looks closely at what has opened, once for each kind.
   *
   * @returns false if it has closed by itself meanwhile, as the dialog of an export does
   */
  const lookAt = async (path: readonly Step[], { layer }: State, before: readonly Step[]): Promise<boolean> => {
    const kind = layer || path.at(-1)?.replace(/ "[^"]*"(#\d+)?$/, '') || '';
    if (looked.has(kind) || !(await ask<boolean>(`mark(${JSON.stringify(before)})`))) return true;
    looked.add(kind);
    try {
      await findingsIn(path, '[data-walk]');
    } catch (error) {
      if (!/No elements found for include/.test(String(error))) throw error;
      looked.delete(kind);
      return false;
    }
    if (layer) note(path, await unreachable(page, '[data-walk]', /^[A-Z]+menu\./.test(layer) ? 'ArrowDown' : 'Tab'));
    return true;
  };

  /** Whether Escape leaves a layer open that only its buttons may close. Browsers end any dialog at the second one. */
  const stays = async (path: readonly Step[], { layer }: State): Promise<boolean> => {
    await press('Escape');
    await press('Escape');
    const isStill = (await look()).layer === layer;
    if (!isStill) note(path, ['Escape closes what only a button may close']);
    return isStill;
  };

  /** Closes the innermost layer, and checks where the focus moves. */
  const close = async (path: readonly Step[], opened: State) => {
    if (opened.isClosable) await press('Escape');
    else if (!(await stays(path, opened))) return;
    else await act((await look()).keys.at(-1) ?? '', path.length);
    if ((await look()).count >= opened.count) return note(path, ['it does not close']);
    note(
      path,
      [await ask<string>(`returned(${path.length - 1})`)].filter((found) => found !== ''),
    );
  };

  /** Presses the controls that the last step has brought. */
  const explore = async (path: readonly Step[], isThere: ReadonlySet<Step>): Promise<void> => {
    if (path.length >= mostSteps || !(await goTo(path))) return;
    const steps = now.keys;
    for (const step of steps) {
      if (pressed.has(step) || isThere.has(step)) continue;
      pressed.add(step);
      trying = [...path, step];
      if (!(await goTo(path))) return;
      let before = now;
      if (!(await act(step, path.length))) {
        // What was pressed before may have removed it.
        taken = [];
        if (!(await goTo(path))) return;
        before = now;
        if (!(await act(step, path.length))) continue;
      }
      const after = await lookAgain();
      const next = [...path, step];
      note(next, after.wrong);
      if (after.sig === before.sig) continue;
      taken.push({ step, at: after.at });
      const isOpened = after.layer !== '' && (after.count > before.count || after.layer !== before.layer);
      // What was there before is pressed from where it was.
      const there = new Set([...isThere, ...steps, ...before.keys]);
      // Another screen is a start of its own.
      const hasMore = after.place === before.place && after.keys.some((one) => !pressed.has(one) && !there.has(one));
      if (isOpened) {
        names.add(after.name);
        if (await lookAt(next, after, before.keys)) await close(next, after);
        else await look();
      } else if (hasMore) await lookAt(next, after, before.keys);
      if (hasMore) await explore(next, there);
    }
  };

  try {
    await open();
    const begin = await lookAgain();
    note([], begin.wrong);
    // The screens themselves have a test of their own.
    if (start.prepare) await findingsIn([], 'main');
    if (begin.layer !== '') {
      names.add(begin.name);
      await lookAt([begin.layer], begin, []);
      await stays([begin.layer], begin);
    }
    await explore([], new Set());
  } catch (error) {
    note(trying, [String(error)]);
  }
}
