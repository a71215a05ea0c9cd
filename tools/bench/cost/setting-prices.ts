import type { SettingsInput } from '../../../lib/stages/settings.ts';
import { backupDays } from '../../../lib/tables.ts';
import { type Price, prices } from './prices.ts';

const fixed = ({ usd }: Price): string => `$${usd.toFixed(2)}`;
/** The price of a million lines with so many bytes. */
const lines = (bytes: number): string => `$${((bytes / 1e3) * prices.loggedGigabyte.usd).toFixed(2)} a million`;

/** What alarms and a dashboard cost in a month: in any case, and for each visit. */
export type Watching = { readonly alarms: number; readonly dashboard: number; readonly perVisit: number };

/** Assumptions: the bytes of the line that a visit logs if there is a dashboard, and of a line of an access log. */
const visitLine = 250;
const accessLine = 300;

/** What daily backups of a gigabyte cost a month. */
const aGigabyteOfBackups =
  (backupDays.here + backupDays.copies) * prices.backedUpGigabyte.usd + (365 / 12) * prices.copiedGigabyte.usd;

/** @param alarmedMetrics how many metrics the alarms look at, without those for certificates. */
export const watching = (alarmedMetrics: number, dashboardMetrics: number): Watching => ({
  alarms: alarmedMetrics * prices.alarm.usd + prices.compositeAlarm.usd,
  dashboard: prices.dashboard.usd + dashboardMetrics * prices.metric.usd,
  perVisit: (visitLine / 1e9) * prices.loggedGigabyte.usd,
});

/** What each setting of a stage costs, or '' if it costs nothing. */
const settings = ({ alarms, dashboard }: Watching): Record<keyof SettingsInput, string> => ({
  keepData: `${fixed(prices.recoverableGigabyte)} a month for each gigabyte of links`,
  backUpActivity: `${fixed(prices.recoverableGigabyte)} a month for each gigabyte of clicks and counts`,
  backupRegion: `$${aGigabyteOfBackups.toFixed(2)} a month for each gigabyte that is backed up: ${backupDays.here} backups here and ${backupDays.copies} copies, each a whole one, at ${fixed(prices.backedUpGigabyte)}, and a copy each day at ${fixed(prices.copiedGigabyte)}. Of the files of clicks, each night backs up only what is new; we found no source for the price`,
  restoredTables:
    "storage of the stage's own tables beside the restored ones. AWS also charges for each gigabyte that is restored (https://aws.amazon.com/backup/pricing/); we found no source for the price",
  partitionConditions: '',
  maxLinksPerImport: '',
  shortUrlOrigin: '',
  shortDomains: `${fixed(prices.alarm)} a month for each certificate, if the stage has alarms. With a \`hostedZoneId\`, the zone, which you may have anyway, ${fixed(prices.hostedZone)} a month, and at most ${fixed(prices.dnsQuery)} for a million queries. Certificates are free (https://aws.amazon.com/certificate-manager/faqs/). We found no price for custom domains`,
  apiDomain: 'the same',
  keepAwsEndpoints: '',
  domainTarget: '',
  domainActivation: '',
  managedDomains:
    'certificates are free (https://aws.amazon.com/certificate-manager/faqs/), and API Gateway charges for requests and what leaves AWS, not for names (https://aws.amazon.com/api-gateway/pricing/). A function runs each hour, and each minute while a domain is pending, at most three days for each state: 43,200 runs a month cost about a cent, and their time. We found no charge for calls of ACM and API Gateway. Its alarms cost $0.10 a month for each metric',
  requestRate: '',
  requestBurst: '',
  clickDays: 'storage in S3: some 35 MB for a million clicks, and a third of it once their month is merged',
  uniqueClicks:
    '`daily`: each function that serves visitors reads a secret once a day, and the schedule writes and deletes some, for less than a cent a month',
  linkReports:
    '[three writes](#calls-and-units-of-each-operation) for a report, and $0.10 a month for its alarm, which is in the sum of all alarms',
  webhookRate: '',
  webhookSenders: '',
  docs: 'requests to the API and what leaves AWS, if somebody opens the page, with [a limit](deploy.md#outer-limits)',
  mcp: 'nothing until a tool is called; then [two requests](#what-a-call-of-a-tool-costs) each',
  console: 'requests to the API and what leaves AWS, if somebody opens the page, with [a limit](deploy.md#outer-limits)',
  signIn:
    'per sign-in a request of `/sign-in` and one of its callback, with some dozen calls of the table; four requests an hour for each open console, and 72 more while somebody sees it. A secret of Secrets Manager is billed by the month; we found no source for the price',
  historyDays: '[two write units for each change](#calls-and-units-of-each-operation), and storage; 0 saves both',
  countryFrom: 'nothing with files. A network in front of the redirect has prices of its own',
  warmThroughput:
    'once for what is raised (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html); we found no source for the price',
  tracing: `$${prices.trace.usd.toFixed(2)} for a million traces; \`off\` saves that`,
  alarmEmail: `$${alarms.toFixed(2)} a month for all alarms. What is counted from log lines is ${fixed(prices.metric)} a month for each metric, only for the hours in which there were such lines. We found no price for the counts of what readers of streams poll`,
  alarmTopicArn: 'the same, once',
  rollout: 'we found no price of CodeDeploy for functions',
  stageThrottle: '',
  webAcl: `$${(prices.webAcl.usd + 3 * prices.webAclRule.usd).toFixed(2)} a month, with its three rules, and ${fixed(prices.webAclRequest)} a million requests to the API`,
  monthlyBudget: '',
  dashboard: `up to $${dashboard.toFixed(2)} a month, ${fixed(prices.dashboard)} of it for the dashboard itself, and ${lines(visitLine)} visits for their lines`,
  accessLogs: `${lines(accessLine)} requests and visits`,
  logRetentionDays: `${fixed(prices.storedLogGigabyte)} a month for each gigabyte that is kept, mostly [Lambda's own lines](#what-a-million-of-each-costs)`,
  reservedConcurrency: '',
});

/** Text in lines of at most 120 characters. */
const wrapped = (text: string): string => text.replaceAll(/(.{1,120})(?: |$)/g, '$1\n').trimEnd();

/** The section that says what each setting of a stage costs. */
export function settingsSection(prices: Watching): string {
  const all = Object.entries(settings(prices));
  const free = all.filter(([, price]) => !price).map(([name]) => `\`${name}\``);
  return `## What each setting costs

Of the [settings of a stage](deploy.md#stages), these cost something. By default, a stage has none of those that are paid by
the month, except recovery (\`keepData\`, \`backUpActivity\`).

| setting | costs |
|---|---|
${all
  .filter(([, price]) => price)
  .map(([name, price]) => `| \`${name}\` | ${price} |`)
  .join('\n')}

The others cost nothing:
${wrapped(`${free.slice(0, -1).join(', ')} and ${free.at(-1)}.`)}
`;
}
