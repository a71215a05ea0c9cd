import type { SettingsInput } from '../../lib/stages/settings.ts';
import { backupDays } from '../../lib/tables.ts';
import { type Price, prices } from './prices.ts';

const fixed = ({ usd }: Price): string => `$${usd.toFixed(2)}`;
/** The price of a million lines with so many bytes. */
const lines = (bytes: number): string => `$${((bytes / 1e3) * prices.loggedGigabyte.usd).toFixed(2)} a million`;

/** The monthly cost of alarms and a dashboard: fixed, and for each visit. */
export type Watching = { readonly alarms: number; readonly dashboard: number; readonly perVisit: number };

/** Assumptions: the bytes of the line that a visit logs if there is a dashboard, and of a line of an access log. */
const visitLine = 250;
const accessLine = 300;

/** The monthly cost of daily backups of a gigabyte. */
const aGigabyteOfBackups =
  (backupDays.here + backupDays.copies) * prices.backedUpGigabyte.usd + (365 / 12) * prices.copiedGigabyte.usd;

/** @param alarmedMetrics the number of metrics of the alarms, without those for certificates. */
export const watching = (alarmedMetrics: number, dashboardMetrics: number): Watching => ({
  alarms: alarmedMetrics * prices.alarm.usd + prices.compositeAlarm.usd,
  dashboard: prices.dashboard.usd + dashboardMetrics * prices.metric.usd,
  perVisit: (visitLine / 1e9) * prices.loggedGigabyte.usd,
});

/** What each setting of a stage costs, or '' if it costs nothing. */
const settings = ({ alarms, dashboard }: Watching): Record<keyof SettingsInput, string> => ({
  keepData: '[recovery](#what-it-costs-when-nobody-calls) of links',
  backUpActivity: 'the same of clicks and counts',
  backupRegion: `$${aGigabyteOfBackups.toFixed(2)} a month for each gigabyte that is backed up, at ${fixed(prices.backedUpGigabyte)} for each kept backup and ${fixed(prices.copiedGigabyte)} for each copy made. We found no price for files of clicks`,
  restoredTables:
    "storage of the stage's own tables beside the restored ones, and [each gigabyte that is restored](https://aws.amazon.com/backup/pricing/); we found no price",
  partitionConditions: '',
  maxLinksPerImport: '',
  shortUrlOrigin: '',
  shortDomains: `${fixed(prices.alarm)} a month for each certificate, if the stage has alarms; [certificates are free](https://aws.amazon.com/certificate-manager/faqs/). A zone (\`hostedZoneId\`) costs ${fixed(prices.hostedZone)} a month, and at most ${fixed(prices.dnsQuery)} for a million queries. [Names](https://aws.amazon.com/api-gateway/pricing/) are free`,
  apiDomain: 'the same',
  keepAwsEndpoints: '',
  domainTarget: '',
  domainActivation: '',
  managedDomains:
    'a function [looks](api/domains.md#a-certificate-for-each-domain) at domains: about a cent a month, its time, and its alarms',
  requestRate: '',
  requestBurst: '',
  clickDays: 'storage in S3: some 35 MB for a million clicks, and a third of it once their files are merged',
  uniqueClicks: '`daily`: less than a cent a month, for secrets that functions read and a schedule writes',
  linkReports: 'four write units for the first report of a link on a day, three for others, and its alarm',
  webhookRate: '',
  webhookSenders: '',
  docs: 'requests to the API, and what leaves AWS, with [a limit](deploy.md#outer-limits)',
  mcp: '[each call of a tool](#what-a-million-of-each-costs)',
  console: 'the same as `docs`',
  signIn:
    'two requests for each sign-in, and four an hour for each open console, 76 while somebody sees it. And [the secret](aws.md#kms-secrets-manager-and-parameter-store)',
  historyDays: '[each change](#what-costs-more), and storage; 0 saves both',
  countryFrom: 'nothing with files; a network has prices of its own',
  warmThroughput:
    '[once for what is raised](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html); we found no price',
  tracing: '[traces](#what-would-change-these-figures); `off` saves them',
  alarmEmail: `$${alarms.toFixed(2)} a month for all alarms. Metrics of log lines cost ${fixed(prices.metric)} a month each, only for hours with such lines`,
  alarmTopicArn: 'the same; both together cost it once',
  rollout: 'we found no price of CodeDeploy for functions',
  stageThrottle: '',
  webAcl: `$${(prices.webAcl.usd + 3 * prices.webAclRule.usd).toFixed(2)} a month, with its three rules, and ${fixed(prices.webAclRequest)} a million requests to the API`,
  monthlyBudget: '',
  dashboard: `up to $${dashboard.toFixed(2)} a month, ${fixed(prices.dashboard)} of it for the dashboard itself, and ${lines(visitLine)} visits for their lines`,
  accessLogs: `${lines(accessLine)} requests and visits`,
  logRetentionDays: `${fixed(prices.storedLogGigabyte)} a month for each gigabyte that is kept, mostly [Lambda's own lines](#what-would-change-these-figures)`,
  reservedConcurrency: '',
});

/** The section that says what each setting of a stage costs. */
export function settingsSection(prices: Watching): string {
  return `## What each setting costs

Of the [settings of a stage](deploy.md#stages), these cost something, and the others nothing. At their defaults, only
[storage](#what-it-costs-when-nobody-calls) is paid by the month.

| setting | costs |
|---|---|
${Object.entries(settings(prices))
  .filter(([, price]) => price)
  .map(([name, price]) => `| \`${name}\` | ${price} |`)
  .join('\n')}
`;
}
