import * as z from 'zod';
import { parseDomainName } from '../../lambdas/core/host/host.ts';
import { isLoopbackHost } from '../../lambdas/core/host/public-host.ts';
import { linksPerRequest } from '../../lambdas/core/limits.ts';
import { roles } from '../../lambdas/core/member/roles.ts';
import { sessionHours } from '../../lambdas/core/sign-in/session.ts';
import type { SignIn } from '../../lambdas/core/sign-in/sign-in.ts';
import type { Cdn } from '../../lambdas/core/visitor/country.ts';
import { toFieldErrors } from '../../lambdas/http/validation.ts';
import type { DataTable } from '../../lambdas/store/table/tables.ts';

// The settings of a stage: their names, types, defaults, checks and descriptions. `npm run docs` writes the tables in
// docs/deploy.md and the JSON Schema for editors from them. Links in descriptions are relative to docs/deploy.md.

/**
 * The kinds of functions: the gateway's authorizer; endpoints; endpoints that ask about clicks; the redirect; and those
 * that streams, the queue and schedules invoke.
 */
const functionKinds = ['authorizer', 'endpoint', 'statistics', 'redirect', 'event'] as const;
export type FunctionKind = (typeof functionKinds)[number];

/** Adds the description of a setting. */
const says = <T extends z.ZodType>(schema: T, ...lines: string[]): T => schema.describe(lines.join(' '));

const quote = (value: unknown): string => JSON.stringify(value);
/** An error that begins with the value. */
const thatIs = (what: string) => ({ error: ({ input }: { input?: unknown }) => `${quote(input)} is ${what}` });

const count = z.int().min(1);

/** A domain name in its canonical form. */
const domainName = z.string().check(({ value: name, issues }) => {
  const written = name.replace(/^\*\./, '');
  const canonical = parseDomainName(written);
  if (canonical === written) return;
  const instead = canonical === undefined ? '' : `, write it as ${name.replace(written, canonical)}`;
  const message = `${quote(name)} is not a domain name in lower case and ASCII${instead}`;
  issues.push({ code: 'custom', input: name, message });
});

const withoutWildcard = domainName.refine((name) => !name.startsWith('*'), { error: 'it must be one name, without a wildcard' });

/**
 * The longest name for which ACM makes a certificate:
 * https://docs.aws.amazon.com/acm/latest/APIReference/API_RequestCertificate.html
 */
const longestCertified = 64;

/** A name of yours for one of the gateways. */
const customDomain = (name: z.ZodType<string, string>) =>
  z
    .strictObject({
      name: says(name, 'Such as `go.example.com`; for short links also `*.go.example.com`, for all names with one more label.'),
      certificateArn: says(
        z
          .string()
          .regex(/^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/, thatIs('not the ARN of a certificate of ACM'))
          .optional(),
        "The ARN of an ACM certificate for that name, in the stage's region. Without it, the stack makes one, which is proven in",
        'the zone of `hostedZoneId`.',
      ),
      hostedZoneId: says(
        z
          .string()
          .regex(/^[A-Z0-9]+$/, thatIs('not the id of a hosted zone of Route 53'))
          .optional(),
        'The Route 53 zone for its records. Without it, an output of the stack says what to point the name at.',
      ),
    })
    .check(({ value: { name, certificateArn, hostedZoneId }, issues }) => {
      if (certificateArn !== undefined) return;
      const refuse = (message: string) =>
        issues.push({ code: 'custom', input: certificateArn, path: ['certificateArn'], message });
      if (hostedZoneId === undefined) refuse('set it, or hostedZoneId, so that the stack can make and prove a certificate');
      else if (name.length > longestCertified)
        refuse(`set it: ACM makes none for a name of more than ${longestCertified} characters`);
    });
export type CustomDomain = DeepReadonly<z.output<ReturnType<typeof customDomain>>>;

