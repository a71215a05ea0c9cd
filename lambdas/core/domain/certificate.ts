import { type DnsRecord, targetRecord } from './domain.ts';

// The certificate and the custom domain name that the service makes for a proven domain, on a stage with
// `managedDomains`.

/**
 * The steps of a certificate, in order, and then the problems. Docs: docs/api/domains.md, "A certificate for each
 * domain".
 */
export const certificateStatuses = [
  /** The domain's ownership is not proven yet. */
  'PENDING_OWNERSHIP',
  /** The certificate is being requested. */
  'REQUESTED',
  /** The certificate's CNAME must be set. It has to stay, for renewals. */
  'PENDING_VALIDATION',
  /** The certificate exists, and the name is being made. */
  'ISSUED',
  /** The name exists, and visitors can be sent to it. */
  'PENDING_TRAFFIC',
  /** Visitors are sent to it. */
  'ACTIVE',
  /** Visitors are sent to it, but its certificate is not being renewed. */
  'EXPIRING',
  /** AWS cannot do the next step yet. The service tries again by itself. */
  'WAITING',
  /** Somebody must do something: `detail` says what. */
  'FAILED',
] as const;
type CertificateStatus = (typeof certificateStatuses)[number];

/** A certificate and name, finished or not. */
export type Certificate = {
  readonly host: string;
  /** The domain that they are for. If the domain of that name has another id, they are removed first. */
  readonly domainId: string;
  readonly workspaceId: string;
  /** Identifies the request for the certificate, across retries. Random, and stored before the request. */
  readonly attempt: string | null;
  /** How many certificates have been requested. */
  readonly attempts: number;
  /** When the last one was requested, by the table's clock. 0 if none was. */
  readonly requestedAt: number;
  readonly certificateArn: string | null;
  /** Whether the service may have other certificates for this name. */
  readonly isUntidy: boolean;
  /** The CNAME that allows ACM to issue and renew the certificate. */
  readonly validation: DnsRecord | null;
  /** Where the DNS must send visitors. Null until the name exists and leads to the redirect. */
  readonly target: string | null;
  /** Whether the DNS has been seen to send visitors there. */
  readonly wasReached: boolean;
  readonly status: CertificateStatus;
  /** What is missing or wrong, in a sentence. */
  readonly detail: string | null;
  /** When the status began, by the table's clock. */
  readonly since: number;
  /** When AWS was last asked, by the table's clock. 0 if it never was. */
  readonly checkedAt: number;
  /** AWS is not asked again before that time of the table's clock. */
  readonly notBefore: number;
  /** How many times in a row AWS could not do the next step. */
  readonly refusals: number;
};

/** The state in which a domain's certificate starts. */
export const newCertificate = (host: string, domainId: string, workspaceId: string, now: number): Certificate => ({
  host,
  domainId,
  workspaceId,
  attempt: null,
  attempts: 0,
  requestedAt: 0,
  certificateArn: null,
  isUntidy: true,
  validation: null,
  target: null,
  wasReached: false,
  status: 'REQUESTED',
  detail: null,
  since: now,
  checkedAt: 0,
  notBefore: 0,
  refusals: 0,
});

/** What the API shows of a certificate. */
export type ShownCertificate = {
  readonly status: CertificateStatus;
  /** The records to set, as far as they are known, in this order. All of them have to stay. */
  readonly records: readonly DnsRecord[];
  readonly detail: string | null;
  /** Whether the DNS has been seen to send visitors to the domain's own name. */
  readonly wasReached: boolean;
  /** In ISO 8601. */
  readonly checkedAt: string | null;
};

/** A certificate as the API shows it. */
export const shownCertificate = ({
  host,
  status,
  validation,
  target,
  detail,
  wasReached,
  checkedAt,
}: Certificate): ShownCertificate => ({
  status,
  records: [...(validation ? [validation] : []), ...(target === null ? [] : [targetRecord(host, target)])],
  detail,
  wasReached,
  checkedAt: checkedAt === 0 ? null : new Date(checkedAt).toISOString(),
});

