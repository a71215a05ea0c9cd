import { type ComponentType, lazy } from 'react';
import type { Screen } from '../../../lambdas/core/console/addresses.ts';
import { LinksScreen } from '../links/links-screen.tsx';
import type { Me } from '../service/types.ts';

const StatisticsScreen = lazy(async () => ({
  default: (await import('../statistics/statistics-screen.tsx')).StatisticsScreen,
}));
const HistoryScreen = lazy(async () => ({ default: (await import('../history/history-screen.tsx')).HistoryScreen }));
const ImportScreen = lazy(async () => ({ default: (await import('../import/import-screen.tsx')).ImportScreen }));
const TagsScreen = lazy(async () => ({ default: (await import('../tags/tags-screen.tsx')).TagsScreen }));
const DomainsScreen = lazy(async () => ({ default: (await import('../domains/domains-screen.tsx')).DomainsScreen }));
const WebhooksScreen = lazy(async () => ({ default: (await import('../webhooks/webhooks-screen.tsx')).WebhooksScreen }));
const KeysScreen = lazy(async () => ({ default: (await import('../keys/keys-screen.tsx')).KeysScreen }));
const LimitsScreen = lazy(async () => ({ default: (await import('../limits/limits-screen.tsx')).LimitsScreen }));

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
  { screen: 'statistics', title: 'Statistics', key: 's', Component: StatisticsScreen },
  { screen: 'history', title: 'History', key: 'h', Component: HistoryScreen },
  { screen: 'import', title: 'Import', key: 'i', Component: ImportScreen },
  { screen: 'tags', title: 'Tags', key: 't', Component: TagsScreen },
  { screen: 'domains', title: 'Domains', key: 'd', Component: DomainsScreen },
  { screen: 'webhooks', title: 'Webhooks', key: 'w', Component: WebhooksScreen },
  { screen: 'keys', title: 'Keys, members', key: 'k', Component: KeysScreen },
  { screen: 'limits', title: 'Limits', key: 'm', Component: LimitsScreen },
];

/** The screen at an address. */
export const entryOf = (screen: Screen): ScreenEntry =>
  screens.find((one) => one.screen === screen) ?? (screens[0] as ScreenEntry);
