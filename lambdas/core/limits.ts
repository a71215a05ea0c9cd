// The limits that a user of the API can meet. The endpoints, the store, the stacks, openapi.json, the import from other
// services and the table in docs/api/README.md all read them here; test/limits.test.ts fails if their numbers are
// repeated elsewhere. Text lengths are in characters unless stated otherwise.
//
// Other files have: rates of other requests, which are stage settings (lib/stages/settings.ts); password attempts,
// whose limits depend on each other (visit/password-guesses.ts); the sizes of QR codes (qr/qr-code.ts); the points of a
// series (click/statistics.ts); how much a page of a list reads (store/links/list.ts); and bounds on the service's own
// work, such as batches and timeouts, beside that work.

/** At most `quota` requests in any `windowSeconds`. */
export type RateLimit = { readonly quota: number; readonly windowSeconds: number };

/**
 * Limits of a workspace that the table enforces exactly, and the gateway's usage plan on a best-effort basis: imports;
 * bulk updates and deletions together; and requests for the metadata of pages. A quota is at most 50, because an update
 * names each slot several times, and an expression has at most 4 kB
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html). All have the same window,
 * because the gateway has one response for all of them, with one `Retry-After`.
 */
export const bulkRequests: RateLimit = { quota: 3, windowSeconds: 60 };
export const bulkChanges: RateLimit = { quota: 30, windowSeconds: 60 };
export const metadataRequests: RateLimit = { quota: 30, windowSeconds: 60 };

/**
 * How many imports per minute the operator may temporarily allow a workspace, and for how many days at most. Each link
 * writes an entry to the workspace's list. That is one partition of the index, which takes 1,000 writes a second: 60
 * imports of 1,000 links a minute.
 */
export const liftedImports = { perMinute: 50, days: 7 };

/** Sessions of a person. Beyond this, the oldest ends when a new one begins. */
export const signInsPerPerson = 50;

/** How often people may begin to sign in from one address, and how often they may finish. */
export const signInAttempts: RateLimit = { quota: 30, windowSeconds: 60 };

/** How often links may be reported from one address, per domain whose page is used. */
export const linkReports: RateLimit = { quota: 10, windowSeconds: 3_600 };

/** Visitors' reports of a link that are kept per day (UTC). Together they are one report for the operator. */
export const reportsPerLink = 20;
/**
 * Links of a domain that visitors may report per day (UTC). So a flood on one domain doesn't affect the others, and
 * adds at most this many items of at most some 50 kB.
 */
export const reportedLinksPerDay = 200;

/** A limit, and how much of it is left. */
type Left = { readonly limit: number; readonly remaining: number };
type LeftInWindow = Left & { readonly windowSeconds: number; readonly resetSeconds: number };

/** What is left of a workspace's limits. `resetSeconds`: in how many seconds more is left; 0 if nothing is used. */
export type WorkspaceLimits = {
  readonly bulkRequests: LeftInWindow;
  readonly bulkChanges: LeftInWindow;
  readonly metadataRequests: LeftInWindow;
  readonly framingLookUps: LeftInWindow;
  readonly tags: Left;
  readonly templates: Left;
  readonly domains: Left;
  readonly webhooks: Left;
  readonly keys: Left;
};

/** Different passwords in an import: each takes some 80 ms to hash. */
export const passwordsPerImport = 100;
/** Different hosts in an import: each is looked up among the short domains. */
export const hostsPerImport = 2_000;

/** Links in one bulk request; a stage may allow fewer. */
export const linksPerRequest = 1_000;

/**
 * The largest response to an import, in bytes. Lambda allows 6 MB
 * (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html).
 */
export const bytesPerResponse = 5_000_000;

/**
 * The largest recorded result of an import, in bytes. DynamoDB allows an item 400 kB
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html).
 */
export const bytesPerResult = 390_000;

/** Links on a page of a list. */
export const linksPerPage = { most: 100, unlessAsked: 50 };

/**
 * What a question about clicks may read: bytes of files, which are about `clicksPerRequest` clicks once a month is
 * merged. With tags, also how many links may have them, and how many read units it may take to find those.
 */
export const readsPerRequest = { bytes: 400_000_000, links: 100_000, units: 10_000 };
/** About how many clicks a request for statistics or clicks may read. */
export const clicksPerRequest = 30_000_000;
/** Links with clicks in a list that is sorted by clicks. */
export const rankedLinks = 250_000;
/** Clicks on a page of a list. */
export const clicksPerPage = { most: 1_000, unlessAsked: 50 };
/** Values of each dimension that statistics name. */
export const valuesPerGroup = { most: 1_000, unlessAsked: 20 };
/** Points of a series. */
export const pointsPerSeries = 400;
/** Values of a filter of statistics. */
export const valuesPerFilter = 50;

