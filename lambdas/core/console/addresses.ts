/** The screens of the console, as their addresses name them after the workspace: `/console/ws_…/links`. */
const screens = ['links', 'new'] as const;

export type Screen = (typeof screens)[number];

const pattern = new RegExp(`^(?:/(ws_[0-9A-Za-z]+)(?:/(${screens.join('|')})(?:/(lnk_[0-9A-Za-z]+))?)?)?/?$`);

/** What an address of the console names. Only links have an id. */
export type ConsolePath = {
  readonly workspaceId: string | undefined;
  readonly screen: Screen | undefined;
  readonly linkId: string | undefined;
};

/** @param path what follows `/console` in an address. @returns undefined if the console has no such address. */
export function parseConsolePath(path: string): ConsolePath | undefined {
  const [found, workspaceId, screen, linkId] = pattern.exec(path) ?? [];
  if (found === undefined || (linkId !== undefined && screen !== 'links')) return undefined;
  return { workspaceId, screen: screen as Screen | undefined, linkId };
}
