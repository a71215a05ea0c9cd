import { createHash } from 'node:crypto';
import { everyName, isServed } from '../lambdas/core/domain/served-names.ts';
import { parseDomainName } from '../lambdas/core/host/host.ts';
import { linksPerRequest } from '../lambdas/core/limits.ts';
import type { SignIn } from '../lambdas/core/sign-in/sign-in.ts';
import type { Cdn } from '../lambdas/core/visitor/country.ts';
import type { DataTable } from '../lambdas/store/table/tables.ts';

/**
 * What triggers a function: the gateway's authorizer, an endpoint, a visitor, or a table's stream and the schedules.
 */
export type FunctionKind = 'authorizer' | 'endpoint' | 'redirect' | 'event';

/** A name of yours for one of the gateways. */
export type CustomDomain = {
  /** Such as `go.example.com`; for short links also `*.go.example.com`, for all names with one more label. */
  readonly name: string;
  /** The ARN of an ACM certificate for that name, in the stage's region. */
  readonly certificateArn: string;
  /** The Route 53 zone for its records. Without it, an output of the stack says what to point the name at. */
  readonly hostedZoneId?: string;
};

/** Files that say which addresses are in which country: see `lib/countries/country-table.ts`. Paths are relative to the project. */
type CountryFiles = { readonly files: readonly string[] };

/** How many units a second a table or its index takes from the start, without throttling. */
type WarmThroughput = { readonly readUnitsPerSecond?: number; readonly writeUnitsPerSecond?: number };

/** The same for a table and its index. */
export type WarmTable = WarmThroughput & { readonly index?: WarmThroughput };

/** How many requests a second a gateway passes on, and how many in a burst. */
type Throttle = { readonly rate: number; readonly burst: number };

/** A restored table, which no stack knows of: its name, and the ARN of its stream, which has a time in it. */
export type RestoredTable = { readonly name: string; readonly streamArn: string };

// The settings of a stage, by purpose. A stage is a complete environment; an account can have several. The tables in
// docs/deploy.md are made of these types, their docstrings and the values below: `npm run docs` writes them. A setting
// without a docstring shares the one above it.

/** Data: what survives, and where it is backed up. */
type DataSettings = {
  /**
   * Protects the data: the tables stay when their stack is deleted, and neither they nor the stacks can be deleted by
   * mistake. Links, the table of what people set, can be [restored](../docs/operate.md#restore-data) to any second of
   * the last 35 days.
   */
  readonly keepData: boolean;
  /**
   * Whether Activity, the table of clicks and their counts, can be [restored](../docs/operate.md#restore-data) to any
   * second of the last 35 days too. AWS charges [by the table's size](../docs/cost.md#what-each-setting-costs), so turn
   * it off if you have many visits and can do without.
   */
  readonly backUpActivity: boolean;
  /**
   * Backs up the tables every night, and copies the backups to this region, such as `eu-west-1`. Activity is included
   * only if `backUpActivity` is on. The stage then has two more stacks, `Links-<stage>-Backups` and, in that region,
   * `Links-<stage>-Copies`: bootstrap the region first. Backups are kept for 2 days, copies for 14. It [costs
   * $2.21](../docs/cost.md#what-each-setting-costs) a gigabyte and month. If a backup
   * [fails](../docs/operate.md#failed-backups), the recipients of alarms are notified. A topic of yours must let
   * `events.amazonaws.com` publish. [How to restore](../docs/operate.md#backups-in-another-region)
   */
  readonly backupRegion?: string;
  /**
   * The tables that the stage works on instead of its own, after `npm run restore` has
   * [made](../docs/operate.md#restore-data) them. That command prints the setting. The stage's own tables stay as they
   * are, and removing the setting returns to them.
   */
  readonly restoredTables?: Readonly<Record<DataTable, RestoredTable>>;
};

