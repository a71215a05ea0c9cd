import type { MouseEvent } from 'react';
import { Icon } from '../parts/icons.tsx';
import { usePageKeys } from '../parts/keys.ts';
import { Menu } from '../parts/menu.tsx';
import { go, hrefOf, screenAddress, useAddress } from '../service/location.ts';
import { entryOf, type ScreenEntry, screens } from './screens.tsx';

// The ways to another screen: a list beside it, a menu where that has no room, a bar on phones, and keys.

/** How many screens the bar on phones has. The menu has all of them. */
const inBar = 3;

function ScreenLink({ entry: { screen, title } }: { readonly entry: ScreenEntry }) {
  const current = entryOf(useAddress().screen).screen;
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(screenAddress(screen));
  };
  return (
    <a href={hrefOf(screenAddress(screen))} aria-current={screen === current ? 'page' : undefined} onClick={open}>
      {title}
    </a>
  );
}

const linksTo = (entries: readonly ScreenEntry[]) => entries.map((entry) => <ScreenLink key={entry.screen} entry={entry} />);

export const Navigation = () => (
  <nav className="nav" aria-label="Screens">
    {linksTo(screens)}
  </nav>
);

export const NavigationBar = () => (
  <nav className="nav-bar" aria-label="Most used screens">
    {linksTo(screens.slice(0, inBar))}
  </nav>
);

export function NavigationMenu() {
  const current = entryOf(useAddress().screen).screen;
  return (
    <Menu
      label="Screens"
      className="icon-button nav-menu"
      button={<Icon name="menu" />}
      items={screens.map(({ screen, title, key }) => ({
        label: title,
        hint: `G ${key.toUpperCase()}`,
        isCurrent: screen === current,
        run: () => go(screenAddress(screen)),
      }))}
    />
  );
}

/** `G`, then the key of a screen. */
export const useNavigationKeys = (): void =>
  usePageKeys(Object.fromEntries(screens.map(({ screen, key }) => [`g ${key}`, () => go(screenAddress(screen))])));
