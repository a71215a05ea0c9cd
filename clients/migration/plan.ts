import { RuleError } from '../../lambdas/core/errors.ts';
import { parseDomainName } from '../../lambdas/core/host/host.ts';
import { destinationLength, notesLength, partsBeforePath, titleLength } from '../../lambdas/core/limits.ts';
import { parseDestination } from '../../lambdas/core/link/destination.ts';
import { linkDefaults, type RedirectType } from '../../lambdas/core/link/link.ts';
import { checkSlug, foldSlug } from '../../lambdas/core/link/slug.ts';
import { utmParameters, withUtm } from '../../lambdas/core/link/utm.ts';
import { refusedField } from '../../lambdas/http/links/import-link.ts';
import { cellsOf, type Fields, fieldsOf, notImported, refusalOf, settingsOf } from './fields.ts';
import { type Format, redirectTypeOf } from './formats.ts';
import { type OwnSettings, ownFieldsOf } from './own.ts';
import { bodyOfLink, type PlannedLink, type PlannedRow } from './planned.ts';
import type { RawRow } from './read.ts';
import { rulesOf } from './rules.ts';
import { tagsOf } from './tags.ts';
import type { UsedTemplate } from './template.ts';
import { flagOf, ownText, textOf } from './text.ts';
import { timeOf } from './times.ts';

/** What the links of a file get besides its content. */
export type PlanOptions = {
  /** Whether they forward paths behind their slugs, as Shlink can do for all its links. */
  readonly forwardPath?: boolean | undefined;
  /** The IANA time zone of dates and times without one; UTC by default. */
  readonly timezone?: string | undefined;
  /** The template with which they are made. */
  readonly template?: UsedTemplate | undefined;
};

/**
 * Plans each row, by the service's own rules. The first valid row wins if slugs fold to the same.
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

/** Plans rows one by one, in their order. It remembers only their slugs and external ids. */
export function plannerOf(
  format: Format,
  sourceDomain: string | undefined,
  options: PlanOptions = {},
): (row: RawRow) => PlannedRow {
  const [slugs, externalIds] = [new Set<string>(), new Set<string>()];
  return (row) => {
    const planned = checked(planRow(row, fieldsOf(format.columns, row.values), format, sourceDomain, options), options.template);
    const { link, ...rest } = planned;
    if (!link) return planned;
    const { slug, own: { externalId } = {} } = link;
    if (slug !== undefined && slugs.has(foldSlug(slug))) return { ...rest, reason: 'an earlier row has the same slug' };
    if (externalId != null && externalIds.has(externalId)) return { ...rest, reason: 'an earlier row has the same external id' };
    if (slug !== undefined) slugs.add(ownText(foldSlug(slug)));
    if (externalId != null) externalIds.add(ownText(externalId));
    return planned;
  };
}

/**
 * Checks a plan by the API's rules. A row that the API would refuse is refused; if the API would refuse only the link's
 * rules, they are left out.
 */
function checked({ link, ...row }: PlannedRow, template: UsedTemplate | undefined): PlannedRow {
  if (!link) return row;
  const refused = refusedField(bodyOfLink(link), template?.given);
  if (!refused) return { ...row, link };
  const [, field = ''] = refused.path.split('/');
  const reason = `${refused.path.slice(1)} ${refused.message}`;
  if (field !== 'rules') return { ...row, reason };
  const notes = [...row.notes, `its rules were left out: ${reason}`];
  return checked({ ...row, link: { ...link, rules: undefined }, notes }, template);
}

/** The domains that the rows name, sorted. */
export const sourceDomains = (rows: readonly RawRow[], format: Format): string[] =>
  [...new Set(rows.map((row) => sourceDomainOf(row, format)).filter((domain) => domain !== undefined))].sort();

