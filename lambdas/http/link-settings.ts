import * as z from 'zod/mini';
import * as field from './fields.ts';
import { flagFields } from './link-flags.ts';
import { rules, variants } from './routing.ts';

const orNull = <S extends z.core.$ZodType>(schema: S) => z.optional(z.nullable(schema));

/** The settings that several links can share, in requests that create or update links. */
export const linkSettings = {
  url: z.optional(field.destination),
  title: orNull(field.title),
  description: orNull(field.description),
  image: orNull(field.image),
  notes: orNull(field.notes),
  redirectType: z.optional(field.redirectType),
  ...flagFields,
  rules: z.optional(rules),
  variants: z.optional(variants),
  password: orNull(field.password),
  startsAt: orNull(field.startsAt),
  expiresAt: orNull(field.timestamp),
  expiredUrl: orNull(field.expiredUrl),
  maxClicks: orNull(field.maxClicks),
  tagIds: z.optional(field.tagIds),
  tagNames: z.optional(field.tagNames),
  managedBy: orNull(field.managedBy),
  metaPixelId: orNull(field.metaPixelId),
  googleTagId: orNull(field.googleTagId),
  webhookUrls: orNull(field.webhookUrls),
};

/** All settings of a link, in requests that create or update one. */
export const ownSettings = { ...linkSettings, externalId: orNull(field.externalId) };