/** A restored table, which no stack contains: its name, and the ARN of its stream, which includes a time. */
const restoredTable = z
  .strictObject({
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
    name: z.string().regex(/^[\w.-]{3,255}$/, thatIs('a name that no table can have')),
    streamArn: z.string(),
  })
  .check(({ value: { name, streamArn }, issues }) => {
    const [, streamOf] = /^arn:aws[\w-]*:dynamodb:[\w-]+:\d{12}:table\/([\w.-]+)\/stream\/[\w.:-]+$/.exec(streamArn) ?? [];
    if (streamOf === name) return;
    const message = `${quote(streamArn)} is not the ARN of a stream of ${name}`;
    issues.push({ code: 'custom', input: streamArn, path: ['streamArn'], message });
  });
export type RestoredTable = DeepReadonly<z.output<typeof restoredTable>>;

/** How many requests per second a gateway passes on, and how many in a burst. */
const throttle = z.strictObject({ rate: z.number().positive(), burst: count }).optional();

/** How many units per second a table or its index takes at once, without throttling. */
const throughput = { readUnitsPerSecond: count.optional(), writeUnitsPerSecond: count.optional() };
const warmTable = z.strictObject({ ...throughput, index: z.strictObject(throughput).optional() });
export type WarmTable = DeepReadonly<z.output<typeof warmTable>>;

/** How many bytes `signIn` may have. A function's environment has at most 4 kB. */
const mostSignInBytes = 3_000;
/** How many characters all short domains may have together, for the same reason. */
const mostCharacters = 3_000;

/**
 * The provider that people sign in with: OpenID Connect Core 1.0, https://openid.net/specs/openid-connect-core-1_0.html
 */