/** Names: where the API and short links are, and which domains may serve. */
type NameSettings = {
  /** The part of a short URL before the slug, with `{domain}` for the link's domain. */
  readonly shortUrlOrigin: string;
  /**
   * The [custom domains](../docs/deploy.md#names-and-tls) of the redirect: `name`, `certificateArn` in ACM, and
   * `hostedZoneId` if Route 53 should get the records. The name `*.go.example.com` covers every name with one more
   * label, such as `a.go.example.com`. Domains that workspaces use must be among these names, or [match a
   * wildcard](https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-custom-domain-names.html). Without
   * `hostedZoneId`, the output `…DnsTarget…` says where the record must point.
   */
  readonly shortDomains?: readonly CustomDomain[];
  /**
   * The [custom domain](../docs/deploy.md#names-and-tls) of the API, which `/api/v1/` follows, with the same fields.
   * Without `hostedZoneId`, the output `ApiDnsTarget` says where the record must point.
   */
  readonly apiDomain?: CustomDomain;
  /**
   * Whether AWS's own names of the API and of the redirect also answer where there is a custom domain, so that clients
   * and links can [move](../docs/deploy.md#names-and-tls) without a gap.
   */
  readonly keepAwsEndpoints: boolean;
  /**
   * The name that workspaces point their domains at. It must lead to the redirect. The default is the first of
   * `shortDomains` that isn't a wildcard, or AWS's name for the redirect if there are no short domains. Workspaces
   * cannot claim it through the API; the operator can add it.
   */
  readonly domainTarget?: string;
  /**
   * What activates a [domain](../docs/api.md#domains) after its ownership is proven. `dns`: its DNS points at the
   * target. `operator`: the operator runs `npm run admin -- domains add`. On AWS a domain also needs a certificate and a
   * [custom domain
   * name](https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-custom-domain-names.html), so pointing
   * the DNS at the target is not enough.
   */
  readonly domainActivation: 'dns' | 'operator';
  /**
   * Makes a [certificate and a custom domain name](../docs/deploy.md#managed-domains) for each domain whose ownership a
   * workspace proves, unless one of `shortDomains` covers it. Such a domain serves as soon as its DNS points to its own name,
   * whatever `domainActivation` says. AWS allows an account 120 names in a region, and more on request.
   */
  readonly managedDomains?: boolean;
};

/** Limits: what a workspace, a stage and an account may use up. */
type LimitSettings = {
  /** The most links in one bulk request. It cannot be more than the service's own [limit](../docs/api.md#limits). */
  readonly maxLinksPerImport: number;
  /**
   * How many requests a second a workspace may send to the API, and how many in a burst. For each costly
   * [operation](../docs/api.md#limits), such as a list, it is a tenth of both. The gateway enforces them free of charge,
   * on a best-effort basis. They can be at most what AWS allows the account: 10,000 and 5,000, and less in [some
   * regions](https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html).
   */
  readonly requestRate: number;
  readonly requestBurst: number;
  /**
   * The most that each gateway passes on, from all callers together, on a best-effort basis: `{ api: { rate, burst },
   * redirect: { rate, burst } }`. A gateway without it takes what AWS allows the account in a region, [10,000 and
   * 5,000](https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html). Raise `redirect` before you expect
   * more than 1,000 visits a second: visitors beyond it get 429. See [Outer limits](../docs/deploy.md#outer-limits).
   */
  readonly stageThrottle?: { readonly api?: Throttle; readonly redirect?: Throttle };
  /**
   * A web ACL of AWS WAF in front of the API: `{ requestsPerAddress: 60_000 }` is how many requests an address may send
   * in 5 minutes, besides rules that AWS keeps. It [costs $8 a month](../docs/cost.md#what-each-setting-costs), and
   * $0.60 a million requests. See [Outer limits](../docs/deploy.md#outer-limits).
   */
  readonly webAcl?: { readonly requestsPerAddress: number };
  /**
   * How many US dollars the account may cost a month. The recipients of alarms are notified at 80 %, and as soon as the
   * forecast is above it. Free. See [Outer limits](../docs/deploy.md#outer-limits).
   */
  readonly monthlyBudget?: number;
  /**
   * The reserved concurrency of each function of a kind (`authorizer`, `endpoint`, `redirect`, `event`), which is also
   * its limit. Absent kinds use the account's shared pool. An account must keep 100 executions
   * [unreserved](https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html), which a new one may not
   * even have. See [Outer limits](../docs/deploy.md#outer-limits).
   */
  readonly reservedConcurrency?: Readonly<Partial<Record<FunctionKind, number>>>;
  /**
   * Prepares a table for a [peak](../docs/deploy.md#before-a-peak) that you expect: how many [units a
   * second](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html) it takes from the
   * start, as in `{ Links: { readUnitsPerSecond: 40_000 } }`, and the same for `Activity`. Each may have an `index` with
   * the same fields, because an index that cannot keep up throttles its table. A new table takes 12,000 and 4,000, its
   * index too, and both double within 30 minutes by themselves. It does not raise what one item takes: 3,000 read and
   * 1,000 write units a second. AWS [charges](../docs/cost.md#what-each-setting-costs) once for each unit that you raise
   * it by, and never lowers it: unsetting it later changes nothing.
   */
  readonly warmThroughput?: { readonly Links?: WarmTable; readonly Activity?: WarmTable };
};

