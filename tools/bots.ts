import crawlers from 'crawler-user-agents';
import browsers from 'top-user-agents';
import { programs, visitorOf } from '../lambdas/core/visitor/visitor.ts';

// How well bots are told apart by their `User-Agent`: a table of precision and recall on two public lists.

const takenForBots = (userAgents: readonly string[]): number =>
  userAgents.filter((userAgent) => visitorOf(userAgent) !== 'person').length;

/** Precision and recall, and what they are computed from, as a table in Markdown. */
export function botsTable(): string {
  const listed = crawlers.flatMap(({ instances }) => instances);
  const bots = listed.filter((userAgent) => !programs.test(userAgent));
  const found = takenForBots(listed);
  const mistaken = takenForBots(browsers);
  const rows: [string, number | string][] = [
    ['crawlers in the list', listed.length],
    ['… that are command lines and HTTP libraries, which count as visitors', listed.length - bots.length],
    ['… that are taken for bots', found],
    ['browsers in the list', browsers.length],
    ['… that are taken for bots', mistaken],
    ['precision: how many of those taken for bots are crawlers', share(found, found + mistaken)],
    ['recall: how many of the crawlers are taken for bots', share(found, listed.length)],
    ['recall without command lines and HTTP libraries', share(takenForBots(bots), bots.length)],
  ];
  const lines = rows.map(([what, figure]) => `| ${what} | ${figure.toLocaleString('en-US')} |`);
  return ['| user agents | |', '|---|--:|', ...lines].join('\n');
}

const share = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

if (import.meta.main) console.log(botsTable());
