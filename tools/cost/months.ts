import { recordDays } from '../../lambdas/store/clicks/clicks.ts';
import { type Price, prices } from './prices.ts';
import { type Plan, rivals } from './rivals.ts';

/** The bytes that a link takes, with its counter and an entry of the history, and a click. */
type Stored = { readonly link: number; readonly click: number };

/** A team's new links and clicks in a month. */
type Team = { readonly links: number; readonly clicks: number };

const teams: readonly Team[] = [
  { links: 1_000, clicks: 100_000 },
  { links: 20_000, clicks: 2_000_000 },
  { links: 1_000_000, clicks: 500_000_000 },
];

const days = 30;
/** From this rate on, a batch of the stream, which collects for a second, has several clicks. */
const clicksASecondOfBatches = 1;
/** An assumption: how many bytes leave AWS for a redirect, protocol overhead included. */
const bytesPerRedirect = 1_000;

/** The cost of a million operations, by the name of their row: in total, and of the table alone. */
export type Costs = (name: string) => { readonly cost: number; readonly table: number };

const of = (many: number, { usd, per }: Price): number => (many * usd) / per;

type Line = { readonly name: string; readonly usd: (team: Team) => number };

function linesOf(costs: Costs, stored: Stored, idle: number): readonly Line[] {
  const each = (name: string) => costs(name).cost / 1e6;
  const batch = 'Count 1,000 clicks on 100 links';
  const storage = (bytes: number) => of(bytes / 1e9, prices.storedGigabyte) + of(bytes / 1e9, prices.recoverableGigabyte);
  return [
    {
      name: 'making the links, 1,000 at a time, and their history',
      usd: ({ links }) => (links / 1_000) * each('Import 1,000 links') + (links / 50) * each('… and record changes of 50 links'),
    },
    { name: 'redirecting visitors', usd: ({ clicks }) => clicks * each('Redirect a visitor, and record the click') },
    {
      name: 'counting their clicks',
      usd: ({ clicks }) => {
        const alone = each('Count one click on one link');
        const seconds = days * 86_400;
        if (clicks / seconds < clicksASecondOfBatches) return clicks * alone;
        // There is a batch every second, and each of its clicks is assumed to be on another link.
        const { cost, table } = costs(batch);
        return (seconds * (cost - table)) / 1e6 + (clicks * table) / 1e6 / 100;
      },
    },
    {
      name: 'moving their rows into files, 1,000 at a time',
      usd: ({ clicks }) => (clicks / 1_000) * each('Move 1,000 clicks into a file'),
    },
    {
      name: 'storing all that, recoverable, at the end of the month',
      usd: ({ links, clicks }) => storage(links * stored.link + clicks * stored.click * (recordDays / days)),
    },
    { name: 'what leaves AWS', usd: ({ clicks }) => of((clicks * bytesPerRedirect) / 1e9, prices.sentGigabyte) },
    { name: 'schedules, and polling the queue of clicks', usd: () => idle },
  ];
}

/** The cheapest plan that allows what the team does; undefined if no listed plan does. */
const planFor = (plans: readonly Plan[], { links, clicks }: Team): Plan | undefined =>
  plans.find(
    ({ newLinks, keptLinks, clicks: most }) =>
      links <= Math.min(newLinks ?? Number.POSITIVE_INFINITY, keptLinks ?? Number.POSITIVE_INFINITY) &&
      clicks <= (most ?? Number.POSITIVE_INFINITY),
  );

const dollars = (usd: number): string =>
  usd < 0.005
    ? 'below $0.01'
    : `$${usd.toLocaleString('en-US', usd < 100 ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { maximumFractionDigits: 0 })}`;

const planCell = (plan: Plan | undefined): string => (plan ? `${plan.name}: $${plan.usd}` : 'by negotiation');

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/**
 * The section that compares a month of three teams with the list prices of hosted services.
 *
 * @param idle the monthly cost of schedules and polling.
 * @param watched the monthly cost of alarms and a dashboard: fixed, and for each visit.
 */
export function monthsSection(
  costs: Costs,
  stored: Stored,
  idle: number,
  watched: { readonly always: number; readonly perVisit: number },
): string {
  const lines = linesOf(costs, stored, idle);
  const total = (team: Team) => lines.reduce((sum, { usd }) => sum + usd(team), 0);
  const lineRow = ({ name, usd }: Line) => row(name, ...teams.map((team) => dollars(usd(team))));
  return `## A month of three teams

With the settings of \`prod\`. The last rows are [list prices](cost/prices.csv) of hosted services.

| | ${teams.map(({ links, clicks }) => `${links.toLocaleString('en-US')} links, ${clicks.toLocaleString('en-US')} clicks`).join(' | ')} |
|---|--:|--:|--:|
${lines.map(lineRow).join('\n')}
${row('**together**', ...teams.map((team) => `**${dollars(total(team))}**`))}
${row('together, with alarms and a dashboard', ...teams.map((team) => dollars(total(team) + watched.always + team.clicks * watched.perVisit)))}
${rivals.map(({ name, plans }) => row(name, ...teams.map((team) => planCell(planFor(plans, team))))).join('\n')}

- All links are made in this month, which is the most expensive case. Each has ${stored.link.toLocaleString('en-US')} bytes with its history, a click ${stored.click}
  until it [expires](privacy.md#what-is-stored), and a redirect ${bytesPerRedirect.toLocaleString('en-US')}, an assumption.
- Below one click a second, each is counted alone. Above, each second has a batch of clicks on different links. Bursts on
  few links cost [far less](#what-a-million-of-each-costs).
- Large numbers cost less: everything is at the first tier of its price.
- Each is the cheapest plan with enough links and clicks and your own domain, billed monthly, and includes its operation. With very
  many clicks, Short.io's list price is lower than this service's.
`;
}
