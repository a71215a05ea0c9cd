import { csvOf } from '../../lambdas/core/csv.ts';
import { RuleError } from '../../lambdas/core/errors.ts';
import type { Rule } from '../../lambdas/core/link/rules.ts';
import { checkSlug } from '../../lambdas/core/link/slug.ts';
import type { Schemas } from '../typescript/client.ts';
import type { Link } from './api.ts';
import { flagOf, textOf } from './text.ts';

// This service's own CSV, which `npm run export -- links` writes and `npm run import -- --from csv` reads.

/** Settings that the import sends unchanged. The service checks them. */
export type OwnSettings = Partial<Pick<Schemas['ImportLink'], (typeof settings)[keyof typeof settings][0]>>;

/** The kind of a column's values: text, true or false, or JSON. An empty cell means the default. */
type Kind = 'text' | 'flag' | 'json';

/** Columns of settings that only this service has, with the name of the field. */
const settings = {
  description: ['description', 'text'],
  image: ['image', 'text'],
  notes: ['notes', 'text'],
  is_active: ['isActive', 'flag'],
  is_archived: ['isArchived', 'flag'],
  cloaked: ['cloaked', 'flag'],
  forward_parameters: ['forwardParameters', 'flag'],
  forward_path: ['forwardPath', 'flag'],
  hide_referrer: ['hideReferrer', 'flag'],
  block_bots: ['blockBots', 'flag'],
  confirm_visit: ['confirmVisit', 'flag'],
  variants: ['variants', 'json'],
  external_id: ['externalId', 'text'],
  managed_by: ['managedBy', 'text'],
  meta_pixel_id: ['metaPixelId', 'text'],
  google_tag_id: ['googleTagId', 'text'],
  webhook_urls: ['webhookUrls', 'text'],
} as const satisfies Record<string, readonly [keyof Schemas['ImportLink'], Kind]>;

/** Columns of an export that no import sets: the link's id, as in exports of clicks, and how it is doing. */
const shown = {
  link_id: ({ id }: Link): string => id,
  state: ({ state }: Link): string => state,
  last_clicked_at: ({ lastClickedAt }: Link): string => lastClickedAt ?? '',
};

/** Columns that only this service has and that an import reads. */
export const ownSettingColumns: readonly string[] = [...Object.keys(settings), 'rules', 'aliases'];

/** All columns that only this service has. */
export const ownColumns: readonly string[] = [...ownSettingColumns, ...Object.keys(shown)];

const separator = '|';

/**
 * Reads these columns of a row.
 *
 * @param cell undefined for an empty cell.
 * @param ruled calls a function whose `RuleError` is about that column.
 */
export function ownFieldsOf(
  cell: (column: string) => unknown,
  ruled: <T>(column: string, read: () => T) => T,
): { readonly settings: OwnSettings; readonly rules: readonly Rule[] | undefined; readonly aliases: readonly string[] } {
  const said = Object.entries(settings).flatMap(([column, [field, kind]]) => {
    const value = cell(column);
    return value === undefined ? [] : [[field, ruled(column, () => readers[kind](value))]];
  });
  const rules = cell('rules');
  const aliases = cell('aliases');
  return {
    settings: Object.fromEntries(said),
    rules: rules === undefined ? undefined : ruled('rules', () => readers.json(rules) as Rule[]),
    aliases: ruled('aliases', () =>
      (Array.isArray(aliases) ? aliases.map(textOf) : aliases === undefined ? [] : textOf(aliases).split(separator)).map(
        checkSlug,
      ),
    ),
  };
}

const readers: Record<Kind, (value: unknown) => unknown> = {
  text: (value) => {
    if (['string', 'number'].includes(typeof value)) return String(value);
    throw new RuleError('invalid_format', 'must be text');
  },
  flag: (value) => {
    const said = flagOf(value);
    if (said === undefined) throw new RuleError('invalid_format', 'must be true or false');
    return said;
  },
  json: (value) => {
    const list = typeof value === 'string' ? parsed(value) : value;
    if (Array.isArray(list)) return list;
    throw new RuleError('invalid_format', 'must be a list in JSON');
  },
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How each kind of value is written. */
const texts: Record<Kind, (value: unknown) => string> = {
  text: (value) => String(value ?? ''),
  flag: String,
  json: (value) => ((value as readonly unknown[]).length === 0 ? '' : JSON.stringify(value)),
};

/** The columns of an export, each with a function from a link to its cell. */
const columns: Readonly<Record<string, (link: Link) => string>> = {
  url: ({ url }) => url,
  slug: ({ shortCode }) => shortCode,
  domain: ({ domain }) => domain,
  title: ({ title }) => title ?? '',
  redirect_type: ({ redirectType }) => redirectType,
  tags: ({ tags }) => tags.map(({ name }) => name).join(separator),
  starts_at: ({ startsAt }) => startsAt ?? '',
  expires_at: ({ expiresAt }) => expiresAt ?? '',
  expired_url: ({ expiredUrl }) => expiredUrl ?? '',
  max_clicks: ({ maxClicks }) => texts.text(maxClicks),
  rules: ({ rules }) => texts.json(rules),
  ...Object.fromEntries(
    Object.entries(settings).map(([column, [field, kind]]) => [column, (link: Link) => texts[kind](link[field])]),
  ),
  aliases: ({ aliases }) => aliases.join(separator),
  has_password: ({ hasPassword }) => String(hasPassword),
  created_at: ({ createdAt }) => createdAt,
  clicks: ({ clickCount }) => String(clickCount),
  ...shown,
};

/** Links as CSV. @param withHeader whether the names of the columns come first */
export const linksAsCsv = (links: readonly Link[], withHeader = true): string =>
  csvOf([
    ...(withHeader ? [Object.keys(columns)] : []),
    ...links.map((link) => Object.values(columns).map((cell) => cell(link))),
  ]);
