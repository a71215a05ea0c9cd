import { linksPerRequest } from '../lambdas/domain/limits.ts';
/** What a function is for: the gateway's authorizer, one endpoint, the visitors, or what follows from the table and the clock. */
export type FunctionKind = 'authorizer' | 'endpoint' | 'redirect' | 'event';

/** A name under which short links are served. */
export type ShortDomain = {
  /** Such as `go.example.com`, or `*.go.example.com` for all names below one. */
  readonly name: string;
  /** Of a certificate in ACM for that name, in the stage's own region. */
  readonly certificateArn: string;
  /** The hosted zone in Route 53 that its record goes into. Without it an output of the stack says what to point the name at. */
  readonly hostedZoneId?: string;
};

/**
 * Settings that differ from stage to stage. A stage is one whole environment; several fit into one account.
 */
export type StageSettings = {
  /** Keep the table when the stack goes: retain, deletion protection, point-in-time recovery, termination protection. */
  readonly keepData: boolean;
  /**
   * Whether each function is held to partitions of the table, too, and not only to actions. It is not documented that AWS names the
   * partition (`dynamodb:LeadingKeys`) for batches of PartiQL and for parts of a transaction: off is the way out if it denies them.
   */
  readonly partitionConditions: boolean;
  /** How many links one bulk request may carry, 1 to 1,000. */
  readonly maxLinksPerImport: number;
  /** What comes before the slug of a short URL, with `{domain}` for the link's domain. */
  readonly shortUrlOrigin: string;
  /**
   * The custom domains of the redirect; workspaces add theirs among them. One with a wildcard stands for any number:
   * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-custom-domain-names.html
   */
  readonly shortDomains?: readonly ShortDomain[];
  /**
   * The name that workspaces point their domains at: one of yours that leads to the redirect. Without it, it is the first of the
   * `shortDomains` that is no wildcard, or the name that AWS gives the redirect's API if there are no short domains.
   */
  readonly domainTarget?: string;
  /**
   * What makes a domain serve whose ownership is proven: that its DNS points at the target, or the operator, who says so by
   * `npm run admin -- domains add`. On AWS a domain needs a certificate and a custom domain name first, so that the DNS alone says too
   * little: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-custom-domain-names.html
   */
  readonly domainActivation: 'dns' | 'operator';
  /**
   * How many requests a second a workspace may send to the API, and how many at once. Of each list of links or tags, searches among them, it
   * may send a tenth of both. The gateway counts them, at no charge and as best it can.
   */
  readonly requestRate: number;
  readonly requestBurst: number;
  /** How many days the record of a click is kept; its link's count stays. */
  readonly clickDays: number;
  /** How many days the functions' logs are kept. One of the values that CloudWatch Logs accepts. */
  readonly logRetentionDays: 7 | 30 | 90;
  /**
   * How many executions at a time are reserved for each function of a kind, and are its limit too; shared with the account where
   * absent. An account must keep 100 unreserved, which a new one may not even have:
   * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
   */
  readonly reservedConcurrency?: Readonly<Partial<Record<FunctionKind, number>>>;
};

/** What the stages begin with. */
const common = {
  partitionConditions: true,
  maxLinksPerImport: linksPerRequest,
  shortUrlOrigin: 'https://{domain}',
  requestRate: 100,
  requestBurst: 1_000,
  clickDays: 30,
  domainActivation: 'operator',
} as const;

/** What an operator may deploy. */
const stages = {
  dev: { ...common, keepData: false, logRetentionDays: 7 },
  staging: { ...common, keepData: false, logRetentionDays: 30 },
  prod: { ...common, keepData: true, logRetentionDays: 90 },
} as const satisfies Record<string, StageSettings>;

export type StageName = keyof typeof stages;

export const stageNames = Object.keys(stages) as StageName[];

export type Stage = { readonly name: StageName | 'local'; readonly settings: StageSettings };

/** The laptop's stage, which is none that can be deployed. @param port where the service is, which the start command chooses. */
export const localStage = (port: number): Stage => ({
  name: 'local',
  settings: {
    keepData: false,
    partitionConditions: true,
    maxLinksPerImport: linksPerRequest,
    shortUrlOrigin: `http://{domain}:${port}`,
    // As much as AWS allows: on a laptop a workspace's scripts and tests keep nobody else out.
    requestRate: 10_000,
    requestBurst: 5_000,
    clickDays: 30,
    domainTarget: 'links.localhost',
    domainActivation: 'dns',
    logRetentionDays: 7,
  },
});

/**
 * What workspaces point their domains at, as far as the settings say; undefined if there is only the name that AWS gives.
 *
 * @throws Error with one line for the operator when there are short domains, but none that a DNS record can name.
 */
export function domainTargetOf({ domainTarget, shortDomains = [] }: StageSettings): string | undefined {
  const target = domainTarget ?? shortDomains.find(({ name }) => !name.startsWith('*'))?.name;
  if (target === undefined && shortDomains.length > 0) {
    throw new Error(
      'shortDomains has only wildcards: set domainTarget to a name under one, for workspaces to point their domains at',
    );
  }
  return target;
}

/**
 * The stage of that name with its settings.
 *
 * @throws Error with one line for the operator when the name is missing or unknown.
 */
export function stageOf(name: unknown): Stage {
  if (typeof name === 'string' && Object.hasOwn(stages, name)) {
    return { name: name as StageName, settings: stages[name as StageName] };
  }
  const got = name === undefined || name === '' ? 'no stage given' : `unknown stage ${JSON.stringify(name)}`;
  throw new Error(`${got}: name one of ${stageNames.join(', ')}, as in: npm run deploy -- -c stage=dev`);
}
