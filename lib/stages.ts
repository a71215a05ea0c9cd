import { createHash } from 'node:crypto';
import type { Cdn } from '../lambdas/domain/country.ts';
import { parseDomainName } from '../lambdas/domain/host.ts';
import { linksPerRequest } from '../lambdas/domain/limits.ts';
import { everyName, isServed } from '../lambdas/domain/served-names.ts';
import type { Table } from '../lambdas/store/table/tables.ts';

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

/** Files that say which addresses are in which country: see `lib/country-table.ts`. Paths are relative to the project. */
type CountryFiles = { readonly files: readonly string[] };

/** How many units a second a table takes from the start, without throttling. */
type WarmThroughput = { readonly readUnitsPerSecond?: number; readonly writeUnitsPerSecond?: number };

/** How many requests a second a gateway passes on, and how many in a burst. */
type Throttle = { readonly rate: number; readonly burst: number };

/** A restored table, which no stack knows of: its name, and the ARN of its stream, which has a time in it. */
export type RestoredTable = { readonly name: string; readonly streamArn: string };

/** The settings of a stage. A stage is a complete environment; an account can have several. */
export type StageSettings = {
  /**
   * Protects the data: the tables are retained, with deletion protection, and the stacks have termination protection.
   * Links, the table of what people set, can be restored to a point in time.
   */
  readonly keepData: boolean;
  /**
   * Lets Activity, the table of clicks and counters, be restored to a point in time too. It is paid by the table's
   * size, so it gets expensive with many visits.
   */
  readonly backUpActivity: boolean;
  /**
   * The tables that the stage works on instead of its own, after `npm run restore` has made them. The stage's own tables
   * stay as they are, so it can return to them.
   */
  readonly restoredTables?: Readonly<Record<Table, RestoredTable>>;
  /**
   * Backs up the tables each day, and copies the backups to this region: see `lib/backups.ts`. Activity is among them if
   * `backUpActivity` is on.
   */
  readonly backupRegion?: string;
  /**
   * Restricts each function to partitions of its tables, not only to actions. Turn it off if AWS denies PartiQL batches
   * or transactions: it is not documented that they set the condition key `dynamodb:LeadingKeys`.
   */
  readonly partitionConditions: boolean;
  /** The most links in one bulk request, 1 to 1,000. */
  readonly maxLinksPerImport: number;
  /** The part of a short URL before the slug, with `{domain}` for the link's domain. */
  readonly shortUrlOrigin: string;
  /**
   * The custom domains of the redirect. Domains that workspaces use must be among them, or match a wildcard:
   * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-custom-domain-names.html
   */
  readonly shortDomains?: readonly CustomDomain[];
  /** The custom domain of the API, which `/api/v1/` follows. */
  readonly apiDomain?: CustomDomain;
  /**
   * Whether AWS's own names of the API and of the redirect also answer where there is a custom domain, so that clients and
   * links can move without a gap.
   */
  readonly keepAwsEndpoints: boolean;
  /**
   * The name that workspaces point their domains at. It must lead to the redirect. The default is the first of
   * `shortDomains` that isn't a wildcard, or AWS's name for the redirect's API if there are no short domains.
   */
  readonly domainTarget?: string;
  /**
   * What activates a domain after its ownership is proven. `dns`: its DNS points at the target. `operator`: the
   * operator runs `npm run admin -- domains add`. On AWS a domain also needs a certificate and a custom domain name, so
   * pointing the DNS at the target is not enough:
   * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-custom-domain-names.html
   */
  readonly domainActivation: 'dns' | 'operator';
  /**
   * How many requests a second a workspace may send to the API, and how many in a burst. For each list of links or
   * tags, including searches, it is a tenth of both. The gateway enforces them free of charge, on a best-effort basis.
   */
  readonly requestRate: number;
  readonly requestBurst: number;
  /** How many days the record of a click is kept. The link's count stays. */
  readonly clickDays: number;
  /** How many days the statistics of a day are kept. */
  readonly statsDays: number;
  /** How many calls a second a URL that receives webhooks gets at most: above 0, and not necessarily whole. */
  readonly webhookRate: number;
  /**
   * How many senders of webhooks one run starts at most: one of the schedule, or one of the stream's reader. They share
   * the account's concurrency with the visitors' functions.
   */
  readonly webhookSenders: number;
  /** Whether webhooks may also go to the machine that runs the sender, at any port. Only for a laptop. */
  readonly webhookLoopback: boolean;
  /**
   * Whether the API shows its reference with a console, and openapi.json: at `/docs` and `/openapi.json`, for everyone.
   */
  readonly docs: boolean;
  /** How many days an entry of the history is kept. 0 turns the history off. */
  readonly historyDays: number;
  /**
   * How a click knows its visitor's country: not at all, from headers of a content delivery network in front of the
   * redirect, or from files that are deployed with the redirect. With a network, the visitor's address comes from its
   * header too. It is believed only together with a secret, of which the setting has the SHA-256; so the template does not
   * tell the secret, if that is too long to guess.
   */
  readonly countryFrom: 'off' | Cdn | CountryFiles;
  /**
   * Prepares a table for a peak that you expect:
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html.
   * A new table takes 12,000 read and 4,000 write units a second. AWS charges once for what is raised, and it can never
   * be lowered. It does not raise what one item takes: 3,000 read and 1,000 write units a second.
   */
  readonly warmThroughput?: { readonly Links?: WarmThroughput; readonly Activity?: WarmThroughput };
  /**
   * Which requests X-Ray traces, each by the account's sampling rules: none, those to the API, or also visits, events
   * and schedules.
   */
  readonly tracing: 'off' | 'sampled' | 'all';
  /**
   * Who is told of alarms: an address that gets mails, a topic of SNS, or both. If it is nobody, the stage has no alarms,
   * because each costs something every month.
   */
  readonly alarmEmail?: string;
  readonly alarmTopicArn?: string;
  /**
   * How a new version of the redirect and the authorizer goes live: a tenth of the calls for five minutes and then all,
   * undone if an alarm goes off; or all at once. A stage without alarms changes all at once in any case.
   */
  readonly rollout: 'canary' | 'all-at-once';
  /**
   * The most that each gateway passes on, from all callers together, on a best-effort basis. Without it, the APIs share
   * what AWS allows the account in a region: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
   */
  readonly stageThrottle?: { readonly api?: Throttle; readonly redirect?: Throttle };
  /**
   * A web ACL of AWS WAF in front of the API: how many requests an address may send in 5 minutes, besides rules that AWS
   * keeps. It is paid by the month and by the request.
   */
  readonly webAcl?: { readonly requestsPerAddress: number };
  /** How many US dollars the account may cost a month before those who get alarms are told. */
  readonly monthlyBudget?: number;
  /**
   * Whether the stage has a dashboard, and the metrics for it: visits by outcome, imports, links created and deliveries. Each
   * visit is then a line of the log.
   */
  readonly dashboard: boolean;
  /** Whether each request and each visit is logged, with the network of its address. */
  readonly accessLogs: boolean;
  /** How many days the functions' logs are kept. One of the values that CloudWatch Logs accepts. */
  readonly logRetentionDays: 1 | 7 | 30 | 90;
  /**
   * The reserved concurrency of each function of a kind, which is also its limit. Absent kinds use the account's shared
   * pool. An account must keep 100 executions unreserved, which a new one may not even have:
   * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
   */
  readonly reservedConcurrency?: Readonly<Partial<Record<FunctionKind, number>>>;
};

