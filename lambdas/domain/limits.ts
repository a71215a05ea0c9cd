// Every limit that a caller can meet, each in one place. The endpoints, the store, the stacks, openapi.json and the import from other services
// take theirs from here; docs/api.md lists them. Lengths of texts are in characters, unless it says otherwise.

/** At most `quota` requests in any `windowSeconds`. */
export type RateLimit = { readonly quota: number; readonly windowSeconds: number };

/** Bulk requests of a workspace. The table counts them exactly, the gateway's usage plan as best it can. */
export const bulkRequests: RateLimit = { quota: 3, windowSeconds: 60 };

/** Links that a bulk request may carry; a stage may allow fewer. */
export const linksPerRequest = 1_000;

/** How many bytes the answer to an import may have: Lambda takes 6 MB (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html). */
export const bytesPerAnswer = 5_000_000;

/** Links on a page of a list. */
export const linksPerPage = { most: 100, unlessAsked: 50 };

/** Tags of a workspace, so that their list fits into one answer. */
export const tagsPerWorkspace = 5_000;

/** Domains and claims of a workspace. */
export const domainsPerWorkspace = 100;

/** Destinations that a workspace may have looked up in an hour of the clock, for whether they allow frames. */
export const framingLookUpsPerHour = 1_000;

export const tagsPerLink = 20;
export const webhooksPerLink = 5;

/** Of a URL, as it is sent and as it is stored. */
export const urlLength = 2_048;
export const titleLength = 256;
export const descriptionLength = 1_024;
export const passwordLength = 128;
export const searchLength = 256;
export const tagNameLength = 64;
