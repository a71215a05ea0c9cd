import { type LinkFlag, type LinkSettings, linkFlags } from './link.ts';
import type { SentTags } from './link-tags.ts';
import { type Utm, utmIn, utmParameters } from './utm.ts';

const settingNames = ['redirectType', ...linkFlags] as const;

/** What a template adds to the links of a request, without default values. All attempts of the request get the same. */
export type GivenByTemplate = Partial<Pick<LinkSettings, 'tagIds' | 'redirectType' | LinkFlag>> &
  Utm & { readonly domain?: string | null; readonly expiresAt?: string };

type Sent = SentTags &
  Utm & { readonly [Name in (typeof settingNames)[number]]?: LinkSettings[Name] | undefined } & {
    readonly url: string;
    readonly expiresAt?: string | null | undefined;
  };

/** Tags that come from a template. Those that have been deleted are left out. */
export type TagsOfTemplate = { readonly dropsGoneTags?: true };

/**
 * Adds a template's settings to those of a request. The request's own take precedence, including null and parameters in
 * its
 * `url`. If it has tags, by ids or by names, the template's tags are not added.
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
