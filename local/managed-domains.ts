import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { account, region } from './template/resources.ts';

// Stands in for AWS Certificate Manager and for the custom domain names of API Gateway: the few calls that the service
// makes, as AWS documents them. A certificate is issued once its CNAME is in the DNS.

/** A call of one of the two services. @property target the header `X-Amz-Target`, which ACM's calls have */
type DomainCall = { readonly method: string; readonly url: string; readonly target: string; readonly body: string };

type DomainAnswer = { readonly status: number; readonly body?: object };

type Tags = Record<string, string>;

type StoredCertificate = {
  readonly arn: string;
  readonly host: string;
  readonly tags: Tags;
  readonly token: string | undefined;
  readonly requestedAt: number;
  status: string;
  failure?: string | undefined;
  renewal?: { readonly RenewalStatus: string; readonly RenewalStatusReason?: string } | undefined;
  endsAt?: number | undefined;
};

type StoredMapping = {
  readonly ApiMappingId: string;
  readonly ApiId: string;
  readonly ApiMappingKey: string;
  readonly Stage: string;
};

type StoredName = {
  readonly host: string;
  readonly tags: Tags;
  readonly target: string;
  certificateArn: string;
  mappings: StoredMapping[];
};

/** The state of the two services. */
type DomainState = { certificates: StoredCertificate[]; names: StoredName[] };

type Options = {
  /** Where the state is kept. By default, only in memory. */
  readonly file?: string;
  /** The values of a CNAME in the DNS. */
  readonly lookUp: (name: string) => Promise<readonly string[]>;
  /** The time, in milliseconds since 1970. */
  readonly now?: () => number;
  /** AWS's quotas and rates, unless a test has others. */
  readonly quotas?: Partial<typeof quotasOnAws>;
  /** The fault of a call: AWS throttles it, or it is lost before it is executed, or its response is lost afterwards. */
  readonly fault?: (call: string) => 'throttled' | 'lost-before' | 'lost-after' | undefined;
};

/**
 * https://docs.aws.amazon.com/acm/latest/userguide/acm-limits.html,
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html: CreateDomainName, UpdateDomainName and
 * DeleteDomainName are allowed once in 30 seconds each,
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
const quotasOnAws = { certificates: 2_500, names: 120, betweenNameCallsMs: 30_000 };

/**
 * "Idempotency tokens time out after one hour":
 * https://docs.aws.amazon.com/acm/latest/APIReference/API_RequestCertificate.html
 */
const tokenMs = 60 * 60_000;
/** https://docs.aws.amazon.com/acm/latest/APIReference/API_CertificateDetail.html: "for 72 hours and then times out" */
const validationMs = 72 * 60 * 60_000;
const certificateMs = 395 * 24 * 60 * 60_000;

