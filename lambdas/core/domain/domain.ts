import { canonicalHost } from '../host/host.ts';
import { byCodeUnits, type ListOrder } from '../list-order.ts';

/** The states of a domain, in order. In the first one, it is only claimed. */
export const domainStatuses = ['PENDING_OWNERSHIP', 'PENDING_DNS', 'ACTIVE'] as const;
export type DomainStatus = (typeof domainStatuses)[number];

/** What a workspace can set for a domain, by the names of the API. */
export type DomainSettings = Fallbacks &
  AppLinks & {
    /** Anyone may fetch the QR codes of its links. */
    readonly publicQr: boolean;
    /** Search engines may list its short links. */
    readonly allowIndexing: boolean;
    /** The accent colour of its pages, as in `#1a2b3c`; null for the service's own. */
    readonly accentColor: string | null;
    /** Where its logo was fetched from. The logo itself is a file of the domain. */
    readonly logoUrl: string | null;
  };

/**
 * Where visitors who would otherwise get an error are sent; null for nowhere. The URLs are checked like destinations.
 */
export type Fallbacks = {
  /** For `/`. */
  readonly rootUrl: string | null;
  /** For a slug that no link has, and for a path that cannot be a link's. */
  readonly notFoundUrl: string | null;
  /** For a link that has expired or is used up. */
  readonly expiredUrl: string | null;
};

/** The files that associate a domain with apps. A domain knows only their digests; null if it has none. */
export type AppLinks = { readonly appleAppSiteAssociation: string | null; readonly assetLinks: string | null };

/** Where the files for apps are served. */
export const appLinkPaths: ReadonlyMap<string, keyof AppLinks> = new Map([
  // https://developer.apple.com/documentation/xcode/supporting-associated-domains
  ['/.well-known/apple-app-site-association', 'appleAppSiteAssociation'],
  // https://developers.google.com/digital-asset-links/v1/create-statement
  ['/.well-known/assetlinks.json', 'assetLinks'],
]);

/** The files of a domain, which are stored beside it. */
export type DomainFile = keyof AppLinks | 'logo';
export const domainFiles: readonly DomainFile[] = ['appleAppSiteAssociation', 'assetLinks', 'logo'];

/** The settings of a new domain. */
export const domainDefaults: DomainSettings = {
  rootUrl: null,
  notFoundUrl: null,
  expiredUrl: null,
  publicQr: false,
  allowIndexing: false,
  accentColor: null,
  logoUrl: null,
  appleAppSiteAssociation: null,
  assetLinks: null,
};

/** A domain whose ownership is proven. */
export type Domain = DomainSettings & {
  readonly host: string;
  /** New for each proof of ownership. */
  readonly domainId: string;
  readonly workspaceId: string;
  readonly status: Exclude<DomainStatus, 'PENDING_OWNERSHIP'>;
  readonly createdAt: string;
  /** When its ownership was proven. */
  readonly verifiedAt: string;
  /** The token in its TXT record; null if the operator vouched for the ownership. */
  readonly token: string | null;
  /** An unfinished deletion. */
  readonly deletion?: DomainDeletion;
  /**
   * Whether webhooks of the workspace need clicks. It follows the webhooks; see `lambdas/store/webhooks/interest.ts`.
   */
  readonly wantsClicks: boolean;
  /** The version of the webhooks from which `wantsClicks` was set. */
  readonly hooksVersion: number;
  /** How often its settings have been changed. */
  readonly revision: number;
};

/**
 * How far a deletion has searched the workspace's links, newest first, for one on the domain. Until it ends, no link
 * can be created on the domain.
 */
export type DomainDeletion = {
  readonly id: string;
  /** The position in the list where the last search ended. Absent if none has ended yet. */
  readonly before?: string;
};

/** A workspace's unproven claim to a domain. It reserves nothing. */
export type Claim = {
  readonly host: string;
  readonly status: 'PENDING_OWNERSHIP';
  readonly createdAt: string;
  readonly verifiedAt: null;
  readonly token: string;
  readonly lastCheck: LastCheck | null;
};

/** A domain or claim with what its last check saw. */
export type CheckedDomain = (Domain & { readonly lastCheck: LastCheck | null }) | Claim;

/** By name. */
export const domainOrder: ListOrder<Pick<Domain | Claim, 'host'>> = { positionOf: ({ host }) => host, compare: byCodeUnits };

