import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { foldTagName } from '../../lambdas/core/tag/tag.ts';
import { type Settings, type ShownLink, seenOf, settingDefaults } from './settings.ts';

type Written = {
  readonly owner: string;
  readonly domain: string;
  readonly links: readonly ShownLink[];
  /** Where editors find the JSON Schema of manifests; none if undefined. */
  readonly schema?: string | undefined;
};

/**
 * The text of a manifest that describes links as they are, oldest first. It leaves out defaults, and passwords, which a
 * manifest cannot contain.
 */
export function manifestText({ owner, domain, links, schema }: Written): string {
  const tags = new Map(
    links.flatMap((link) => link.tags.map(({ name, color }) => [foldTagName(name), { name, color }] as const)),
  );
  const content = {
    owner,
    domain,
    ...(tags.size > 0 && { tags: [...tags.values()] }),
    links: links.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1)).map(entryOf),
  };
  const head = schema === undefined ? '' : `# yaml-language-server: $schema=${schema}\n`;
  return head + stringify(content, { lineWidth: 0, aliasDuplicateObjects: false });
}

function entryOf(link: ShownLink): Partial<Settings> {
  const { hasPassword: _, managedBy: __, isActive, slug, url, ...settings } = seenOf(link);
  return { slug, url, ...(!isActive && { isActive }), ...Object.fromEntries(Object.entries(settings).filter(isNotDefault)) };
}

const isNotDefault = ([name, value]: [string, unknown]): boolean =>
  !isDeepStrictEqual(value, settingDefaults[name as keyof typeof settingDefaults]);
