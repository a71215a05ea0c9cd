import { canonicalHost, isDomainName } from '../host/host.ts';
import { acceptedLanguages, primarySubtag } from '../visitor/language.ts';
import { type Agent, browserOf, deviceOf, osOf } from '../visitor/user-agent.ts';
import { type Dimension, none, type sources, unknown } from './click.ts';

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
  readonly source: (typeof sources)[number];
};

/**
 * What a click records about its visitor: a few values of closed or bounded lists, and nothing that identifies anybody.
 *
 * @param country ISO 3166-1 alpha-2, in upper case.
 * @param variant the id of the link's variant that the visitor got; undefined if there was none.
 */
export const dimensionsOf = (arrival: Arrival, country: string | undefined, variant?: string): Record<Dimension, string> => ({
  country: country ?? unknown,
  referrer: referrerOf(arrival),
  device: deviceOf(arrival.agent) ?? unknown,
  browser: browserOf(arrival.agent) ?? unknown,
  os: osOf(arrival.agent) ?? unknown,
  language: acceptedLanguages(arrival.languages).map(primarySubtag)[0] ?? unknown,
  source: arrival.source,
  variant: variant ?? none,
});

/**
 * The host of the page that the visitor came from, without `www.`; `direct` if there was none. It is unknown if it is
 * an IP address or has only one label, because that may name somebody's own network, and if it is the short domain
 * itself, whose password form and preview come between the page and the click.
 */
function referrerOf({ referrer, host }: Arrival): string {
  if (!referrer) return 'direct';
  const name = canonicalHost(URL.parse(referrer)?.hostname.toLowerCase() ?? '');
  const short = name.startsWith('www.') ? name.slice('www.'.length) : name;
  return isDomainName(short) && name !== host ? short : unknown;
}