/** People: who signs in to the console without an API key. */
type PeopleSettings = {
  /**
   * The OpenID Connect provider with which people [sign in](../docs/deploy.md#sign-in): `{ issuer, clientId }`, and a
   * `clientSecretArn` of Secrets Manager unless the client is a public one. `trustEmails: true` takes addresses as verified
   * if the provider does not say. `join: [{ claim, equals, workspaceId, role }]` makes people members without an invitation.
   * Without the setting, people paste API keys, and `/sign-in` is 404.
   */
  readonly signIn?: SignIn;
};

/** Visits, statistics and history: what is recorded, and how long it is kept. */
type RecordSettings = {
  /** How many days the record of a click is kept. It is counted within seconds, and the link's count stays. */
  readonly clickDays: number;
  /** How many days the statistics of a day are kept, from its end. */
  readonly statsDays: number;
  /**
   * Whether the statistics have [unique clicks](../docs/api.md#unique-clicks): `daily` counts a visitor once for each link
   * and day in UTC, by a hash that nobody can trace once the day's secret is deleted ([what is
   * stored](../docs/privacy.md#unique-clicks)). It [costs](../docs/cost.md#what-each-setting-costs) up to as much as the
   * click itself, for the first click of a visitor on a link and day. `off` stores and costs nothing.
   */
  readonly uniqueClicks: 'off' | 'daily';
  /**
   * How many days an entry of the [history](../docs/api.md#history) of links, tags, domains and keys is kept. 0 turns
   * the history off; its reader of the stream then only reads links, for webhooks.
   */
  readonly historyDays: number;
  /**
   * How a click knows its visitor's [country](../docs/deploy.md#visitors-countries): not at all (`off`), from headers of
   * a content delivery network in front of the redirect, or from files that are deployed with the redirect. With a
   * network, the visitor's address comes from its header too. It is believed only together with a secret, of which the
   * setting has the SHA-256; so the template does not tell the secret, if that is too long to guess.
   */
  readonly countryFrom: 'off' | Cdn | CountryFiles;
};

/** Abuse: who may report links. */
type AbuseSettings = {
  /**
   * Whether visitors can [report a link](../docs/visitors.md#report-a-link) to you at `/+report` of its domain, without an
   * account. Previews and error pages lead there. You see reports with [`admin reports`](../docs/operate.md#reports), and
   * recipients of alarms learn of new ones. Turn it off if you take reports elsewhere: the path is then unknown.
   */
  readonly linkReports: boolean;
};

