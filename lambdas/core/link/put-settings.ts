import { isDeepStrictEqual } from 'node:util';
import { type Link, type LinkSettings, linkDefaults } from './link.ts';

/** The settings that a PUT resets to their defaults if they are not sent. */
type Replaced = Omit<LinkSettings, 'url' | 'isActive' | 'passwordHash' | 'unframeableUrl' | 'externalId'>;

const replacedByDefault = {
  title: linkDefaults.title,
  description: linkDefaults.description,
  image: linkDefaults.image,
  notes: linkDefaults.notes,
  redirectType: linkDefaults.redirectType,
  isArchived: linkDefaults.isArchived,
  cloaked: linkDefaults.cloaked,
  forwardParameters: linkDefaults.forwardParameters,
  forwardPath: linkDefaults.forwardPath,
  hideReferrer: linkDefaults.hideReferrer,
  blockBots: linkDefaults.blockBots,
  confirmVisit: linkDefaults.confirmVisit,
  rules: linkDefaults.rules,
  variants: linkDefaults.variants,
  startsAt: linkDefaults.startsAt,
  expiresAt: linkDefaults.expiresAt,
  expiredUrl: linkDefaults.expiredUrl,
  maxClicks: linkDefaults.maxClicks,
  tagIds: linkDefaults.tagIds,
  managedBy: linkDefaults.managedBy,
  metaPixelId: linkDefaults.metaPixelId,
  googleTagId: linkDefaults.googleTagId,
  webhookUrls: linkDefaults.webhookUrls,
} satisfies Replaced;

/**
 * All settings that a PUT of a link sets: absent ones return to their defaults. `isActive`, the password and the slug
 * are exceptions: a client that doesn't know them must not switch a link on, or open a protected one.
 */
export const withDefaults = (sent: Partial<LinkSettings>): Partial<LinkSettings> => ({ ...replacedByDefault, ...defined(sent) });

/** The settings that differ from a link's. */
export const differing = (settings: Partial<LinkSettings>, link: Link): Partial<LinkSettings> =>
  Object.fromEntries(
    Object.entries(defined(settings)).filter(([field, value]) => !isDeepStrictEqual(value, link[field as keyof LinkSettings])),
  );

const defined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
