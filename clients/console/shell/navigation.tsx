import type { MouseEvent } from 'react';
import type { Screen } from '../../../lambdas/core/console/addresses.ts';
import { Icon } from '../parts/icons.tsx';
import { usePageKeys } from '../parts/keys.ts';
import { Menu } from '../parts/menu.tsx';
import { go, hrefOf, screenAddress, useAddress } from '../service/location.ts';
import { entryOf, type ScreenEntry, screenGroups, screens } from './screens.tsx';

// Navigation between screens: a list beside them, a menu if there is no room for that, a bar on phones, and keys.

/** The screens in the bar on phones. The menu has all of them. */
const inBar: readonly Screen[] = ['home', 'links', 'statistics', 'history'];

function ScreenLink({ entry: { screen, title, icon } }: { readonly entry: ScreenEntry }) {
  const current = entryOf(useAddress().screen).screen;
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(screenAddress(screen));
  };
  return (
    <a href={hrefOf(screenAddress(screen))} aria-current={screen === current ? 'page' : undefined} onClick={open}>
      <Icon name={icon} />
      {title}
    </a>
  );
}

const linksTo = (entries: readonly ScreenEntry[]) => entries.map((entry) => <ScreenLink key={entry.screen} entry={entry} />);

export const Navigation = () => (
  <nav className="nav" aria-label="Screens">
    {screenGroups.map((group) => (
      <div key={group[0]?.screen} className="nav-group">
        {linksTo(group)}
      </div>
    ))}
  </nav>
);

export const NavigationBar = () => (
  <nav className="nav-bar" aria-label="Most used screens">
    {linksTo(screens.filter(({ screen }) => inBar.includes(screen)))}
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