/** The domain that a row names; undefined if it names none. */
export const sourceDomainOf = ({ values, problem }: RawRow, { columns: { domain = [], shortUrl = [] } }: Format) =>
  problem === undefined ? domainOf(fieldsOf({ domain, shortUrl }, values)) : undefined;

/** The domain of a row: from its column, or from its short URL. */
function domainOf({ domain, shortUrl }: Fields, wanted?: string): string | undefined {
  const said = textOf(domain);
  if (said !== '') return parseDomainName(said) ?? said.toLowerCase();
  return addressOf(shortUrl, wanted)?.hostname;
}

/** An address of a link, whose scheme may be missing; undefined if it isn't one. */
const addressIn = (text: string): URL | undefined =>
  /\s|^(?!https?:)[a-z][a-z\d+.-]*:\/\//i.test(text)
    ? undefined
    : (URL.parse(/^https?:/i.test(text) ? text : `https://${text}`) ?? undefined);

const textsOf = (values: readonly unknown[]): string[] => values.map(textOf).filter((text) => text !== '');

/** The addresses of a link. */
const addressesOf = (shortUrls: Fields['shortUrl']): URL[] => textsOf(shortUrls).flatMap((text) => addressIn(text) ?? []);

/** The address to use: the first one on the wanted domain, else the first one. */
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
  const slugInUrl = slugIn(decoded(addressOf(fields.shortUrl, sourceDomain)?.pathname ?? ''));
  const slug = slugIn(textOf(fields.slug)) || slugInUrl;
  const source = { slug, url: textOf(fields.url), createdAt: textOf(fields.createdAt), clicks: textOf(fields.clicks) };
  const row = { line, source, notes };
  const domain = domainOf(fields, sourceDomain);
  if (problem !== undefined) return { ...row, reason: problem };
  if (sourceDomain !== undefined && domain !== undefined && domain !== sourceDomain) {
    return { ...row, reason: `it is on another domain, ${domain}` };
  }
  const reason = refusalOf(format, values) ?? addressProblem(fields, format, slug, slugInUrl);
  if (reason !== undefined) return { ...row, reason };
  try {
    const link: PlannedLink = {
      url: ruled('url', () => destinationOf(source.url, format, values)),
      slug: slug === '' ? undefined : ruled('slug', () => checkSlug(slug)),
      title: cutTo(
        titleLength,
        'title',
        format.isOwn && typeof fields.title === 'string' ? fields.title : textOf(fields.title),
        notes,
      ),
      redirectType: typeOf(textOf(fields.redirectType), format, options, notes),
      tags: tagsOf(fields.tags, format.tagSeparator, notes),
      expiresAt: boundOf('expiry', textOf(fields.expiresAt), options, notes),
      ...startOf(textOf(fields.startsAt), format, options, notes),
      ...expiredUrlOf(textOf(fields.expiredUrl)),
      ...capOf(textOf(fields.maxVisits), source.clicks, notes),
      ...routing(format, values, notes),
      ...ownOf(format, values, textOf(fields.notes), notes, options),
    };
    if (link.own?.forwardPath && link.slug !== undefined && link.slug.split('/').length > partsBeforePath) {
      notes.push(`it forwards no paths, because its slug has more than ${partsBeforePath} parts`);
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

/** The slug in a path. */
const slugIn = (path: string): string => path.replace(/^\/+|\/+$/g, '');

/** Why the link of a row would get another address than the row's; undefined if it would get that. */
function addressProblem({ shortUrl }: Fields, format: Format, slug: string, slugInUrl: string): string | undefined {
  const texts = textsOf(shortUrl);
  const unread = texts.find((text) => addressIn(text) === undefined);
  if (unread !== undefined) return `its short URL "${unread.slice(0, 40)}" is not an address such as go.example.com/page`;
  if (slug === '') return format.makesSlugs && texts.length === 0 ? undefined : 'it has no slug';
  if (!format.isOwn || texts.length === 0 || foldSlug(slugInUrl) === foldSlug(slug)) return undefined;
  return `its slug "${slug.slice(0, 40)}" does not match its short URL`;
}

/** A path with its escapes decoded, so that reasons are readable. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The destination of a row, with the parameters of its columns such as `utm_source`. */
function destinationOf(text: string, { hasUtm }: Format, values: RawRow['values']): string {
  const url = parseDestination(text, destinationLength);
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

/** A text cut to the allowed number of characters; undefined if it is empty. */
function cutTo(most: number, field: string, text: string, notes: string[]): string | undefined {
  if (text === '') return undefined;
  const characters = [...text.toWellFormed().replaceAll('\0', '')];
  if (characters.length > most) notes.push(`its ${field} is cut to ${most.toLocaleString('en-US')} characters`);
  return characters.slice(0, most).join('');
}

/** Redirects that make browsers repeat a POST. A short link never passes a POST on. */
const withMethod: Readonly<Record<string, RedirectType>> = { 307: 'TEMPORARY_302', 308: 'PERMANENT_301' };

function typeOf(text: string, format: Format, { template }: PlanOptions, notes: string[]): RedirectType | undefined {
  if (text === '') return template && format.redirectType === linkDefaults.redirectType ? undefined : format.redirectType;
  const [, status = ''] = /(?:^|_)(30[78])$/.exec(text.trim()) ?? [];
  const type = redirectTypeOf(text) ?? withMethod[status];
  if (type && status !== '')
    notes.push(`its redirect ${status} becomes ${type.slice(-3)}, because a short link never passes a POST on`);
  if (!type) throw new UnusableRow(`redirect type "${text.slice(0, 40)}" is neither 301 nor 302`);
  return type;
}

/** When a link starts, if that is in the future or the file is from this service. */
function startOf(text: string, { isOwn }: Format, options: PlanOptions, notes: string[]): Pick<PlannedLink, 'startsAt'> {
  const startsAt = boundOf('start', text, options, notes);
  return startsAt === undefined || (!isOwn && Date.parse(startsAt) <= Date.now()) ? {} : { startsAt };
}

/** When a link starts or expires. */
const boundOf = (bound: 'start' | 'expiry', text: string, { timezone = 'UTC' }: PlanOptions, notes: string[]) =>
  text === '' ? undefined : ruled(bound, () => timeOf(text, bound, timezone, notes));

const expiredUrlOf = (text: string): Pick<PlannedLink, 'expiredUrl'> =>
  text === '' ? {} : { expiredUrl: ruled('expiredUrl', () => parseDestination(text)) };

/** The cap for a link's remaining visits. Clicks start at 0 here. */
function capOf(limit: string, visits: string, notes: string[]): Pick<PlannedLink, 'maxClicks'> {
  if (limit === '') return {};
  const [most, used] = [Number(limit), Number(visits || Number.NaN)];
  if (!Number.isSafeInteger(most) || most < 1) throw new UnusableRow(`visit limit "${limit.slice(0, 40)}" is not a whole number`);
  if (Number.isNaN(used)) {
    notes.push(`its limit of ${most} visits applies to new visits only, because the file does not say how many there were`);
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

/**
 * The fields that only links of this service have. @param internal text that the other service shows only to its users
 */
function ownOf(
  format: Format,
  values: RawRow['values'],
  internal: string,
  notes: string[],
  { forwardPath }: PlanOptions,
): Pick<PlannedLink, 'own' | 'rules' | 'aliases'> {
  const cell = cellsOf(values);
  const added: OwnSettings = { ...(forwardPath && { forwardPath }) };
  if (!format.isOwn) {
    const isFalse = (name: string) => flagOf(cell(name)) === false;
    const kept = cutTo(notesLength, 'note', internal, notes);
    const own = {
      ...(kept !== undefined && { notes: kept }),
      ...format.settings?.of(settingsOf(values), isFalse, notes),
      ...added,
    };
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
