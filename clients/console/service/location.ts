import type { Screen } from '../../../lambdas/core/console/addresses.ts';
import { type Address, noFilter, parseAddress, writeAddress } from './address.ts';
import { watched } from './watched.ts';

/** The path of the service before `/console`, such as `/dev`; empty if the API has a domain of its own. */
export const root = document.getElementById('console')?.dataset.root ?? '';

const currentWatch = watched(() => current);
const emit = (): void => {
  current = read();
  currentWatch.emit();
};

function read(): Address {
  const path = location.pathname.slice(`${root}/console`.length);
  return parseAddress(path, location.search);
}
let current = read();
window.addEventListener('popstate', emit);

/** The address of the page. The component is drawn again when it changes. */
export const useAddress = currentWatch.useValue;

/** Where a changed address leads, for `href`. */
export const hrefOf = (change: Partial<Address>): string => `${root}/console${writeAddress({ ...current, ...change })}`;

/** The address of a screen without any choices. */
export const screenAddress = (screen: Screen): Partial<Address> => ({
  screen,
  linkId: undefined,
  item: undefined,
  isEditing: false,
  url: undefined,
  from: undefined,
  filter: noFilter,
  query: '',
});

/** The address of the statistics or the history of one thing. @param of such as a link's id */
export const addressAbout = (screen: 'statistics' | 'history', of: string): Partial<Address> => ({
  ...screenAddress(screen),
  query: `of=${encodeURIComponent(of)}`,
});

/** Goes to a changed address. Choosing something is a step in the browser's history; typing replaces the last one. */
export function go(change: Partial<Address>, how: 'push' | 'replace' = 'push'): void {
  const href = hrefOf(change);
  if (href === `${location.pathname}${location.search}`) return;
  if (how === 'push') history.pushState(null, '', href);
  else history.replaceState(null, '', href);
  emit();
}