/** Webhooks: how fast they are sent. */
type WebhookSettings = {
  /**
   * How many calls a second a workspace's [webhooks](../docs/webhooks.md#more-webhooks-than-your-url-gets) make at most
   * to one host: above 0, and not necessarily whole. At most 500, because a URL's queue is in one partition, which [takes](../docs/aws.md#dynamodb)
   * 1,000 writes a second, and a delivery is added to it and removed.
   */
  readonly webhookRate: number;
  /**
   * How many senders of webhooks one run starts at most: one of the schedule, or one of the stream's reader. A sender is
   * a function that serves 40 URLs. They [share](../docs/operate.md#how-many-senders-run) the account's concurrency with
   * the visitors' functions.
   */
  readonly webhookSenders: number;
  /**
   * Whether webhooks may also go to the machine that runs the sender, at any port and over http. Only for a laptop.
   */
  readonly webhookLoopback: boolean;
};

/** Watching: who is notified of failures, and what is logged, traced and shown. */
type WatchSettings = {
  /**
   * Who gets [alarms](../docs/operate.md#alarms): an email address (AWS asks it to confirm first), a standard SNS
   * topic of yours, or both. The topic's policy must let `cloudwatch.amazonaws.com` publish, and `budgets.amazonaws.com`
   * if there is a `monthlyBudget`. Without either, the stage has no alarms, because they [cost $5.30 a
   * month](../docs/cost.md#what-each-setting-costs).
   */
  readonly alarmEmail?: string;
  readonly alarmTopicArn?: string;
  /**
   * Whether the stage has a [dashboard](../docs/operate.md#dashboard), and the metrics for it: visits by outcome,
   * imports, links created and deliveries. It [costs](../docs/cost.md#what-each-setting-costs) $3 a month, and a line of
   * the log for each visit.
   */
  readonly dashboard: boolean;
  /**
   * Whether each request that a function answers, and each visit, is a line of the [log](../docs/operate.md#logs). Of
   * addresses, only the network is logged.
   */
  readonly accessLogs: boolean;
  /**
   * How many days the functions' logs, which are JSON, are kept. One of the values that CloudWatch Logs accepts.
   */
  readonly logRetentionDays: 1 | 7 | 30 | 90;
  /**
   * Which requests X-Ray traces, each by the account's sampling rules: `off` none, `sampled` those to the API, `all`
   * also visits, events and schedules. By default, the rules take the first request of each second and 5 % of the rest.
   * A million traces [cost $5](../docs/cost.md#what-a-million-of-each-costs).
   */
  readonly tracing: 'off' | 'sampled' | 'all';
};

/** Deployment: how a new version goes live, and what it may do. */
type DeploymentSettings = {
  /**
   * How a new version of the redirect and the authorizer goes live. `canary` gives it a tenth of the calls for five
   * minutes and then all, and returns to the version before if an alarm goes off. CloudFormation
   * [watches](../docs/operate.md#undo-a-deployment) the rest of the deployment in the same way, which takes five minutes
   * longer for each stack that changes. `all-at-once` does neither. A stage without alarms changes all at once in any
   * case, because nobody would notice.
   */
  readonly rollout: 'canary' | 'all-at-once';
  /**
   * Restricts each function to partitions of its tables, not only to actions. Turn it off if AWS [denies PartiQL batches
   * or transactions](../docs/deploy.md#if-aws-denies-a-call): it is not documented that they set
   * the condition key `dynamodb:LeadingKeys`.
   */
  readonly partitionConditions: boolean;
  /**
   * Whether the API shows everyone its [reference](../docs/api.md) at `/docs`, where requests can be tried, and
   * `/openapi.json`. It reads no data. The script of the page has 4.4 MB, which browsers keep. Everybody together gets
   * each of them [once a second](../docs/deploy.md#outer-limits).
   */
  readonly docs: boolean;
  /**
   * Whether the API serves the [console](../docs/console.md) at `/console`, where people sign in with an API key or with
   * `signIn`. The page reads no data without one. The gateway passes on a limited number of [requests for
   * it](../docs/deploy.md#outer-limits).
   */
  readonly console: boolean;
  /**
   * Whether the API serves the [Model Context Protocol](../docs/agents.md) at `/mcp`, by which programs with a language
   * model manage links. It needs an API key, and can do nothing that the key could not do otherwise.
   */
  readonly mcp: boolean;
};

