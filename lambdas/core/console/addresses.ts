const id = (prefix: string): string => `${prefix}_[0-9A-Za-z]+`;

/**
 * The screens of the console, by the part of the address after the workspace: `/console/ws_…/links`. On some, an item
 * may follow, such as a link: `/console/ws_…/links/lnk_…`.
 */
const screens = {
  home: undefined,
  links: id('lnk'),
  new: undefined,
  statistics: undefined,
  history: undefined,
  import: undefined,
  tags: undefined,
  templates: undefined,
  domains: '[0-9A-Za-z.-]+',
  webhooks: id('whk'),
  members: undefined,
  keys: undefined,
  limits: undefined,
} as const;

export type Screen = keyof typeof screens;

const pattern = new RegExp(`^(?:/(${id('ws')})(?:/([a-z]+)(?:/([^/]+))?)?)?/?$`);

/** What an address of the console names. */
export type ConsolePath = {
  readonly workspaceId: string | undefined;
  readonly screen: Screen | undefined;
  /** The item that the screen shows, such as a link's id. */
  readonly item: string | undefined;
};

const isScreen = (text: string): text is Screen => Object.hasOwn(screens, text);

/** @param path what follows `/console` in an address. @returns undefined if the console has no such address. */
export function parseConsolePath(path: string): ConsolePath | undefined {
  const [found, workspaceId, screen, item] = pattern.exec(path) ?? [];
  if (found === undefined) return undefined;
  if (screen === undefined) return { workspaceId, screen, item: undefined };
  if (!isScreen(screen)) return undefined;
  const items = screens[screen];
  if (item !== undefined && (items === undefined || !new RegExp(`^(?:${items})$`).test(item))) return undefined;
  return { workspaceId, screen, item };
}
