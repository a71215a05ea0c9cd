import { type Dimension, unknown } from './click.ts';
import { canonicalHost, isDomainName } from './host.ts';
import { type Agent, browserOf, deviceOf, osOf } from './user-agent.ts';

/** What a visitor's headers say about the visitor, as sent, and how the link was reached. */
export type Arrival = {
  readonly agent: Agent;
  /** The host of the short link. */
  readonly host: string;
  /** `Referer`; undefined if there is none. */
  readonly referrer: string | undefined;
  /** `Accept-Language` */
  readonly languages: string;
  /** `qr` if the visitor scanned the link's code. */
  readonly source: 'link' | 'qr';
};

/**
 * What a click records about its visitor: a few values of closed or bounded lists, and nothing that identifies anybody.
 *
 * @param country ISO 3166-1 alpha-2, in upper case.
 */
export const dimensionsOf = (arrival: Arrival, country: string | undefined): Record<Dimension, string> => ({
  country: country ?? unknown,
  referrer: referrerOf(arrival),
  device: deviceOf(arrival.agent) ?? unknown,
  browser: browserOf(arrival.agent) ?? unknown,
  os: osOf(arrival.agent) ?? unknown,
  language: languageOf(arrival.languages) ?? unknown,
  source: arrival.source,
});

/**
 * The host of the page with the link, without `www.`; `direct` if the visitor came from no page. An address and a name of
 * one label are unknown, because they may be those of somebody's own network, and so is the short domain itself: its
 * password form and its preview stand between the page and the click.
 */
function referrerOf({ referrer, host }: Arrival): string {
  if (!referrer) return 'direct';
  const name = canonicalHost(URL.parse(referrer)?.hostname.toLowerCase() ?? '');
  const short = name.startsWith('www.') ? name.slice('www.'.length) : name;
  return isDomainName(short) && name !== host ? short : unknown;
}

/**
 * The primary subtag of the language that a visitor prefers (RFC 9110, section 12.5.4), such as `de` of `de-AT`;
 * undefined if there is none. What is malformed, or stands for any language, is passed over.
 */
function languageOf(languages: string): string | undefined {
  let best: { readonly language: string; readonly weight: number } | undefined;
  for (const range of languages.split(',')) {
    const [tag = '', q = 'q=1', ...more] = range.split(';').map((part) => part.trim());
    const [language = ''] = tag.split(/[-_]/);
    const weight = q.startsWith('q=') && more.length === 0 ? Number(q.slice(2)) : 0;
    const isBetter = weight > (best?.weight ?? 0) && weight <= 1;
    if (isBetter && /^[A-Za-z]{2,3}$/.test(language)) best = { language: language.toLowerCase(), weight };
  }
  return best?.language;
}
