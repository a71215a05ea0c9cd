import { RuleError } from '../../lambdas/core/errors.ts';
import { parseDomainName } from '../../lambdas/core/host/host.ts';
import { partsBeforePath, titleLength } from '../../lambdas/core/limits.ts';
import { parseDestination } from '../../lambdas/core/link/destination.ts';
import type { RedirectType } from '../../lambdas/core/link/link.ts';
import type { Rule } from '../../lambdas/core/link/rules.ts';
import { checkSlug, foldSlug } from '../../lambdas/core/link/slug.ts';
import { utmParameters, withUtm } from '../../lambdas/core/link/utm.ts';
import { parseTimestamp } from '../../lambdas/core/timestamp.ts';
import { cellsOf, type Fields, fieldsOf, notImported, refusalOf, settingsOf } from './fields.ts';
import { type Format, redirectTypeOf } from './formats.ts';
import { type OwnSettings, ownFieldsOf } from './own.ts';
import type { RawRow } from './read.ts';
import { rulesOf } from './rules.ts';
import { tagsOf } from './tags.ts';
import { flagOf, textOf } from './text.ts';

/** A link to create. */
export type PlannedLink = {
  readonly url: string;
  /** Undefined if the service makes one. */
  readonly slug: string | undefined;
  readonly title: string | undefined;
  readonly redirectType: RedirectType;
  readonly tags: readonly string[];
  readonly expiresAt: string | undefined;
  /** Only if it is still to come. */
  readonly startsAt?: string | undefined;
  readonly expiredUrl?: string | undefined;
  /** The visits that are left. */
  readonly maxClicks?: number | undefined;
  readonly rules?: readonly Rule[] | undefined;
  /** Settings that only this service has. */
  readonly own?: OwnSettings | undefined;
  /** Further slugs that lead to it, in their order. */
  readonly aliases?: readonly string[] | undefined;
};

/** A row and its plan: either `link`, or the `reason` for none. Original dates and clicks are only reported. */
export type PlannedRow = {
  readonly line: number;
  readonly source: { readonly slug: string; readonly url: string; readonly createdAt: string; readonly clicks: string };
  readonly link?: PlannedLink;
  readonly reason?: string;
  /** What differs from the file, a note each. */
  readonly notes: readonly string[];
};

/** What the links of a file get besides what is in it. */
export type PlanOptions = {
  /** Whether they take paths behind their slugs, as all links of a Shlink may. */
  readonly forwardPath?: boolean | undefined;
};

/**
 * Plans each row, by the service's own rules. Of rows whose slugs fold to the same, the first valid one wins.
 *
 * @param sourceDomain plans only the rows of this domain, and rows without one; undefined plans all rows.
 * @throws Error if `sourceDomain` is undefined and the rows have several domains, since their slugs could collide.
 */
export function planOf(
  rows: readonly RawRow[],
  format: Format,
  sourceDomain: string | undefined,
  options: PlanOptions = {},
): PlannedRow[] {
  if (sourceDomain === undefined) checkDomains(sourceDomains(rows, format));
  return rows.map(plannerOf(format, sourceDomain, options));
}

/** @throws Error if there are several domains. */
export function checkDomains(domains: readonly string[]): void {
  if (domains.length <= 1) return;
  throw new Error(`choose a domain with --source-domain: the file has links of ${domains.join(', ')}`);
}

/** Plans rows one by one, in their order. It remembers only their slugs. */
export function plannerOf(
  format: Format,
  sourceDomain: string | undefined,
  options: PlanOptions = {},
): (row: RawRow) => PlannedRow {
  const seen = new Set<string>();
  return (row) => {
    const planned = planRow(row, fieldsOf(format, row.values), format, sourceDomain, options);
    const slug = planned.link?.slug && foldSlug(planned.link.slug);
    if (slug === undefined || !seen.has(slug)) {
      if (slug !== undefined) seen.add(slug);
      return planned;
    }
    const { link, ...rest } = planned;
    return { ...rest, reason: 'an earlier row has the same slug' };
  };
}

/** The domains that the rows name, sorted. */
export const sourceDomains = (rows: readonly RawRow[], format: Format): string[] =>
  [...new Set(rows.map((row) => sourceDomainOf(row, format)).filter((domain) => domain !== undefined))].sort();

/** The domain that a row names; undefined if it names none. */
export const sourceDomainOf = ({ values }: RawRow, format: Format): string | undefined => domainOf(fieldsOf(format, values));