const provider = z.strictObject({
  issuer: says(z.string(), "Exactly as the provider's discovery document has it, such as `https://accounts.google.com`."),
  clientId: z.string().refine((id) => id.trim() !== '', { error: 'it is empty' }),
  clientSecretArn: says(
    z
      .string()
      .regex(
        /^arn:aws[\w-]*:secretsmanager:[\w-]+:\d{12}:secret:[\w/+=.@-]+$/,
        thatIs('not the ARN of a secret of Secrets Manager'),
      )
      .optional(),
    "The ARN of a secret of Secrets Manager, whose value is the client's secret. Without it, the client is a public one.",
  ),
  scope: says(
    z
      .string()
      // https://www.rfc-editor.org/rfc/rfc6749#section-3.3
      .regex(/^[!#-[\]-~]+( [!#-[\]-~]+)*$/, thatIs('not a list of scopes with one space between them'))
      .refine((scope) => scope.split(' ').includes('openid'), { error: 'it must include openid, which makes it a sign-in' })
      .default('openid email profile'),
    'The scopes that the provider is asked for. Some providers need one more for groups.',
  ),
  trustEmails: says(z.boolean().optional(), 'Whether an address is treated as verified if the provider does not say.'),
  join: says(
    z
      .array(
        z.strictObject({
          claim: z.string().min(1, { error: 'it is empty' }),
          equals: z.string().min(1, { error: 'it is empty' }),
          workspaceId: z.string().regex(/^ws_[0-9A-Za-z]+$/, thatIs('not the id of a workspace')),
          role: z.enum(roles),
        }),
      )
      .optional(),
    'Rules that make people members without an invitation, by a claim of their provider.',
  ),
  logout: says(
    z.enum(['provider', 'here']).default('provider'),
    '`provider`: *Sign out* also leads to the logout of the provider, if it has one. `here`: people stay signed in there.',
  ),
  sessionHours: says(
    z.int().min(sessionHours.least).max(sessionHours.most).default(sessionHours.usual),
    'How many hours people stay signed in.',
  ),
});

const withinEnvironment = <T extends z.ZodObject>(schema: T) =>
  schema.refine((given) => Buffer.byteLength(JSON.stringify(given)) <= mostSignInBytes, {
    error: `it has more than ${mostSignInBytes.toLocaleString('en-US')} bytes`,
  });

const signIn = withinEnvironment(provider) satisfies z.ZodType<SignIn>;

/** The file of `npm start -- --sign-in-settings`: `signIn` with the client's secret itself instead of its ARN. */
const laptopSignIn = withinEnvironment(
  provider.omit({ clientSecretArn: true }).extend({
    clientSecret: z
      .string()
      .refine((secret) => secret.trim() !== '', { error: 'it is empty' })
      .optional(),
  }),
);

const header = z.string().regex(/^[\w-]+$/, thatIs('not the name of a header'));

/** The headers in which a network describes the visitor. Functions get their names in lower case. */
const cdn = z.strictObject({
  countryHeader: header.toLowerCase(),
  addressHeader: header.toLowerCase(),
  secretHeader: header.toLowerCase(),
  secretSha256: says(
    z
      .array(z.string().regex(/^[0-9a-fA-F]{64}$/, thatIs('not a SHA-256, 64 hexadecimal digits')))
      .min(1, { error: 'it must list the SHA-256 of the secret' }),
    'The SHA-256 of the secret in hex. Several during a rotation.',
  ),
}) satisfies z.ZodType<Cdn>;

/** Files with the countries of addresses: see `lib/countries/country-table.ts`. */
const countryFiles = z.strictObject({ files: z.array(z.string()).min(1, { error: 'it names no files' }) });

const data = {
  keepData: says(
    z.boolean().default(true),
    'Protects the tables against deletion, and, with `backUpActivity`, lets you [restore](operate.md#restore-data) both to any',
    'second of the last 35 days.',
  ),
  backUpActivity: says(
    z.boolean().default(true),
    'Backs up Activity, the table of clicks and counts, for the same purpose, [charged by size](cost.md#what-each-setting-costs).',
  ),
  backupRegion: says(
    z
      .string()
      .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, thatIs('not the name of a region, such as eu-west-1'))
      .optional(),
    '[Backs up](operate.md#backups-in-another-region) Links every night, and with `backUpActivity` Activity and the files of',
    'clicks, for 2 days, and copies the backups to this region, for 14 days.',
    'It [costs money](cost.md#what-each-setting-costs). With it, `npm run bootstrap -- -c stage=…` prepares both regions. The',
    'topic in `alarmTopicArn` must let `events.amazonaws.com` publish, which reports [failures](operate.md#failed-backups).',
  ),
  restoredTables: says(
    z
      .strictObject({ Links: restoredTable, Activity: restoredTable } satisfies Record<DataTable, unknown>)
      .refine(({ Links, Activity }) => Links.name !== Activity.name, { error: 'Links and Activity must be two tables' })
      .optional(),
    "The tables to work on instead of the stage's own, as `npm run restore` [prints](operate.md#restore-data) them.",
  ),
};

const names = {
  shortUrlOrigin: says(
    z
      .string()
      .refine(
        (origin) => origin.includes('{domain}') && /^https?:$/.test(URL.parse(origin.replace('{domain}', 'a.b'))?.protocol ?? ''),
        {
          ...thatIs('not the start of a URL with {domain} in it, such as https://{domain}'),
        },
      )
      .default('https://{domain}'),
    "The part of a short URL before the slug, with `{domain}` for the link's domain.",
  ),
  shortDomains: says(
    z
      .array(customDomain(domainName))
      .check(({ value: domains, issues }) => {
        const names = domains.map(({ name }) => name);
        names.forEach((name, index) => {
          const path = [index, 'name'];
          if (names.indexOf(name) < index) issues.push({ code: 'custom', input: name, path, message: `${name} is listed twice` });
        });
        const message = `the names have more than ${mostCharacters} characters together: use wildcards`;
        if (names.join(' ').length > mostCharacters) issues.push({ code: 'custom', input: domains, message });
      })
      .default([]),
    "The redirect's [custom domains](#names-and-tls): `name`, and `hostedZoneId`, `certificateArn` or both.",
  ),
  apiDomain: says(customDomain(withoutWildcard).optional(), "The API's [custom domain](#names-and-tls), with the same fields."),
  keepAwsEndpoints: says(
    z.boolean().default(false),
    "Whether AWS's own names stay on beside custom domains, for a [move](#move-to-your-own-names) without a gap.",
  ),
  domainTarget: says(
    withoutWildcard.optional(),
    'The name that workspaces point their domains to; it must lead to the redirect. By default the first of `shortDomains`',
    "without a wildcard, or AWS's name of the redirect; required if all have one. Only the operator can add it as a domain.",
  ),
  domainActivation: says(
    z.enum(['operator', 'dns']).default('operator'),
    'What activates a proven and [covered](#names-and-tls) [domain](api/domains.md#domains): `dns`, if its DNS points to the',
    'target, or `operator`, `npm run admin -- domains add`.',
  ),
  managedDomains: says(
    z.boolean().default(false),
    'Makes a [certificate and name](#managed-domains) for each proven domain that `shortDomains` does not cover, whatever',
    '`domainActivation` says.',
  ),
};

const limits = {
  maxLinksPerImport: says(
    count.max(linksPerRequest).default(linksPerRequest),
    "The most links in one bulk request, at most the service's own [limit](api/README.md#limits).",
  ),
  requestRate: says(
    z.number().positive().default(100),
    'Requests a second of a workspace to the API; a tenth for each [costly operation](api/README.md#limits). Best effort, and',
    'at most what AWS [allows](#outer-limits) the account.',
  ),
  requestBurst: says(count.default(1_000), 'How many of these requests may come in a burst.'),
  stageThrottle: says(
    z
      .strictObject({ api: throttle, redirect: throttle })
      // The API gets half of what AWS allows an account in most regions, so that its callers cannot keep visitors out;
      // a deployment warns if AWS allows less. The redirect is limited by what a flood may cost, $180 a day:
      // docs/deploy.md, "Outer limits".
      .default({ api: { rate: 5_000, burst: 2_500 }, redirect: { rate: 1_000, burst: 2_000 } }),
    'The most that each gateway [passes on](#outer-limits), from all callers together. A gateway that is left out passes on all',
    'that AWS allows the account.',
  ),
  webAcl: says(
    // https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based.html
    z.strictObject({ requestsPerAddress: z.int().min(10).max(2_000_000_000) }).optional(),
    '[AWS WAF](#outer-limits) in front of the API, such as `{ "requestsPerAddress": 60000 }` in 5 minutes.',
    'It [costs money](cost.md#what-each-setting-costs).',
  ),
  monthlyBudget: says(
    z.number().positive().optional(),
    'A budget for the account, in US dollars a month. Recipients of alarms are [notified](#outer-limits) before it is used up. Free.',
  ),
  reservedConcurrency: says(
    z.partialRecord(z.enum(functionKinds), z.int().min(0)).default({}),
    'Executions reserved for each function of a kind, and their [limit](#outer-limits): `authorizer`, `endpoint`,',
    '`statistics` (endpoints that ask about clicks, 3 GB each), `redirect`, `event`.',
  ),
  warmThroughput: says(
    z.strictObject({ Links: warmTable.optional(), Activity: warmTable.optional() }).default({}),
    '[Units a second](https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html) that a',
    'table, and its `index`, takes at once, for a [peak](#before-a-peak). AWS [charges](cost.md#what-each-setting-costs)',
    'once for what you raise, and never lowers it.',
  ),
};

const people = {
  signIn: says(
    signIn.optional(),
    'The OpenID Connect provider with which people [sign in](#sign-in). Without it, they paste API keys.',
  ),
};

const records = {
  clickDays: says(count.default(1_100), 'How many days a click is kept, for statistics, lists and exports.'),
  uniqueClicks: says(
    z.enum(['off', 'daily']).default('off'),
    '`daily`: statistics have [unique clicks](api/statistics.md#unique-clicks), by a [hash](privacy.md#unique-clicks).',
    '[Costs](cost.md#what-each-setting-costs) a read when a function starts.',
  ),
  historyDays: says(
    z.int().min(0).default(365),
    'How many days an entry of the [history](api/statistics.md#history) is kept. 0 turns the history off.',
  ),
  countryFrom: says(
    z
      .union([z.literal('off'), countryFiles, cdn], {
        error: 'it must be "off", { files }, or { countryHeader, addressHeader, secretHeader, secretSha256 }',
      })
      .default('off'),
    "Where the [country](#visitors-countries) of a click comes from: nowhere, a network's headers, or files.",
  ),
};

const abuse = {
  linkReports: says(
    z.boolean().default(true),
    'Whether visitors can [report a link](visitors.md#report-a-link) to [you](operate.md#reports) at `/+report` of its',
    'domain.',
  ),
};

/**
 * The most deliveries per second for one URL. Each is written to the URL's queue and deleted from it, and the queue is
 * one partition, which takes 1,000 write units a second (docs/aws.md).
 */
const mostWebhooksASecond = 500;

const webhooks = {
  webhookRate: says(
    z.number().positive().max(mostWebhooksASecond).default(25),
    "The most calls a second that a workspace's [webhooks](webhooks.md#more-webhooks-than-your-url-gets) make to one host;",
    `at most ${mostWebhooksASecond}. 0.5 is a call every two seconds.`,
  ),
  webhookSenders: says(
    count.default(10),
    'The most senders of webhooks that one run starts, each for 40 URLs. They [share](operate.md#how-many-senders-run)',
    "the account's executions with visitors.",
  ),
};

const watch = {
  alarmEmail: says(
    z
      .string()
      .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, thatIs('not an email address'))
      .optional(),
    'The email address that gets [alarms](operate.md#alarms), once it has confirmed that to AWS. Alarms',
    '[cost money](cost.md#what-each-setting-costs); without this and `alarmTopicArn`, there are none.',
  ),
  alarmTopicArn: says(
    z
      .string()
      // CloudWatch publishes only to standard topics:
      // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html
      .regex(/^arn:aws[\w-]*:sns:[\w-]+:\d{12}:[\w-]+$/, thatIs('not the ARN of a standard topic of SNS'))
      .optional(),
    'A standard SNS topic of yours for alarms. Its policy must let `cloudwatch.amazonaws.com` publish, and with',
    '`monthlyBudget` also `budgets.amazonaws.com`.',
  ),
  dashboard: says(
    z.boolean().default(false),
    'A [dashboard](operate.md#dashboard). It [costs money](cost.md#what-each-setting-costs), and a line of the log for each',
    'visit.',
  ),
  accessLogs: says(
    z.boolean().default(false),
    'Whether the [log](operate.md#logs) has a line for each visit and request that a function answers.',
  ),
  logRetentionDays: says(z.literal([1, 7, 30, 90]).default(90), 'How many days logs are kept: 1, 7, 30 or 90.'),
  tracing: says(
    z.enum(['off', 'sampled', 'all']).default('sampled'),
    "What X-Ray traces, by the account's sampling rules: `sampled` requests to the API, `all` also visits, events and",
    'schedules, `off` nothing. Traces [cost money](cost.md#what-each-setting-costs).',
  ),
};