export type StageSettings = DataSettings &
  NameSettings &
  LimitSettings &
  PeopleSettings &
  RecordSettings &
  AbuseSettings &
  WebhookSettings &
  WatchSettings &
  DeploymentSettings;

/** The settings that the stages share. */
const common = {
  partitionConditions: true,
  maxLinksPerImport: linksPerRequest,
  shortUrlOrigin: 'https://{domain}',
  requestRate: 100,
  requestBurst: 1_000,
  clickDays: 30,
  statsDays: 1_100,
  uniqueClicks: 'off',
  linkReports: true,
  webhookRate: 25,
  webhookSenders: 10,
  webhookLoopback: false,
  historyDays: 365,
  docs: false,
  console: true,
  mcp: true,
  countryFrom: 'off',
  tracing: 'sampled',
  domainActivation: 'operator',
  keepAwsEndpoints: false,
  rollout: 'canary',
  dashboard: false,
  accessLogs: false,
  // Of the API half of what AWS allows an account, so that its callers cannot keep visitors out. Of the redirect what a
  // flood may cost, $180 a day: docs/deploy.md, "Outer limits".
  stageThrottle: { api: { rate: 5_000, burst: 2_500 }, redirect: { rate: 1_000, burst: 2_000 } },
} as const;

/** The stages that can be deployed. */
const stages = {
  dev: { ...common, rollout: 'all-at-once', docs: true, keepData: false, backUpActivity: false, logRetentionDays: 7 },
  staging: { ...common, keepData: false, backUpActivity: false, logRetentionDays: 30 },
  prod: { ...common, keepData: true, backUpActivity: true, logRetentionDays: 90 },
} as const satisfies Record<string, StageSettings>;

type StageName = keyof typeof stages;

export const stageNames = Object.keys(stages) as StageName[];

/** The stage of a command that names none. Its data goes with it, so nothing is lost if somebody forgets to name another one. */
export const usualStage = 'dev';

/** The tags of everything that a stage has and that can be tagged. */
export const tagsOf = (stage: Stage['name']): Readonly<Record<string, string>> => ({ service: 'links', stage });

type PreviewName = `preview-${string}`;

export type Stage = { readonly name: StageName | PreviewName | 'local'; readonly settings: StageSettings };

/** A preview lives as long as a change is discussed. It is `dev`, with limits for what nobody watches. */
const preview = {
  ...stages.dev,
  logRetentionDays: 1,
  tracing: 'off',
  webhookSenders: 2,
  // An account may hold many previews, which share what AWS allows it.
  stageThrottle: { api: { rate: 500, burst: 250 }, redirect: { rate: 500, burst: 250 } },
} as const satisfies StageSettings;

/**
 * What a preview may be named. It is part of names of AWS, of which a rule's may have 64 characters, the fewest:
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutRule.html. Without underscores and double hyphens,
 * the beginning of one preview's gateway keys, such as `links-preview-a-ws_`, begins no other preview's.
 */
