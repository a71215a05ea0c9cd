import { type ComponentType, lazy } from 'react';
import type { Screen } from '../../../lambdas/core/console/addresses.ts';
import { LinksScreen } from '../links/links-screen.tsx';
import type { Me } from '../service/types.ts';

const ImportScreen = lazy(async () => ({ default: (await import('../import/import-screen.tsx')).ImportScreen }));

/** A screen of the console, and its place in the navigation. */
export type ScreenEntry = {
  readonly screen: Screen;
  readonly title: string;
  /** Goes to the screen after `G`. */
  readonly key: string;
  /** Every one but the first view is loaded when somebody opens it. */
  readonly Component: ComponentType<{ readonly me: Me }>;
};

/** The screens, in the order of the navigation. The panel of a link, and the form of a new one, are beside the list. */
export const screens: readonly ScreenEntry[] = [
  { screen: 'links', title: 'Links', key: 'l', Component: LinksScreen },
  { screen: 'import', title: 'Import', key: 'i', Component: ImportScreen },
];

/** The screen at an address. */
export const entryOf = (screen: Screen): ScreenEntry =>
  screens.find((one) => one.screen === screen) ?? (screens[0] as ScreenEntry);