/** An error response of AWS. */
class Refusal extends Error {
  readonly status: number;
  constructor(name: string, message: string, status = 400) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

export type ManagedDomains = {
  /** The response to a call; undefined if the call is for another service, and `lost` if there is no response. */
  readonly answer: (call: DomainCall) => Promise<DomainAnswer | 'lost' | undefined>;
  /** Tests may change it, as people and AWS do. */
  readonly state: DomainState;
};

/** The values of a CNAME in the DNS of a server. @param server `<address>:<port>` */
export const lookUpIn = (server: string) => async (name: string) => {
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  resolver.setServers([server]);
  return resolver.resolveCname(name).catch(() => []);
};

/** Opens the two services. */
export function openManagedDomains({ file, lookUp, now = Date.now, quotas: given, fault }: Options): ManagedDomains {
  const quotas = { ...quotasOnAws, ...given };
  const state = readState(file);
  const acm = certificateCalls(state, { lookUp, now, most: quotas.certificates });
  const gateway = nameCalls(state, { now, quotas });

  const callOf = ({
    method,
    url,
    target,
    body,
  }: DomainCall): { name: string; run: () => Promise<object | undefined> } | undefined => {
    const [, operation = ''] = /^CertificateManager\.(\w+)$/.exec(target) ?? [];
    if (operation in acm) return { name: operation, run: async () => acm[operation as keyof typeof acm](JSON.parse(body)) };
    const [, path] = /^\/v2\/domainnames(\/[^?]*)?(\?|$)/.exec(url) ?? [url];
    if (!/^\/v2\/domainnames/.test(url)) return undefined;
    const [host, mappings, id] = (path ?? '').split('/').slice(1).map(decodeURIComponent);
    const found = gateway(method, { host, mappings, id }, body === '' ? {} : JSON.parse(body));
    return found && { name: found.name, run: async () => found.run() };
  };

  return {
    state,
    answer: async (call) => {
      const known = callOf(call);
      if (!known) return undefined;
      const mishap = fault?.(known.name);
      if (mishap === 'lost-before') return 'lost';
      try {
        if (mishap === 'throttled') throw throttledAs(known.name in acm);
        const body = await known.run();
        if (file) save(file, state);
        if (mishap === 'lost-after') return 'lost';
        return { status: statusOf(known.name), ...(body && { body }) };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { status: error.status, body: { __type: error.name, message: error.message } };
      }
    },
  };
}

const throttledAs = (isAcm: boolean): Refusal =>
  isAcm ? new Refusal('ThrottlingException', 'Rate exceeded') : new Refusal('TooManyRequestsException', 'Too Many Requests', 429);

/** https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames.html */
const statusOf = (name: string): number => (/^Create/.test(name) ? 201 : /^Delete(?!Certificate)/.test(name) ? 204 : 200);

function readState(file: string | undefined): DomainState {
  try {
    if (file) return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return { certificates: [], names: [] };
}

function save(file: string, state: DomainState): void {
  writeFileSync(`${file}.new`, JSON.stringify(state, null, 2));
  renameSync(`${file}.new`, file);
}

type CertificateOptions = Required<Pick<Options, 'lookUp' | 'now'>> & { readonly most: number };

/** The CNAME is the same for all certificates of a name in an account, so it is derived from it. */
const recordFor = (host: string) => {
  const digest = createHash('sha256').update(`${account} ${host}`).digest('hex');
  return { Name: `_${digest.slice(0, 32)}.${host}.`, Type: 'CNAME', Value: `_${digest.slice(32)}.acm-validations.example.` };
};

/** The calls of ACM, by their names: https://docs.aws.amazon.com/acm/latest/APIReference/API_Operations.html */
function certificateCalls(state: DomainState, { lookUp, now, most }: CertificateOptions) {
  const find = (arn: unknown): StoredCertificate => {
    const found = state.certificates.find((one) => one.arn === arn);
    if (!found) throw new Refusal('ResourceNotFoundException', `Could not find certificate ${arn}`);
    return found;
  };
  const usersOf = (arn: string) => state.names.filter(({ certificateArn }) => certificateArn === arn).map(({ host }) => host);
  const refresh = async (one: StoredCertificate) => {
    if (one.status !== 'PENDING_VALIDATION') return;
    const { Name, Value } = recordFor(one.host);
    const values = await lookUp(Name.replace(/\.$/, ''));
    if (values.some((value) => `${value}.`.replace(/\.\.$/, '.') === Value)) {
      Object.assign(one, { status: 'ISSUED', endsAt: now() + certificateMs });
    } else if (now() - one.requestedAt >= validationMs) one.status = 'VALIDATION_TIMED_OUT';
  };
  return {
    RequestCertificate: async (input: Record<string, unknown>) => {
      const {
        DomainName,
        IdempotencyToken,
        Tags: tags = [],
        ValidationMethod,
      } = input as {
        DomainName: string;
        IdempotencyToken?: string;
        Tags?: { Key: string; Value: string }[];
        ValidationMethod?: string;
      };
      if (ValidationMethod !== 'DNS') throw new Refusal('ValidationException', 'only DNS validation is supported here');
      if (DomainName.length > 64)
        throw new Refusal('ValidationException', 'the first domain name can have at most 64 characters');
      if (IdempotencyToken !== undefined && !/^\w{1,32}$/.test(IdempotencyToken)) {
        throw new Refusal('ValidationException', 'IdempotencyToken must match \\w+');
      }
      const same = state.certificates.find(
        ({ token, host, requestedAt }) =>
          token !== undefined && token === IdempotencyToken && host === DomainName && now() - requestedAt < tokenMs,
      );
      if (same) return { CertificateArn: same.arn };
      if (state.certificates.length >= most) {
        throw new Refusal('LimitExceededException', 'the number of certificates exceeds the quota');
      }
      const arn = `arn:aws:acm:${region}:${account}:certificate/${randomUUID()}`;
      state.certificates.push({
        arn,
        host: DomainName,
        tags: Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])),
        token: IdempotencyToken,
        requestedAt: now(),
        status: 'PENDING_VALIDATION',
      });
      return { CertificateArn: arn };
    },
    DescribeCertificate: async ({ CertificateArn }: Record<string, unknown>) => {
      const one = find(CertificateArn);
      await refresh(one);
      const { arn, host, status, failure, renewal, endsAt } = one;
      return {
        Certificate: {
          CertificateArn: arn,
          DomainName: host,
          Status: status,
          ...(failure && { FailureReason: failure }),
          ...(endsAt && { NotAfter: endsAt / 1_000 }),
          ...(renewal && { RenewalSummary: renewal }),
          InUseBy: usersOf(arn),
          DomainValidationOptions: [{ DomainName: host, ValidationMethod: 'DNS', ResourceRecord: recordFor(host) }],
        },
      };
    },
    ListCertificates: async ({ MaxItems = 100, NextToken }: Record<string, unknown>) => {
      const from = Number(NextToken ?? 0);
      const page = state.certificates.slice(from, from + Number(MaxItems));
      const isMore = from + page.length < state.certificates.length;
      return {
        CertificateSummaryList: page.map(({ arn, host, status }) => ({ CertificateArn: arn, DomainName: host, Status: status })),
        ...(isMore && { NextToken: String(from + page.length) }),
      };
    },
    ListTagsForCertificate: async ({ CertificateArn }: Record<string, unknown>) => ({
      Tags: Object.entries(find(CertificateArn).tags).map(([Key, Value]) => ({ Key, Value })),
    }),
    DeleteCertificate: async ({ CertificateArn }: Record<string, unknown>) => {
      const { arn } = find(CertificateArn);
      if (usersOf(arn).length > 0) throw new Refusal('ResourceInUseException', `Certificate ${arn} is in use.`);
      state.certificates = state.certificates.filter((one) => one.arn !== arn);
      return {};
    },
  };
}