const previewName = /^(?=.{1,20}$)[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * The laptop's stage, which cannot be deployed.
 *
 * @param port the service's port, which the start command chooses.
 * @param signIn the provider that it starts beside the service, if people shall be able to sign in.
 * @param managedDomains whether domains that are not under `localhost` get a certificate and a name, as on AWS.
 */
export const localStage = (port: number, signIn?: SignIn, managedDomains = false): Stage => ({
  name: 'local',
  settings: {
    keepData: false,
    backUpActivity: false,
    partitionConditions: true,
    maxLinksPerImport: linksPerRequest,
    shortUrlOrigin: `http://{domain}:${port}`,
    // The most that AWS allows: on a laptop, a workspace's scripts and tests do not slow down anybody else.
    requestRate: 10_000,
    requestBurst: 5_000,
    clickDays: 30,
    statsDays: 1_100,
    uniqueClicks: 'daily',
    linkReports: true,
    webhookRate: 25,
    webhookSenders: 10,
    webhookLoopback: true,
    historyDays: 365,
    docs: true,
    console: true,
    mcp: true,
    ...(signIn && { signIn }),
    // On a laptop, every visitor has the same address. So a person can try countries and addresses with three headers.
    countryFrom: {
      countryHeader: 'X-Country',
      addressHeader: 'X-Address',
      secretHeader: 'X-Origin-Secret',
      secretSha256: [createHash('sha256').update('laptop').digest('hex')],
    },
    tracing: 'sampled',
    domainTarget: 'links.localhost',
    domainActivation: 'dns',
    ...(managedDomains && { managedDomains }),
    keepAwsEndpoints: false,
    rollout: 'all-at-once',
    dashboard: false,
    accessLogs: false,
    logRetentionDays: 7,
  },
});

/**
 * The restored tables that the stage works on; undefined if it works on its own.
 *
 * @throws Error with one line for the operator if a name cannot be a table's, a stream is not that table's, or both tables
 * are the same one.
 */
export function restoredTablesOf({ restoredTables }: StageSettings): StageSettings['restoredTables'] {
  if (restoredTables === undefined) return undefined;
  for (const [table, { name, streamArn }] of Object.entries(restoredTables)) {
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
    if (!/^[\w.-]{3,255}$/.test(name)) {
      throw new Error(`restoredTables: ${table} has the name ${JSON.stringify(name)}, which no table can have`);
    }
    const [, streamOf] = /^arn:aws[\w-]*:dynamodb:[\w-]+:\d{12}:table\/([\w.-]+)\/stream\/[\w.:-]+$/.exec(streamArn) ?? [];
    if (streamOf !== name) throw new Error(`restoredTables: the streamArn of ${table} is not the ARN of a stream of ${name}`);
  }
  if (restoredTables.Links.name === restoredTables.Activity.name) {
    throw new Error('restoredTables: Links and Activity must be two tables');
  }
  return restoredTables;
}

/**
 * The name that workspaces point their domains at, according to the settings; undefined if it is AWS's own name.
 *
 * @throws Error with one line for the operator if all short domains are wildcards, which a DNS record cannot name.
 */
export function domainTargetOf({ domainTarget, shortDomains = [] }: StageSettings): string | undefined {
  const target = domainTarget ?? shortDomains.find(({ name }) => !name.startsWith('*'))?.name;
  if (target === undefined && shortDomains.length > 0) {
    throw new Error(
      'shortDomains has only wildcards: set domainTarget to a name under one of them, which workspaces can point their domains at',
    );
  }
  return target;
}

/** How many characters all short domains may have together: a function's environment has 4 kB at most. */
const mostCharacters = 3_000;

/**
 * The custom domains of a stage.
 *
 * @throws Error with one line for the operator if API Gateway would refuse a name, or two are the same.
 */
export function customDomainsOf({ apiDomain, shortDomains = [] }: StageSettings) {
  for (const { name } of shortDomains) checkName('shortDomains', name, name.replace(/^\*\./, ''));
  if (apiDomain) checkName('apiDomain', apiDomain.name, apiDomain.name);
  const names = shortDomains.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`shortDomains: it has ${repeated} twice`);
  if (apiDomain && names.includes(apiDomain.name)) {
    throw new Error(`apiDomain: ${apiDomain.name} is a short domain, too: API Gateway serves one of them under a name`);
  }
  if (names.join(' ').length > mostCharacters) {
    throw new Error(`shortDomains: the names have more than ${mostCharacters} characters together: use wildcards`);
  }
  return { apiDomain, shortDomains };
}

function checkName(setting: string, name: string, written: string): void {
  const canonical = parseDomainName(written);
  if (canonical === written) return;
  const instead = canonical === undefined ? '' : `, write it as ${name.replace(written, canonical)}`;
  throw new Error(`${setting}: ${JSON.stringify(name)} is not a domain name in lower case and ASCII${instead}`);
}

/** Whether AWS's own name of a gateway answers. */
export const awsEndpointIsOn = (settings: StageSettings, gateway: 'api' | 'redirect'): boolean => {
  const { apiDomain, shortDomains } = customDomainsOf(settings);
  return settings.keepAwsEndpoints || (gateway === 'api' ? !apiDomain : !shortDomains.length);
};