const deployment = {
  rollout: says(
    z.enum(['canary', 'all-at-once']).default('canary'),
    'With `canary` and recipients of alarms, alarms [undo](operate.md#undo-a-deployment) a deployment, and each stack that',
    'changes takes some minutes longer. `all-at-once` does neither.',
  ),
  partitionConditions: says(
    z.boolean().default(true),
    'Restricts each function to partitions of its tables. Turn it off only if AWS [denies calls](#if-aws-denies-a-call) for',
    'this reason.',
  ),
  docs: says(
    z.boolean().default(false),
    "Whether everyone sees the API's [reference](api/README.md) at `/docs`, and `/openapi.json`.",
  ),
  console: says(
    z.boolean().default(true),
    'Whether the API serves the [console](console.md) at `/console`, which reads no data without a key or a sign-in.',
  ),
  mcp: says(z.boolean().default(true), 'Whether [programs with a language model](agents.md) may manage links, at `/mcp`.'),
};

/** The settings by purpose, in the order of the tables in docs/deploy.md. */
export const groups = [
  { title: 'Data', purpose: 'what survives, and where it is backed up', settings: data },
  { title: 'Names', purpose: 'where the API and short links are, and which domains may serve', settings: names },
  { title: 'Limits', purpose: 'what a workspace, a stage and an account may use up', settings: limits },
  { title: 'People', purpose: 'who signs in to the console without an API key', settings: people },
  { title: 'Visits, statistics and history', purpose: 'what is recorded, and how long it is kept', settings: records },
  { title: 'Abuse', purpose: 'who may report links', settings: abuse },
  { title: 'Webhooks', purpose: 'how fast they are sent', settings: webhooks },
  { title: 'Watching', purpose: 'who is notified of failures, and what is logged, traced and shown', settings: watch },
  { title: 'Deployment', purpose: 'how a new version goes live, and what it may do', settings: deployment },
] as const;

