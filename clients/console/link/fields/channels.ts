import { csvOf } from '../../../../lambdas/core/csv.ts';
import { trimmed } from '../../../../lambdas/core/invisible.ts';
import { formats } from '../../../migration/formats.ts';
import { bodyOf, changedFields, newValues, notCopied, type Values } from './fields.ts';
import { withUtm } from './utm.ts';

/** Where a link of a campaign is published, in the terms of UTM parameters. */
export type Channel = { readonly source: string; readonly medium: string };

/** Reads a list of channels: one a line, with the medium after a comma or a tab. */
export const channelsIn = (text: string): readonly Channel[] => {
  const lines = text.split('\n').map((line) => line.split(/[,\t]/).map(trimmed));
  const channels = lines.map(([source = '', medium = '']) => ({ source, medium })).filter(({ source }) => source !== '');
  return [...new Map(channels.map((channel) => [JSON.stringify(channel), channel])).values()];
};

/** The destination of a link for a channel. Other parameters stay. */
export function channelUrl(url: string, { source, medium }: Channel): string {
  const made = withUtm(url, 'utm_source', source);
  return medium === '' ? made : withUtm(made, 'utm_medium', medium);
}

/**
 * The links of channels, as a file of this service's own format: each has all values of a form of a new link, except
 * those that no two links can share.
 *
 * @param tags the names of the chosen tags.
 */
export function channelsAsCsv(values: Values, tags: readonly string[], channels: readonly Channel[]): string {
  const names = changedFields(values, newValues('')).filter((name) => !notCopied.includes(name));
  const { url, tagIds: _, ...others } = bodyOf(values, names);
  // New links have no clicks, so the whole click limit is left.
  const shared = Object.entries({ ...others, clicks: 0, tags: tags.join(formats.csv.tagSeparator) });
  const text = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  return csvOf([
    ['url', ...shared.map(([name]) => name)],
    ...channels.map((channel) => [channelUrl(String(url), channel), ...shared.map(([, value]) => text(value ?? ''))]),
  ]);
}