/**
 * The names under which the redirect answers, as `isServed` takes them, without the names that the service makes for
 * domains. On a laptop it answers under every name.
 *
 * @param ownName AWS's own name for the redirect.
 */
export function servedNamesOf({ name: stage, settings }: Stage, ownName: string): readonly string[] {
  // With managed domains, only names that browsers resolve by themselves need no name of their own.
  if (stage === 'local') return settings.managedDomains ? ['*.localhost'] : [everyName];
  const { apiDomain, shortDomains } = customDomainsOf(settings);
  return [
    ...shortDomains.map(({ name }) => name),
    ...(awsEndpointIsOn(settings, 'redirect') ? [ownName] : []),
    // The API's own custom domain takes its name from a wildcard that covers it.
    ...(apiDomain &&
    isServed(
      apiDomain.name,
      shortDomains.map(({ name }) => name),
    )
      ? [`!${apiDomain.name}`]
      : []),
  ];
}

/**
 * What the redirect's environment says about `countryFrom`: `table` if there is a table of countries beside its bundle, or
 * the headers of a network with their names in lower case, as functions get them. Nothing if it is off.
 *
 * @throws Error with one line for the operator if a name isn't a header's, a hash isn't a SHA-256, or there are none.
 */
export function countryFromInEnvironment({ countryFrom }: StageSettings): { readonly COUNTRY_FROM?: string } {
  if (countryFrom === 'off') return {};
  if ('files' in countryFrom) {
    if (!countryFrom.files.length) throw new Error('countryFrom: it names no files');
    return { COUNTRY_FROM: JSON.stringify('table') };
  }
  const { countryHeader, addressHeader, secretHeader, secretSha256 } = countryFrom;
  for (const name of [countryHeader, addressHeader, secretHeader]) {
    if (!/^[\w-]+$/.test(name)) throw new Error(`countryFrom: ${JSON.stringify(name)} is not the name of a header`);
  }
  if (!secretSha256.length || secretSha256.some((hash) => !/^[0-9a-f]{64}$/i.test(hash))) {
    throw new Error('countryFrom: secretSha256 must list the SHA-256 of the secret, 64 hexadecimal digits');
  }
  const cdn: Cdn = {
    countryHeader: countryHeader.toLowerCase(),
    addressHeader: addressHeader.toLowerCase(),
    secretHeader: secretHeader.toLowerCase(),
    secretSha256,
  };
  return { COUNTRY_FROM: JSON.stringify(cdn) };
}

/** The setting `uniqueClicks` as functions read it: it is left out if it is off. */
export const uniqueClicksInEnvironment = ({ uniqueClicks }: StageSettings): Readonly<Record<string, string>> =>
  uniqueClicks === 'off' ? {} : { UNIQUE_CLICKS: uniqueClicks };

/**
 * The most deliveries a second for one URL: each is written to the URL's queue and deleted from it, and the queue is in
 * one partition, which takes 1,000 write units a second (docs/aws.md).
 */
const mostWebhooksASecond = 500;

/**
 * How many calls a second a host gets at most from the webhooks of a workspace. It may be a fraction: 0.5 is a call every two seconds.
 *
 * @throws Error with one line for the operator if nothing would ever be sent at that rate, or if it cannot be reached.
 */
export function webhookRateOf({ webhookRate }: StageSettings): number {
  if (!Number.isFinite(webhookRate) || webhookRate <= 0) throw new Error(`webhookRate: ${webhookRate} is not a number above 0`);
  if (webhookRate <= mostWebhooksASecond) return webhookRate;
  throw new Error(
    `webhookRate: ${webhookRate} is more than ${mostWebhooksASecond}, which is the most that the queue of a URL can take`,
  );
}

/**
 * The recipients of alarms: the email address, the ARN of the topic, both or neither.
 *
 * @throws Error with one line for the operator if one of them cannot receive alarms.
 */