const denying = { before: 'AWS denies the service ', after: '; the operator finds the reason in the log.' } as const;

/**
 * The detail of a certificate whose next step AWS denies.
 *
 * @param action such as `apigateway:POST`, as far as it is known
 */
export const denial = (action: string): string => `${denying.before}${action}${denying.after}`;

/** The action that AWS denies, by a certificate's detail; undefined if the detail says something else. */
export const deniedIn = (detail: string | null): string | undefined =>
  detail?.startsWith(denying.before) ? detail.slice(denying.before.length, -denying.after.length) : undefined;

/** The certificate of a claim, which does not exist yet. */
export const unownedCertificate: ShownCertificate = {
  status: 'PENDING_OWNERSHIP',
  records: [],
  detail: null,
  wasReached: false,
  checkedAt: null,
};

/** The certificate of a proven domain before its first step. */
export const unbegunCertificate: ShownCertificate = { ...unownedCertificate, status: 'REQUESTED' };

/**
 * The longest name that a certificate can be requested for. A longer one could only be an additional name:
 * https://docs.aws.amazon.com/acm/latest/APIReference/API_RequestCertificate.html
 */
export const longestCertifiedName = 64;

/** The tag of everything that a stage makes in AWS for domains. Its value is the id of the stage's redirect API. */
export const stageTag = 'links-redirect';
/** The tag with the id of the domain that it was made for. */
export const domainTag = 'links-domain';
/** The tag of a certificate with the attempt that requested it. */
export const attemptTag = 'links-attempt';

/**
 * The custom domain names that AWS allows an account and region, and how many of them raise the alarm:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
export const gatewayNames = { quota: 120, warnFrom: 100 } as const;

const minute = 60_000;
const hour = 60 * minute;

/** How long to back off after this many refusals in a row, in milliseconds: up to an hour. @param random 0 to 1 */
export const pauseAfter = (refusals: number, random: number): number =>
  Math.min(2 ** (refusals - 1), 60) * minute * (0.5 + random / 2);

/**
 * How long after a request the next certificate may be requested, in milliseconds: AWS allows an account 5,000 a year
 * (https://docs.aws.amazon.com/acm/latest/userguide/acm-limits.html), and a mistake in the DNS fails at once.
 */
export const betweenRequests = (attempts: number): number => Math.min(10 * 2 ** Math.max(0, attempts - 1), 24 * 60) * minute;

/**
 * For how long each minute's run checks for records that somebody has to set, in milliseconds. Then only hourly runs
 * do.
 */
const soonMs = 72 * hour;

const soonStatuses: readonly CertificateStatus[] = ['REQUESTED', 'PENDING_VALIDATION', 'ISSUED', 'PENDING_TRAFFIC', 'WAITING'];

/** Whether something may happen soon, so that each minute's run must check. */
export const isPending = ({ status, since }: Pick<Certificate, 'status' | 'since'>, now: number): boolean =>
  soonStatuses.includes(status) && Math.abs(now - since) < soonMs;

/** How often an active domain's certificate is checked, in milliseconds. */
const settledMs = 23 * hour;

/**
 * Whether the hourly run should check a certificate. Times in the far future come from wrong clocks and are ignored.
 */
export const isDue = ({ status, checkedAt, notBefore }: Certificate, now: number): boolean =>
  status === 'ACTIVE' ? Math.abs(now - checkedAt) >= settledMs : mayAsk({ notBefore }, now);

/** Whether AWS may be asked again. A pause is at most an hour, so a later time comes from a wrong clock. */
export const mayAsk = ({ notBefore }: Pick<Certificate, 'notBefore'>, now: number): boolean =>
  now >= notBefore || notBefore - now > hour;

/** A certificate that ends within this time is a problem, in milliseconds. ACM renews 60 days before the end. */
export const expiringMs = 30 * 24 * hour;
