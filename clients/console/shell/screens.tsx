import { type ComponentType, lazy } from 'react';
import type { Screen } from '../../../lambdas/core/console/addresses.ts';
import { LinksScreen } from '../links/links-screen.tsx';
import type { IconName } from '../parts/icon-paths.ts';
import type { Me } from '../service/types.ts';

const HomeScreen = lazy(async () => ({ default: (await import('../home/home-screen.tsx')).HomeScreen }));
const StatisticsScreen = lazy(async () => ({
  default: (await import('../statistics/statistics-screen.tsx')).StatisticsScreen,
}));
const HistoryScreen = lazy(async () => ({ default: (await import('../history/history-screen.tsx')).HistoryScreen }));
const ImportScreen = lazy(async () => ({ default: (await import('../import/import-screen.tsx')).ImportScreen }));
const TagsScreen = lazy(async () => ({ default: (await import('../tags/tags-screen.tsx')).TagsScreen }));
const TemplatesScreen = lazy(async () => ({ default: (await import('../templates/templates-screen.tsx')).TemplatesScreen }));
const DomainsScreen = lazy(async () => ({ default: (await import('../domains/domains-screen.tsx')).DomainsScreen }));
const WebhooksScreen = lazy(async () => ({ default: (await import('../webhooks/webhooks-screen.tsx')).WebhooksScreen }));
const MembersScreen = lazy(async () => ({ default: (await import('../members/members.tsx')).MembersScreen }));
const KeysScreen = lazy(async () => ({ default: (await import('../keys/keys-screen.tsx')).KeysScreen }));
const LimitsScreen = lazy(async () => ({ default: (await import('../limits/limits-screen.tsx')).LimitsScreen }));

/** A screen of the console, and its place in the navigation. */
export type ScreenEntry = {
  readonly screen: Screen;
  readonly title: string;
  readonly icon: IconName;
  /** Opens the screen after `G`. */
  readonly key: string;
  /** All but those of the first view are loaded when somebody opens them. */
  readonly Component: ComponentType<{ readonly me: Me }>;
};

/**
 * The screens, in the groups of the navigation. The panel of a link, and the form of a new one, are beside the list.
 */
export const screenGroups: readonly (readonly ScreenEntry[])[] = [
  [
    { screen: 'home', title: 'Home', icon: 'home', key: 'o', Component: HomeScreen },
    { screen: 'links', title: 'Links', icon: 'links', key: 'l', Component: LinksScreen },
    { screen: 'statistics', title: 'Statistics', icon: 'statistics', key: 's', Component: StatisticsScreen },
  ],
  [
    { screen: 'tags', title: 'Tags', icon: 'tags', key: 't', Component: TagsScreen },
    { screen: 'templates', title: 'Templates', icon: 'templates', key: 'p', Component: TemplatesScreen },
    { screen: 'domains', title: 'Domains', icon: 'domains', key: 'd', Component: DomainsScreen },
  ],
  [
    { screen: 'members', title: 'Members', icon: 'members', key: 'm', Component: MembersScreen },
    { screen: 'keys', title: 'API keys', icon: 'keys', key: 'k', Component: KeysScreen },
    { screen: 'webhooks', title: 'Webhooks', icon: 'webhooks', key: 'w', Component: WebhooksScreen },
  ],
  [
    { screen: 'import', title: 'Import', icon: 'import', key: 'i', Component: ImportScreen },
    { screen: 'history', title: 'History', icon: 'clock', key: 'h', Component: HistoryScreen },
    { screen: 'limits', title: 'Usage', icon: 'usage', key: 'u', Component: LimitsScreen },
  ],
];

export const screens: readonly ScreenEntry[] = screenGroups.flat();

/** The screen at an address. */
export const entryOf = (screen: Screen): ScreenEntry =>
  screens.find((one) => one.screen === (screen === 'new' ? 'links' : screen)) ?? (screens[0] as ScreenEntry);