export const schema = z.strictObject({
  ...data,
  ...names,
  ...limits,
  ...people,
  ...records,
  ...abuse,
  ...webhooks,
  ...watch,
  ...deployment,
});

type DeepReadonly<T> = T extends object ? { readonly [key in keyof T]: DeepReadonly<T[key]> } : T;

/** The settings that differ from the defaults. */
export type SettingsInput = DeepReadonly<z.input<typeof schema>>;

/** All settings of a stage, as `settingsOf` resolves them. */
export type StageSettings = DeepReadonly<ReturnType<typeof resolve>>;

/** Adds derived settings. */
function resolve(settings: z.output<typeof schema>, isLaptop: boolean) {
  const { alarmEmail, alarmTopicArn, apiDomain, domainTarget, keepAwsEndpoints, shortDomains } = settings;
  return {
    ...settings,
    /** The name that workspaces point their domains to; undefined if it is AWS's own name. */
    domainTarget: domainTarget ?? shortDomains.find(({ name }) => !name.startsWith('*'))?.name,
    /** Whether AWS's own name of a gateway is on. */
    awsEndpoints: { api: keepAwsEndpoints || !apiDomain, redirect: keepAwsEndpoints || shortDomains.length === 0 },
    /** The recipients of alarms: the email address, the ARN of the topic, both or neither. */
    alarmRecipients: [alarmEmail, alarmTopicArn].filter((recipient) => recipient !== undefined),
    /** Whether functions may also call the machine that runs them, at any port and over http. */
    webhookLoopback: isLaptop,
  };
}