/** The settings that the stages share. */
const common = {
  partitionConditions: true,
  maxLinksPerImport: linksPerRequest,
  shortUrlOrigin: 'https://{domain}',
  requestRate: 100,
  requestBurst: 1_000,
  clickDays: 30,
  statsDays: 1_100,
  webhookRate: 25,
  webhookSenders: 10,
  webhookLoopback: false,
  historyDays: 365,
  docs: false,
  countryFrom: 'off',
  tracing: 'sampled',
  domainActivation: 'operator',
  keepAwsEndpoints: false,
  rollout: 'canary',
  dashboard: false,
  accessLogs: false,
  // Half of what AWS allows an account, so that callers of the API cannot keep visitors out.
  stageThrottle: { api: { rate: 5_000, burst: 2_500 } },
} as const;

/** The stages that can be deployed. */
const stages = {
  dev: { ...common, rollout: 'all-at-once', docs: true, keepData: false, backUpActivity: false, logRetentionDays: 7 },
  staging: { ...common, keepData: false, backUpActivity: false, logRetentionDays: 30 },
  prod: { ...common, keepData: true, backUpActivity: true, logRetentionDays: 90 },
} as const satisfies Record<string, StageSettings>;

type StageName = keyof typeof stages;

export const stageNames = Object.keys(stages) as StageName[];

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