type NameOptions = Required<Pick<Options, 'now'>> & { readonly quotas: typeof quotasOnAws };
type Place = { readonly host: string | undefined; readonly mappings: string | undefined; readonly id: string | undefined };

/** What the SDK sends with these calls. */
type NameBody = {
  readonly domainName?: string;
  readonly tags?: Tags;
  readonly domainNameConfigurations?: readonly { readonly certificateArn?: string }[];
  readonly apiId?: string;
  readonly apiMappingKey?: string;
  readonly stage?: string;
};

/** The calls of API Gateway: https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames.html */
function nameCalls(state: DomainState, { now, quotas }: NameOptions) {
  const last = new Map<string, number>();
  const limited = (name: string) => {
    if (now() - (last.get(name) ?? Number.NEGATIVE_INFINITY) < quotas.betweenNameCallsMs) throw throttledAs(false);
    last.set(name, now());
  };
  const find = (host: string): StoredName => {
    const found = state.names.find((one) => one.host === host);
    if (!found) throw new Refusal('NotFoundException', 'Invalid domain name identifier specified', 404);
    return found;
  };
  const shown = ({ host, tags, target, certificateArn }: StoredName) => ({
    domainName: host,
    apiMappingSelectionExpression: '$request.basepath',
    tags,
    domainNameConfigurations: [
      {
        apiGatewayDomainName: target,
        certificateArn,
        domainNameStatus: 'AVAILABLE',
        endpointType: 'REGIONAL',
        hostedZoneId: 'Z000000000000000000000',
        ipAddressType: 'dualstack',
        securityPolicy: 'TLS_1_2',
      },
    ],
  });
  const usable = (arn: string): string => {
    const isIssued = state.certificates.some((one) => one.arn === arn && one.status === 'ISSUED');
    if (!isIssued) throw new Refusal('BadRequestException', `The certificate ${arn} cannot be used`);
    return arn;
  };
  return (
    method: string,
    { host, mappings, id }: Place,
    body: NameBody,
  ): { name: string; run: () => object | undefined } | undefined => {
    const arn = body.domainNameConfigurations?.[0]?.certificateArn ?? '';
    if (host === undefined) {
      if (method === 'GET') return { name: 'GetDomainNames', run: () => ({ items: state.names.map(shown) }) };
      if (method !== 'POST') return undefined;
      return {
        name: 'CreateDomainName',
        run: () => {
          limited('CreateDomainName');
          if (state.names.some((one) => one.host === body.domainName)) {
            throw new Refusal('ConflictException', 'The domain name you provided already exists.', 409);
          }
          if (state.names.length >= quotas.names) {
            throw new Refusal(
              'TooManyRequestsException',
              'Maximum number of domain names for this account has been reached.',
              429,
            );
          }
          const target = `d-${randomBytes(5).toString('hex')}.execute-api.localhost`;
          const { domainName = '', tags = {} } = body;
          const name: StoredName = { host: domainName, tags, target, certificateArn: usable(arn), mappings: [] };
          state.names.push(name);
          return shown(name);
        },
      };
    }
    if (mappings === undefined) {
      if (method === 'GET') return { name: 'GetDomainName', run: () => shown(find(host)) };
      if (method === 'PATCH') {
        return {
          name: 'UpdateDomainName',
          run: () => {
            const name = find(host);
            limited('UpdateDomainName');
            name.certificateArn = usable(arn);
            return shown(name);
          },
        };
      }
      if (method !== 'DELETE') return undefined;
      return {
        name: 'DeleteDomainName',
        run: () => {
          find(host);
          limited('DeleteDomainName');
          state.names = state.names.filter((one) => one.host !== host);
          return undefined;
        },
      };
    }
    if (id === undefined && method === 'GET')
      return { name: 'GetApiMappings', run: () => ({ items: find(host).mappings.map(lowerFirst) }) };
    if (id === undefined && method === 'POST') {
      return {
        name: 'CreateApiMapping',
        run: () => {
          const name = find(host);
          const { apiId = '', apiMappingKey = '', stage = '' } = body;
          if (name.mappings.some(({ ApiMappingKey }) => ApiMappingKey === apiMappingKey)) {
            throw new Refusal('ConflictException', 'ApiMapping key already exists for this domain name', 409);
          }
          const made = { ApiMappingId: randomBytes(3).toString('hex'), ApiId: apiId, ApiMappingKey: apiMappingKey, Stage: stage };
          name.mappings.push(made);
          return lowerFirst(made);
        },
      };
    }
    if (method !== 'DELETE') return undefined;
    return {
      name: 'DeleteApiMapping',
      run: () => {
        const name = find(host);
        if (!name.mappings.some(({ ApiMappingId }) => ApiMappingId === id)) {
          throw new Refusal('NotFoundException', 'Invalid API mapping identifier specified', 404);
        }
        name.mappings = name.mappings.filter(({ ApiMappingId }) => ApiMappingId !== id);
        return undefined;
      },
    };
  };
}

const lowerFirst = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]));