/** The errors of settings that contradict each other: the path of one, and the message. */
function contradictions({ shortDomains, ...settings }: z.output<typeof schema>, isLaptop: boolean) {
  const found: { path: (string | number)[]; message: string }[] = [];
  const { apiDomain, domainTarget, monthlyBudget, alarmEmail, alarmTopicArn, signIn } = settings;
  if (apiDomain && shortDomains.some(({ name }) => name === apiDomain.name)) {
    const message = `${apiDomain.name} is also a short domain: a name can lead to only one of the two gateways`;
    found.push({ path: ['apiDomain', 'name'], message });
  }
  if (!domainTarget && shortDomains.length && shortDomains.every(({ name }) => name.startsWith('*'))) {
    const message = 'shortDomains has only wildcards: set a name under one of them, which workspaces can point their domains to';
    found.push({ path: ['domainTarget'], message });
  }
  if (monthlyBudget !== undefined && alarmEmail === undefined && alarmTopicArn === undefined) {
    found.push({ path: ['monthlyBudget'], message: 'set alarmEmail or alarmTopicArn, or nobody would be notified' });
  }
  if (signIn && !isIssuer(signIn.issuer, isLaptop)) {
    found.push({ path: ['signIn', 'issuer'], message: notAnIssuer(signIn.issuer) });
  }
  return found;
}