/** The laptop's stage, which cannot be deployed. @param port the service's port, which the start command chooses. */
export const localStage = (port: number): Stage => ({
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
    webhookRate: 25,
    webhookSenders: 10,
    webhookLoopback: true,
    historyDays: 365,
    docs: true,
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
  const repeated = names.find((name, place) => names.indexOf(name) !== place);
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
 * The names under which the redirect answers, as `isServed` takes them. On a laptop it answers under every name.
 *
 * @param ownName AWS's own name for the redirect.
 */
export function servedNamesOf({ name: stage, settings }: Stage, ownName: string): readonly string[] {
  if (stage === 'local') return [everyName];
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

/**
 * How many calls a second a receiver of webhooks gets at most. It may be a fraction: 0.5 is a call every two seconds.
 *
 * @throws Error with one line for the operator if nothing would ever be sent at that rate.
 */
export function webhookRateOf({ webhookRate }: StageSettings): number {
  if (Number.isFinite(webhookRate) && webhookRate > 0) return webhookRate;
  throw new Error(`webhookRate: ${webhookRate} is not a number above 0`);
}

/**
 * Who is told of alarms: the address, the ARN of the topic, both or neither.
 *
 * @throws Error with one line for the operator if one of them cannot be told anything.
 */
export function toldOfAlarms({ alarmEmail, alarmTopicArn }: StageSettings): string[] {
  if (alarmEmail !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(alarmEmail)) {
    throw new Error(`alarmEmail: ${JSON.stringify(alarmEmail)} is not an address of mail`);
  }
  // CloudWatch publishes only to standard topics:
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html
  if (alarmTopicArn !== undefined && !/^arn:aws[\w-]*:sns:[\w-]+:\d{12}:[\w-]+$/.test(alarmTopicArn)) {
    throw new Error(`alarmTopicArn: ${JSON.stringify(alarmTopicArn)} is not the ARN of a standard topic of SNS`);
  }
  return [alarmEmail, alarmTopicArn].filter((told) => told !== undefined);
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
 * @throws Error with one line for the operator if it is no amount, or nobody would be told.
 */
export function budgetOf(settings: StageSettings): number | undefined {
  const { monthlyBudget } = settings;
  if (monthlyBudget === undefined) return undefined;
  if (!(monthlyBudget > 0 && Number.isFinite(monthlyBudget))) {
    throw new Error(`monthlyBudget: ${monthlyBudget} is not a number above 0`);
  }
  if (!toldOfAlarms(settings).length) throw new Error('monthlyBudget: set alarmEmail or alarmTopicArn, or nobody would be told');
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
 * The stage that the context of the CDK's command line names: `-c stage=dev`, or `-c stage=preview -c name=pr-12`.
 *
 * @throws Error with one line for the operator if the stage is missing or unknown, if a preview's name is missing or
 * malformed, or if another stage is given a name.
 */
export function stageOfContext({ stage, name }: { readonly stage?: unknown; readonly name?: unknown }): Stage {
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
