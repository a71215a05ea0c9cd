import { type LinkFlag, type LinkSettings, linkFlags } from './link.ts';
import type { SentTags } from './link-tags.ts';
import { type Utm, utmIn, utmParameters } from './utm.ts';

const settingNames = ['redirectType', ...linkFlags] as const;

/** What a template gives to the links of a request, without default values. All its attempts get the same. */
export type GivenByTemplate = Partial<Pick<LinkSettings, 'tagIds' | 'redirectType' | LinkFlag>> &
  Utm & { readonly domain?: string | null; readonly expiresAt?: string };

/** Settings of a new link, as a request has them. */
type Sent = SentTags &
  Utm & { readonly [Name in (typeof settingNames)[number]]?: LinkSettings[Name] | undefined } & {
    readonly url: string;
    readonly expiresAt?: string | null | undefined;
  };

/** Tags that a template gives. Those that are gone by now are left out. */
export type TagsOfTemplate = { readonly dropsGoneTags?: true };

/**
 * Settings with what a template gives besides. What the request says wins, and so do null and parameters in its `url`. Its
 * tags, by ids or by names, are all tags.
 */
export function withTemplate<S extends Sent>(sent: S, given: GivenByTemplate): S & TagsOfTemplate {
  const { url, tagIds, tagNames } = sent;
  const own = utmIn(url);
  const names = [
    ...settingNames,
    'expiresAt' as const,
    ...(Object.keys(utmParameters) as (keyof Utm)[]).filter((name) => !own.has(name)),
  ];
  const added = names.flatMap((name) =>
    sent[name] === undefined && given[name] !== undefined ? [[name, given[name]] as const] : [],
  );
  const hasTags = tagIds === undefined && tagNames === undefined && given.tagIds !== undefined;
  return { ...sent, ...Object.fromEntries(added), ...(hasTags && { tagIds: given.tagIds, dropsGoneTags: true }) };
}
