import { addressOf } from '../../../lambdas/core/click/address.ts';
import type { Click } from '../../../lambdas/core/click/click.ts';
import { dimensionsOf } from '../../../lambdas/core/click/dimensions.ts';
import { newClick } from '../../../lambdas/core/click/new-click.ts';
import type { Link } from '../../../lambdas/core/link/link.ts';
import { visitorHash } from '../../../lambdas/core/visitor/visitor-hash.ts';
import { browsers, countries, referrers } from './content.ts';
import type { RandomNumbers } from './random.ts';

const dayMs = 24 * 60 * 60_000;

/** How busy each hour of a day is, in Central Europe. */
const hours = [1, 1, 0, 0, 0, 1, 3, 7, 10, 11, 12, 11, 12, 10, 9, 9, 10, 11, 13, 14, 14, 11, 7, 3];
/** How busy each day of a week is, from Sunday. */
const weekdays = [6, 12, 13, 13, 14, 11, 5];

/** A visitor, who comes back now and then on the same day. */
type Visitor = { readonly sourceIp: string; readonly userAgent: string; readonly country: string; readonly languages: string };

/**
 * Clicks of the last days: in the rhythm of weeks and days, many more on some links than on others, with visitors who
 * come back.
 *
 * @param links the clicked links, the most popular ones first.
 * @param now in milliseconds since 1970. Nothing is later.
 */
export function sampleClicks(
  links: readonly Link[],
  { count, days, now }: { readonly count: number; readonly days: number; readonly now: number },
  random: RandomNumbers,
): Click[] {
  const start = Math.floor(now / dayMs) * dayMs - (days - 1) * dayMs;
  const slots = Array.from({ length: days * 24 }, (_, hour) => {
    const at = start + hour * 60 * 60_000;
    const [growth, weekday] = [0.6 + (0.8 * hour) / (days * 24), new Date(at).getUTCDay()];
    return [at, growth * (weekdays[weekday] ?? 0) * (hours[hour % 24] ?? 0)] as const;
  }).filter(([at]) => at + 60 * 60_000 <= now);
  const ranked = links.map((link, rank) => [link, 1 / (rank + 3)] as const);
  const known = new Map<string, Visitor[]>();
  const secrets = new Map<string, string>();
  return Array.from({ length: count }, () => {
    const [hour] = random.weighted(slots, ([, weight]) => weight);
    const at = hour + random.below(60 * 60_000);
    const open = ranked.filter(([link]) => Date.parse(link.createdAt) < at);
    const [link] = random.weighted(open.length > 0 ? open : ranked, ([, weight]) => weight);
    const day = new Date(at).toISOString().slice(0, 10);
    const visitors = known.get(`${link.id} ${day}`) ?? [];
    known.set(`${link.id} ${day}`, visitors);
    const returning = visitors.length > 0 && random.next() < 0.5 ? random.one(visitors) : undefined;
    const visitor = returning ?? newVisitor(random);
    if (!returning) visitors.push(visitor);
    const isScanned = link.tagIds.length === 1 && random.next() < 0.2;
    const arrival = {
      agent: { userAgent: visitor.userAgent, brands: '', platform: '', mobile: '' },
      host: link.domain,
      referrer: isScanned ? undefined : random.weighted(referrers, ([, share]) => share)[0],
      languages: visitor.languages,
      source: isScanned ? 'qr' : 'link',
    } as const;
    const variant = link.variants.length > 0 ? random.one(link.variants).id : undefined;
    // Mail programs send no referrer.
    const query = isScanned || arrival.referrer !== undefined ? '' : 'utm_source=newsletter&utm_medium=email';
    const secret = secrets.get(day) ?? `${random.next()}`;
    secrets.set(day, secret);
    const who = { sourceIp: visitor.sourceIp, agent: { userAgent: visitor.userAgent } };
    const hash = visitorHash(secret, link.id, who);
    const address = addressOf({ slug: link.shortCode, query }, link);
    const recorded = { ...dimensionsOf(arrival, visitor.country, variant), ...address, visitor: hash };
    return newClick(link, at, recorded);
  });
}

function newVisitor(random: RandomNumbers): Visitor {
  const [country, , languages] = random.weighted(countries, ([, share]) => share);
  const [userAgent] = random.weighted(browsers, ([, share]) => share);
  // Addresses for documentation (RFC 5737), and not stored anywhere.
  return { sourceIp: `198.51.100.${random.below(255)}/${random.next()}`, userAgent, country, languages };
}