/** The domain of a row: from its column, or from its short URL. */
function domainOf({ domain, shortUrl }: Fields, wanted?: string): string | undefined {
  const said = textOf(domain);
  if (said !== '') return parseDomainName(said) ?? said.toLowerCase();
  return addressOf(shortUrl, wanted)?.hostname;
}

/** The addresses of a link. The scheme may be missing. */
const addressesOf = (shortUrls: Fields['shortUrl']): URL[] =>
  shortUrls.flatMap((value) => {
    const text = textOf(value);
    return (text === '' ? undefined : URL.parse(/^https?:/i.test(text) ? text : `https://${text}`)) ?? [];
  });

/** The address that counts: the first one on the wanted domain, else the first one. */
function addressOf(shortUrls: Fields['shortUrl'], wanted: string | undefined): URL | undefined {
  const addresses = addressesOf(shortUrls);
  return addresses.find(({ hostname }) => hostname === wanted) ?? addresses[0];
}

/**
 * Notes on what is not imported: settings, and further addresses on the wanted domain (on any domain if there is none).
 */
function lossesOf(format: Format, values: RawRow['values'], { shortUrl }: Fields, wanted: string | undefined): string[] {
  const here = addressOf(shortUrl, wanted)?.href;
  const others = addressesOf(shortUrl).filter(({ href, hostname }) => href !== here && (wanted ?? hostname) === hostname);
  return [
    ...notImported(format, values).map((name) => `"${name}" is not imported`),
    ...others.map(({ host, pathname }) => `its address ${host}${pathname} is not imported`),
  ];
}

function planRow(
  { line, values, problem }: RawRow,
  fields: Fields,
  format: Format,
  sourceDomain: string | undefined,
  options: PlanOptions,
): PlannedRow {
  const notes = lossesOf(format, values, fields, sourceDomain);
  const said = textOf(fields.slug) || decoded(addressOf(fields.shortUrl, sourceDomain)?.pathname ?? '');
  const slug = said.replace(/^\/+|\/+$/g, '');
  const source = { slug, url: textOf(fields.url), createdAt: textOf(fields.createdAt), clicks: textOf(fields.clicks) };
  const row = { line, source, notes };
  const domain = domainOf(fields, sourceDomain);
  if (problem !== undefined) return { ...row, reason: problem };
  if (sourceDomain !== undefined && domain !== undefined && domain !== sourceDomain) {
    return { ...row, reason: `it is on another domain, ${domain}` };
  }
  const reason = refusalOf(format, values) ?? (slug === '' && !format.makesSlugs ? 'it has no slug' : undefined);
  if (reason !== undefined) return { ...row, reason };
  try {
    const link: PlannedLink = {
      url: ruled('url', () => destinationOf(source.url, format, values)),
      slug: slug === '' ? undefined : ruled('slug', () => checkSlug(slug)),
      title: titleOf(format.isOwn && typeof fields.title === 'string' ? fields.title : textOf(fields.title), notes),
      redirectType: typeOf(textOf(fields.redirectType), format, notes),
      tags: tagsOf(fields.tags, format.tagSeparator, notes),
      expiresAt: timeOf('expiry', textOf(fields.expiresAt)),
      ...startOf(textOf(fields.startsAt), format),
      ...expiredUrlOf(textOf(fields.expiredUrl)),
      ...capOf(textOf(fields.maxVisits), source.clicks, notes),
      ...routing(format, values, notes),
      ...ownOf(format, values, notes, options),
    };
    if (link.own?.forwardPath && link.slug !== undefined && link.slug.split('/').length > partsBeforePath) {
      notes.push(`it takes no path behind its slug, which has more than ${partsBeforePath} parts`);
      return { ...row, link: { ...link, own: { ...link.own, forwardPath: undefined } } };
    }
    // A link with aliases is renamed to them and back, so its slug has to be known.
    if (link.aliases && link.slug === undefined) throw new UnusableRow('aliases need a slug');
    return { ...row, link };
  } catch (error) {
    if (!(error instanceof UnusableRow)) throw error;
    return { ...row, reason: error.message };
  }
}

class UnusableRow extends Error {}

/** The path of an address as people read it, so that a reason names its letters. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The destination of a row, with the parameters of its columns such as `utm_source`. */
function destinationOf(text: string, { hasUtm }: Format, values: RawRow['values']): string {
  const url = parseDestination(text);
  if (!hasUtm) return url;
  const cell = cellsOf(values);
  const said = Object.entries(utmParameters).map(([field, name]) => [field, textOf(cell(name)) || undefined]);
  return withUtm(url, Object.fromEntries(said));
}

