import { count, counted } from '../parts/time.ts';
import type { Me } from '../service/types.ts';

type Limits = Me['limits'];
type InWindow = Limits['bulkRequests'];

export type Used = {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
  /** For limits within a time: how long the window is, and when there is more. */
  readonly when: string;
  /** Whether little or nothing is left; `none` if enough is left. */
  readonly level: 'none' | 'near' | 'full';
  /** The level in a word or two; empty if enough is left. */
  readonly word: string;
  /** What that means; empty if enough is left. */
  readonly advice: string;
};

/** From this share on, little is left. */
const nearShare = 0.8;

const levelOf = (used: number, limit: number): Used['level'] =>
  used >= limit ? 'full' : used >= limit * nearShare ? 'near' : 'none';

const leftText = (used: number, limit: number): string => `${count(limit - used)} left.`;

const windowText = ({ windowSeconds, resetSeconds }: InWindow): string => {
  const each = windowSeconds === 60 ? 'per minute' : windowSeconds === 3_600 ? 'per hour' : `every ${windowSeconds} s`;
  return resetSeconds > 0 ? `${each}; more in ${resetSeconds} s` : each;
};

/** A limit on the number of things. @param ended the verb for making room */
function ofThings(name: string, { limit, remaining }: Limits['tags'], ended: string): Used {
  const used = limit - remaining;
  const level = levelOf(used, limit);
  const word = { none: '', near: 'Nearly used up', full: 'Limit reached' }[level];
  const advice = { none: '', near: leftText(used, limit), full: `No more can be added until you ${ended} one.` }[level];
  return { name, used, limit, when: '', level, word, advice };
}

/** A limit on requests within a time. */
function ofRequests(name: string, left: InWindow): Used {
  const { limit, remaining } = left;
  const used = limit - remaining;
  const level = levelOf(used, limit);
  const word = { none: '', near: 'Nearly used up', full: 'Limit reached' }[level];
  const advice = { none: '', near: leftText(used, limit), full: 'Further requests wait until then.' }[level];
  return { name, used, limit, when: windowText(left), level, word, advice };
}

/** The limits that a workspace can use up, with how much is used. */
export const usedLimits = (limits: Limits): Used[] => [
  ofThings('Tags', limits.tags, 'delete'),
  ofThings('Templates', limits.templates, 'delete'),
  ofThings('Domains', limits.domains, 'delete'),
  ofThings('Webhooks', limits.webhooks, 'delete'),
  ofThings('API keys', limits.keys, 'revoke'),
  ofRequests('Import requests', limits.bulkRequests),
  ofRequests('Bulk changes and deletions', limits.bulkChanges),
  ofRequests('Page title lookups', limits.metadataRequests),
  ofRequests('Page checks for cloaked links', limits.framingLookUps),
];

/** In how many seconds one of the limits within a time has more; undefined if none is used. */
export function nextSeconds({ bulkRequests, bulkChanges, metadataRequests, framingLookUps }: Limits): number | undefined {
  const soon = [bulkRequests, bulkChanges, metadataRequests, framingLookUps]
    .map(({ resetSeconds }) => resetSeconds)
    .filter((seconds) => seconds > 0);
  return soon.length > 0 ? Math.min(...soon) : undefined;
}

/** Limits of each request, link or webhook. */
export const fixedLimits = (limits: Limits): readonly (readonly [string, string])[] => [
  ['Requests per second', `${count(limits.requestsPerSecond)}, and up to ${count(limits.requestBurst)} at once`],
  ['Links in one import request', count(limits.linksPerBulkRequest)],
  [
    'A link can have',
    `${counted(limits.tagsPerLink, 'tag')}, ${counted(limits.aliasesPerLink, 'former address', 'former addresses')}, ${counted(limits.rulesPerLink, 'rule')}, ${counted(limits.variantsPerLink, 'variant')}, ${counted(limits.webhookUrlsPerLink, 'webhook')}`,
  ],
  ['Click records are kept', counted(limits.clickDays, 'day')],
  ['Changes are kept in the history', limits.historyDays === 0 ? 'No' : counted(limits.historyDays, 'day')],
];
