import { count, counted } from '../parts/time.ts';
import type { Me } from '../service/types.ts';

type Limits = Me['limits'];
type InWindow = Limits['bulkRequests'];

export type Used = {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
  /** For what is left over time: how long a window is, and when there is more. */
  readonly when: string;
};

const windowText = ({ windowSeconds, resetSeconds }: InWindow): string => {
  const each = windowSeconds === 60 ? 'each minute' : windowSeconds === 3_600 ? 'each hour' : `each ${windowSeconds} s`;
  return resetSeconds > 0 ? `${each}; more in ${resetSeconds} s` : each;
};

/** What is used of the limits that a workspace uses up. */
export const usedLimits = (limits: Limits): Used[] => [
  ...(
    [
      ['Tags', limits.tags],
      ['Domains', limits.domains],
      ['Webhooks', limits.webhooks],
      ['Keys', limits.keys],
    ] as const
  ).map(([name, { limit, remaining }]) => ({ name, used: limit - remaining, limit, when: '' })),
  ...(
    [
      ['Imports of links', limits.bulkRequests],
      ['Changes and deletions of many links', limits.bulkChanges],
      ['Look-ups of the titles of pages', limits.metadataRequests],
      ['Checks of pages that are shown under a short address', limits.framingLookUps],
    ] as const
  ).map(([name, left]) => ({ name, used: left.limit - left.remaining, limit: left.limit, when: windowText(left) })),
];

/** Limits of each request, link or webhook. */
export const fixedLimits = (limits: Limits): readonly (readonly [string, string])[] => [
  ['Requests a second', `${count(limits.requestsPerSecond)}, and up to ${count(limits.requestBurst)} at the same moment`],
  ['Links in one import request', count(limits.linksPerBulkRequest)],
  [
    'A link may have',
    `${counted(limits.tagsPerLink, 'tag')}, ${counted(limits.aliasesPerLink, 'former address', 'former addresses')}, ${counted(limits.rulesPerLink, 'rule')}, ${counted(limits.variantsPerLink, 'variant')}, ${counted(limits.webhookUrlsPerLink, 'webhook')}`,
  ],
  ['Records of clicks are kept', counted(limits.clickDays, 'day')],
  ['The history is kept', limits.historyDays === 0 ? 'not at all' : counted(limits.historyDays, 'day')],
];