/** @throws UnusableRow that names the field and the rule. */
function ruled<T>(field: string, rule: () => T): T {
  try {
    return rule();
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    throw new UnusableRow(`${field} ${error.message}`);
  }
}

function titleOf(text: string, notes: string[]): string | undefined {
  if (text === '') return undefined;
  const title = [...text.toWellFormed().replaceAll('\0', '')];
  if (title.length > titleLength) notes.push(`its title is cut to ${titleLength} characters`);
  return title.slice(0, titleLength).join('');
}

/** Redirects that make browsers repeat a POST. A short link never passes a POST on. */
const withMethod: Readonly<Record<string, RedirectType>> = { 307: 'TEMPORARY_302', 308: 'PERMANENT_301' };

function typeOf(text: string, format: Format, notes: string[]): RedirectType {
  if (text === '') return format.redirectType;
  const [, status = ''] = /(?:^|_)(30[78])$/.exec(text.trim()) ?? [];
  const type = redirectTypeOf(text) ?? withMethod[status];
  if (type && status !== '')
    notes.push(`its redirect ${status} becomes ${type.slice(-3)}, because a short link never passes a POST on`);
  if (!type) throw new UnusableRow(`redirect type "${text.slice(0, 40)}" is neither 301 nor 302`);
  return type;
}

/** When a link starts, if that is still to come or the file is of this service. */
function startOf(text: string, { isOwn }: Format): Pick<PlannedLink, 'startsAt'> {
  const startsAt = timeOf('start', text);
  return startsAt === undefined || (!isOwn && Date.parse(startsAt) <= Date.now()) ? {} : { startsAt };
}

const expiredUrlOf = (text: string): Pick<PlannedLink, 'expiredUrl'> =>
  text === '' ? {} : { expiredUrl: ruled('expiredUrl', () => parseDestination(text)) };

/** The cap for the visits that a link has left. Clicks start at 0 here. */
function capOf(limit: string, visits: string, notes: string[]): Pick<PlannedLink, 'maxClicks'> {
  if (limit === '') return {};
  const [most, used] = [Number(limit), Number(visits || Number.NaN)];
  if (!Number.isSafeInteger(most) || most < 1) throw new UnusableRow(`visit limit "${limit.slice(0, 40)}" is not a whole number`);
  if (Number.isNaN(used)) {
    notes.push(`its limit of ${most} visits starts anew, because the file does not say how many there were`);
    return { maxClicks: most };
  }
  if (used < 0 || !Number.isInteger(used)) {
    throw new UnusableRow(`number of visits "${visits.slice(0, 40)}" is not a whole number`);
  }
  if (used >= most) throw new UnusableRow('it has reached its visit limit there');
  if (used > 0) notes.push(`its limit of ${most} visits becomes the ${most - used} that are left`);
  return { maxClicks: most - used };
}

function routing(format: Format, values: RawRow['values'], notes: string[]): Pick<PlannedLink, 'rules'> {
  const rules = rulesOf(format.rules?.of(settingsOf(values)) ?? [], notes);
  return rules.length > 0 ? { rules } : {};
}

/** The fields that only links of this service have. */
function ownOf(
  format: Format,
  values: RawRow['values'],
  notes: string[],
  { forwardPath }: PlanOptions,
): Pick<PlannedLink, 'own' | 'rules' | 'aliases'> {
  const cell = cellsOf(values);
  const added: OwnSettings = { ...(forwardPath && { forwardPath }) };
  if (!format.isOwn) {
    const isFalse = (name: string) => flagOf(cell(name)) === false;
    const own = { ...format.settings?.of(settingsOf(values), isFalse, notes), ...added };
    return Object.keys(own).length > 0 ? { own } : {};
  }
  const { settings: said, rules, aliases } = ownFieldsOf(cell, ruled);
  const settings = { ...said, ...added };
  return {
    ...(Object.keys(settings).length > 0 && { own: settings }),
    ...(rules && rules.length > 0 && { rules }),
    ...(aliases.length > 0 && { aliases }),
  };
}

/** Parses a date, or a time with or without a zone; without one, it is UTC. */
function timeOf(field: string, text: string): string | undefined {
  if (text === '') return undefined;
  const timed = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  const zoned = /(Z|T.*[+-]\d\d:?\d\d| .*[+-]\d\d:?\d\d)$/i.test(timed) ? timed : `${timed}Z`;
  const iso = zoned.replace(/ (?=\d)/, 'T').replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
  return ruled(field, () => parseTimestamp(iso));
}