export function alarmRecipientsOf({ alarmEmail, alarmTopicArn }: StageSettings): string[] {
  if (alarmEmail !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(alarmEmail)) {
    throw new Error(`alarmEmail: ${JSON.stringify(alarmEmail)} is not an email address`);
  }
  // CloudWatch publishes only to standard topics:
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html
  if (alarmTopicArn !== undefined && !/^arn:aws[\w-]*:sns:[\w-]+:\d{12}:[\w-]+$/.test(alarmTopicArn)) {
    throw new Error(`alarmTopicArn: ${JSON.stringify(alarmTopicArn)} is not the ARN of a standard topic of SNS`);
  }
  return [alarmEmail, alarmTopicArn].filter((recipient) => recipient !== undefined);
}

/**
 * The most that a gateway passes on; undefined if that is the account's limit.
 *
 * @throws Error with one line for the operator if nothing would get through.
 */
export function throttleOf({ stageThrottle }: StageSettings, gateway: 'api' | 'redirect'): Throttle | undefined {
  const throttle = stageThrottle?.[gateway];
  if (throttle && !(throttle.rate > 0 && Number.isInteger(throttle.burst) && throttle.burst > 0)) {
    throw new Error(`stageThrottle: ${gateway} must have a rate above 0 and a whole burst of at least 1`);
  }
  return throttle;
}

/**
 * The monthly budget in US dollars; undefined if there is none.
 *
 * @throws Error with one line for the operator if it isn't an amount, or nobody would be notified.
 */
export function budgetOf(settings: StageSettings): number | undefined {
  const { monthlyBudget } = settings;
  if (monthlyBudget === undefined) return undefined;
  if (!(monthlyBudget > 0 && Number.isFinite(monthlyBudget))) {
    throw new Error(`monthlyBudget: ${monthlyBudget} is not a number above 0`);
  }
  if (!alarmRecipientsOf(settings).length)
    throw new Error('monthlyBudget: set alarmEmail or alarmTopicArn, or nobody would be notified');
  return monthlyBudget;
}

/**
 * The stage with that name, and its settings. The preview `pr-12` is the stage `preview-pr-12`.
 *
 * @throws Error with one line for the operator if the name is missing or unknown.
 */
export function stageOf(name: unknown): Stage {
  if (typeof name === 'string' && Object.hasOwn(stages, name)) {
    return { name: name as StageName, settings: stages[name as StageName] };
  }
  if (typeof name === 'string' && isPreview(name)) return { name, settings: preview };
  const got = name === undefined || name === '' ? 'no stage given' : `unknown stage ${JSON.stringify(name)}`;
  throw new Error(`${got}: name one of ${stageNames.join(', ')} or preview, as in: npm run deploy -- -c stage=dev`);
}

/** Whether a stage's name is that of a preview. */
export const isPreview = (stage: string): stage is PreviewName =>
  stage.startsWith('preview-') && previewName.test(stage.slice('preview-'.length));

/**
 * The stage that the context of the CDK's command line names: `-c stage=prod`, or `-c stage=preview -c name=pr-12`. Without
 * either, `usualStage`.
 *
 * @throws Error with one line for the operator if the stage is unknown, if a preview's name is missing or
 * malformed, or if another stage is given a name.
 */
export function stageOfContext({ stage = usualStage, name }: { readonly stage?: unknown; readonly name?: unknown }): Stage {
  const example = 'as in: npm run deploy -- -c stage=preview -c name=pr-12';
  if (stage !== 'preview') {
    const found = stageOf(stage);
    if (name === undefined) return found;
    throw new Error(`the stage ${found.name} takes no name: leave out -c name=${name}, which is for previews, ${example}`);
  }
  if (name === undefined || name === '') throw new Error(`no name given for the preview: add one, ${example}`);
  if (typeof name === 'string' && previewName.test(name)) return stageOf(`preview-${name}`);
  throw new Error(
    `the preview's name ${JSON.stringify(name)} must have 1 to 20 lowercase letters, digits and single hyphens between them, ${example}`,
  );
}