/** How long a claim lasts unless it is proven, in milliseconds. */
export const claimedMs = 7 * 24 * 60 * 60 * 1_000;

/** When a claim expires, in milliseconds of Unix time. */
export const claimEnds = ({ createdAt }: Pick<Claim, 'createdAt'>): number => Date.parse(createdAt) + claimedMs;

/** A record that a domain's owner has to set in the DNS. */
export type DnsRecord = { readonly type: 'TXT' | 'CNAME'; readonly name: string; readonly value: string };

/**
 * The record that proves ownership. It has its own name, because a CNAME allows no other records beside it (RFC 1034,
 * 3.6.2).
 */
export const ownershipRecord = (host: string, token: string): DnsRecord => ({
  type: 'TXT',
  name: `_links.${host}`,
  value: `links-verification=${token}`,
});

/**
 * The record that directs visitors here. At a zone apex, which cannot have a CNAME, an alias or the target's addresses
 * work too.
 */
export const targetRecord = (host: string, target: string): DnsRecord => ({ type: 'CNAME', name: host, value: target });

/** The result of a DNS lookup: the values, or the error code if there was no answer. */
export type Seen = { readonly values: readonly string[] } | { readonly failure: string };

/** Why a check failed; undefined if it passed. */
export type CheckFailure = { readonly code: string; readonly message: string } | undefined;

/** A check of a DNS record: what was expected, and what was found. */
export type Check = { readonly failure: CheckFailure; readonly wanted: DnsRecord; readonly seen: Seen };

/** What the last check of a domain saw. */
export type LastCheck = {
  readonly at: string;
  readonly wanted: DnsRecord;
  /** The values in printable ASCII, shortened; null if the DNS did not answer. */
  readonly seen: readonly string[] | null;
};

/** A check as it is stored. The found values are bounded, because strangers control them. @param at in ISO 8601 */
export const toLastCheck = ({ wanted, seen }: Check, at: string): LastCheck => ({
  at,
  wanted,
  seen: 'failure' in seen ? null : seen.values.slice(0, mostKept).map(printable),
});
const mostKept = 5;

/**
 * Checks that the TXT record exists, at the name itself. A CNAME at that name, its own or a wildcard's, fails: with it,
 * whoever controls the records of its target could prove the domain.
 */
export function checkOwnership(wanted: DnsRecord, alias: Seen, texts: Seen): Check {
  const { name, value } = wanted;
  const because = (seen: Seen, message: string): Check => {
    return { failure: { code: 'ownership_not_proven', message: `${message}; ${describe(seen)}` }, wanted, seen };
  };
  if ('values' in alias && alias.values.length > 0) {
    return because(alias, `the name ${name} must have the TXT record "${value}" itself, not a CNAME`);
  }
  const isThere = 'values' in texts && texts.values.includes(value);
  if (isThere && 'values' in alias) return { failure: undefined, wanted, seen: texts };
  return because(isThere ? alias : texts, `the TXT record ${name} must be "${value}"`);
}

/** Checks that the domain leads here: its CNAME names the target, or it has addresses and all are the target's. */
export function checkTarget(wanted: DnsRecord, cname: Seen, addresses: Seen, ofTarget: Seen): Check {
  const { name, value } = wanted;
  const isNamed = 'values' in cname && cname.values.some((one) => canonicalHost(one.toLowerCase()) === value);
  if (isNamed) return { failure: undefined, wanted, seen: cname };
  if ('values' in addresses && 'values' in ofTarget && addresses.values.length > 0) {
    if (addresses.values.every((address) => ofTarget.values.includes(address)))
      return { failure: undefined, wanted, seen: addresses };
  }
  const seen = 'values' in cname && cname.values.length === 0 ? addresses : cname;
  const message = `the CNAME record ${name} must be ${value}; ${describe(seen)}`;
  return { failure: { code: 'dns_not_pointed', message }, wanted, seen };
}

const mostShown = 3;
const longestShown = 100;

/** A value, shortened, and stripped of characters that a terminal would act on. */
function printable(value: string): string {
  const text = value.toWellFormed().replace(/[^\x20-\x7e]/g, '?');
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

function describe(seen: Seen): string {
  if ('failure' in seen) return `the DNS did not answer (${seen.failure})`;
  if (seen.values.length === 0) return 'there is no such record';
  const shown = seen.values.slice(0, mostShown).map((value) => `"${printable(value)}"`);
  const more = seen.values.length - shown.length;
  return `found ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