/** Entries on a page of a list that is read as a whole: tags, templates, domains, webhooks, secrets, members. */
export const entriesPerPage = 1_000;

/** Tags of a workspace. Each page of their list reads all of them. */
export const tagsPerWorkspace = 5_000;

/** Templates of a workspace. The list reads all of them, and their tags. */
export const templatesPerWorkspace = 100;
/** The longest `expiresAfterDays` of a template: ten years. */
export const templateDays = 3_650;

/** Domains and claims of a workspace. */
export const domainsPerWorkspace = 100;

/**
 * Domains of a workspace for which the service makes a certificate and a name, on a stage with `managedDomains`. AWS
 * allows an account 120 names, unless it is asked for more: see `gatewayNames` (domain/certificate.ts).
 */
export const managedDomainsPerWorkspace = 30;

/**
 * How many certificates the service requests for a workspace. AWS allows an account 5,000 a year
 * (https://docs.aws.amazon.com/acm/latest/userguide/acm-limits.html), and counts those that were deleted.
 */
export const certificateRequests: RateLimit = { quota: 50, windowSeconds: 2_592_000 };

/** How many destinations of a workspace the service asks per clock hour whether they allow framing. */
export const framingLookUpsPerHour = 1_000;

/** Webhooks of a workspace. Each event is compared with all of them. */
export const webhooksPerWorkspace = 20;

/** API keys of a workspace that are neither revoked nor replaced. */
export const keysPerWorkspace = 200;

/** How long an API key of a sign-in is valid, in seconds. The console then fetches another one. */
export const signInKeySeconds = 900;

/** Members of a workspace, including invited ones. */
export const membersPerWorkspace = 500;

/** How many days an invitation can be accepted. */
export const invitationDays = 7;

/** The length of an email address (RFC 5321, section 4.5.3.1.3, without the brackets). */
export const emailLength = 254;

/** How many days a revoked API key is still listed. */
export const revokedKeyDays = 30;

/** How many seconds a replaced API key stays valid. */
export const overlapSeconds = { most: 2_592_000, unlessAsked: 86_400 };

/** How far ahead an API key's expiry may be if it is given in seconds: ten years. */
export const expiresInSeconds = 315_576_000;

/** The length of an API key's name. */
export const keyNameLength = 256;

/** Secrets of a webhook, or of links' webhooks, that are valid at once: each call has a signature for each. */
export const secretsAtOnce = 5;

/** Rules and variants of a link. */
export const rulesPerLink = 20;
export const variantsPerLink = { least: 2, most: 10 };
/** All rules and variants of a link together, as JSON: each visit reads them. */
export const routingBytes = 8_000;
/**
 * Values of a condition, such as its countries, duplicates included. It bounds the work on refused requests.
 */
export const valuesPerCondition = 1_000;
/** Query parameters that a rule compares, and the length of their names and values. */
export const parametersPerRule = 10;
export const parameterLength = 256;
/** The weight of a variant, in proportion to the others. */
export const mostWeight = 1_000;

export const tagsPerLink = 20;
export const aliasesPerLink = 10;
export const webhooksPerLink = 5;

/**
 * The length of a link's destination, both as sent and as stored. With room for a visitor's parameters, it fits into
 * the header of a redirect: see `longestLocation` (visit/visit.ts).
 */
export const destinationLength = 8_000;
/** The length of every other URL, both as sent and as stored. */
export const urlLength = 2_048;
/** The size of each file that associates a domain with apps, as compact JSON in bytes. Apple reads 128 kB. */
export const appLinksLength = 65_536;
/** How much of a page is read for metadata, in bytes. */
export const metadataBytes = 524_288;
/** The size of a domain's logo, in bytes. */
export const logoLength = 65_536;
/** The length of a custom slug. Generated slugs are shorter. */
export const slugLength = 190;
/** The most parts, separated by slashes, of a slug with `forwardPath`. Each visit looks up all of them. */
export const partsBeforePath = 4;
export const titleLength = 256;
export const descriptionLength = 1_024;
export const notesLength = 1_000;
/** The length of the note in a visitor's report. */
export const reportNoteLength = 500;
export const passwordLength = 128;
/** The length of a text to search for, which may be a URL. */
export const searchLength = 2_048;
export const externalIdLength = 255;
/** The length of the owner in `managedBy`. */
export const ownerLength = 64;
/** The length of a variant's id. */
export const variantIdLength = 32;
/** The length of a Meta pixel's id, and of a Google tag's after `G-`. */
export const pixelIdLength = 32;
export const idempotencyKeyLength = 255;
/** The length of a key's name in the history. Each changed item stores it. */
export const actorNameLength = 64;
/** The newest attempts that a delivery shows. */
export const attemptsPerDelivery = 20;
export const tagNameLength = 64;
export const templateNameLength = 64;
