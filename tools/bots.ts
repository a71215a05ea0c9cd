import crawlers from 'crawler-user-agents';
import browsers from 'top-user-agents';
import { programs, visitorOf } from '../lambdas/core/visitor/bots.ts';

// How well bots are recognized by their `User-Agent`: how many of two public lists are taken for bots.

const takenForBots = (userAgents: readonly string[]): number =>
  userAgents.filter((userAgent) => visitorOf(userAgent) !== 'person').length;

/** How many of each kind of user agents are taken for bots, as a table in Markdown. */
export function botsTable(): string {
  const listed = crawlers.flatMap(({ instances }) => instances);
  const kinds: [string, readonly string[]][] = [
    ['crawlers', listed],
    ['… without command lines and HTTP libraries', listed.filter((userAgent) => !programs.test(userAgent))],
    ['browsers', browsers],
  ];
  const rows = kinds.map(([kind, userAgents]) => {
    const found = takenForBots(userAgents);
    const share = ((100 * found) / userAgents.length).toFixed(1);
    return `| ${kind} | ${userAgents.length.toLocaleString('en-US')} | ${found.toLocaleString('en-US')} | ${share} % |`;
  });
  return ['| user agents | in the list | taken for bots | |', '|---|--:|--:|--:|', ...rows].join('\n');
}

if (import.meta.main) console.log(botsTable());
