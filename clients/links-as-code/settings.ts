import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import { linkDefaults } from '../../lambdas/core/link/link.ts';
import { foldTagName } from '../../lambdas/core/tag/tag.ts';
import type { Schemas } from '../typescript/client.ts';
import type * as schema from './schema.ts';

/** A link as the API shows it. */
export type ShownLink = Schemas['Link'];

/** Settings that a manifest may have, in the form in which the API shows them. Tags are names, in their order. */
export type Settings = {
  readonly slug: string;
  readonly url: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly image: string | null;
  readonly notes: string | null;
  readonly redirectType: ShownLink['redirectType'];
  readonly isActive: boolean;
  readonly isArchived: boolean;
  readonly cloaked: boolean;
  readonly forwardParameters: boolean;
  readonly forwardPath: boolean;
  readonly hideReferrer: boolean;
  readonly blockBots: boolean;
  readonly confirmVisit: boolean;
  readonly rules: ShownLink['rules'];
  readonly variants: ShownLink['variants'];
  readonly startsAt: string | null;
  readonly expiresAt: string | null;
  readonly expiredUrl: string | null;
  readonly maxClicks: number | null;
  readonly tags: readonly string[];
  readonly externalId: string | null;
  readonly metaPixelId: string | null;
  readonly googleTagId: string | null;
  readonly webhookUrls: string | null;
};

/** The settings that a manifest gives a link. `isActive` is absent if the manifest does not set it. */
export type Wanted = Omit<Settings, 'isActive'> & { readonly isActive?: boolean };

/** The settings of a link when it was planned. If they differ later, somebody has changed the link since. */
export type Seen = Settings & { readonly hasPassword: boolean; readonly managedBy: string | null };

const { title, description, image, notes, redirectType, isArchived, cloaked, forwardParameters, blockBots, confirmVisit } =
  linkDefaults;
const {
  forwardPath,
  hideReferrer,
  startsAt,
  expiresAt,
  expiredUrl,
  maxClicks,
  externalId,
  metaPixelId,
  googleTagId,
  webhookUrls,
} = linkDefaults;

/** The settings of a link that its manifest doesn't give, as for a PUT. Like a PUT, it leaves `isActive` alone. */
export const settingDefaults: Omit<Wanted, 'slug' | 'url'> = {
  title,
  description,
  image,
  notes,
  redirectType,
  isArchived,
  cloaked,
  forwardParameters,
  forwardPath,
  hideReferrer,
  blockBots,
  confirmVisit,
  rules: [],
  variants: [],
  startsAt,
  expiresAt,
  expiredUrl,
  maxClicks,
  tags: [],
  externalId,
  metaPixelId,
  googleTagId,
  webhookUrls,
};

/** A link of a manifest, completed with the manifest's defaults and the API's. */
export function wantedOf(
  { renamedFrom: _, slug, url, ...link }: z.output<typeof schema.link>,
  defaults: z.output<typeof schema.defaults> = {},
): Wanted {
  const said = { slug, url, ...settingDefaults, ...defined(defaults), ...defined(link) };
  // As the API shows it.
  return { ...said, rules: JSON.parse(JSON.stringify(said.rules)) } as Wanted;
}

/** The settings of a link that the API shows. */
export const seenOf = (link: ShownLink): Seen => ({
  slug: link.shortCode,
  url: link.url,
  title: link.title,
  description: link.description,
  image: link.image,
  notes: link.notes,
  redirectType: link.redirectType,
  isActive: link.isActive,
  isArchived: link.isArchived,
  cloaked: link.cloaked,
  forwardParameters: link.forwardParameters,
  forwardPath: link.forwardPath,
  hideReferrer: link.hideReferrer,
  blockBots: link.blockBots,
  confirmVisit: link.confirmVisit,
  rules: link.rules,
  variants: link.variants,
  startsAt: link.startsAt,
  expiresAt: link.expiresAt,
  expiredUrl: link.expiredUrl,
  maxClicks: link.maxClicks,
  tags: link.tags.map(({ name }) => name),
  externalId: link.externalId,
  metaPixelId: link.metaPixelId,
  googleTagId: link.googleTagId,
  webhookUrls: link.webhookUrls,
  hasPassword: link.hasPassword,
  managedBy: link.managedBy,
});

/** The settings that change, with their old and new values. */
export type Changes = { readonly [Name in keyof Settings]?: { readonly from: unknown; readonly to: unknown } };

/** The differences between a link and the wanted settings, field by field. */
export function changesOf(wanted: Partial<Seen>, seen: Seen): Changes {
  const differing = Object.entries(wanted).filter(
    ([name, to]) => to !== undefined && !isSame(name, seen[name as keyof Seen], to),
  );
  return Object.fromEntries(differing.map(([name, to]) => [name, { from: seen[name as keyof Seen], to }]));
}

/** Whether a link still is as it was seen. */
export const isUnchanged = (seen: Seen, now: Seen): boolean => Object.keys(changesOf(seen, now)).length === 0;

/** Tags have no order, and their names ignore case. */
const isSame = (field: string, one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(...(field === 'tags' ? ([folded(one), folded(other)] as const) : ([one, other] as const)));

const folded = (names: unknown): string[] => (names as readonly string[]).map(foldTagName).sort();

const defined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