const notAnIssuer = (issuer: string): string => `${quote(issuer)} must be the https URL that the provider calls its issuer`;

/** On a laptop, the provider may be on the same machine. */
function isIssuer(issuer: string, isLaptop: boolean): boolean {
  const url = URL.parse(issuer);
  if (!url || url.search || url.hash || url.username || issuer.includes('/.well-known/')) return false;
  return url.protocol === 'https:' || (isLaptop && isLoopbackHost(url.hostname));
}

/**
 * Checks settings and adds the defaults.
 *
 * @param given what differs from the defaults, such as the content of a file.
 * @param source its origin, with which errors begin.
 * @param isLaptop whether the stage is the laptop's, whose functions may call the machine itself.
 * @throws Error with one line for the operator: the path and the error of each wrong setting.
 */
export function settingsOf(given: SettingsInput, source = 'settings', isLaptop = false): StageSettings {
  const settings = parsed(schema, given, source);
  const contradicting = contradictions(settings, isLaptop);
  if (contradicting.length)
    throw refused(
      source,
      contradicting.map(({ path, message }) => `${path.join('.')}: ${message}`),
    );
  return resolve(settings, isLaptop);
}

/**
 * Checks the provider of a laptop, which may be on the machine itself.
 *
 * @param given the content of the file.
 * @param source its name, with which errors begin.
 * @throws Error with one line: the path and the error of each wrong setting, without secrets.
 */
export function laptopSignInOf(given: unknown, source: string): DeepReadonly<z.output<typeof laptopSignIn>> {
  const signIn = parsed(laptopSignIn, given, source);
  if (!isIssuer(signIn.issuer, true)) throw refused(source, [`issuer: ${notAnIssuer(signIn.issuer)}`]);
  return signIn;
}

const refused = (source: string, errors: readonly string[]): Error => new Error(`${source}: ${errors.join('; ')}`);

/** @throws Error with one line */
function parsed<T extends z.ZodObject>(schema: T, given: unknown, source: string): z.output<T> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const names = Object.keys(schema.shape);
  throw refused(
    source,
    result.error.issues.flatMap((issue) => linesOf(issue, given, names)),
  );
}

/** Converts an error of zod: the path of each setting, and its error. @param names of the settings */
function linesOf(issue: z.core.$ZodIssue, given: unknown, names: readonly string[]): string[] {
  const at = (message: string, path: readonly PropertyKey[] = issue.path) => `${path.map(String).join('.') || 'it'}: ${message}`;
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) =>
        at(`there is no such setting${issue.path.length ? '' : meant(key, names)}`, [...issue.path, key]),
      );
    case 'custom':
    case 'invalid_format':
    case 'invalid_union':
      return [at(issue.message)];
    case 'too_small':
      if (!issue.inclusive) return [at(`must be above ${issue.minimum}`)];
      if (issue.origin !== 'number' && issue.origin !== 'int') return [at(issue.message)];
  }
  return toFieldErrors(issue, given).map(({ message }) => at(message));
}

/** Suggests a setting with a similar name, if there is one. */
function meant(key: string, names: readonly string[]): string {
  const closest = names
    .map((name) => ({ name, distance: distance(name.toLowerCase(), key.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return closest && closest.distance <= 3 ? `: did you mean ${closest.name}?` : '';
}

/** How many letters must be added, removed or replaced to get from one text to the other (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
