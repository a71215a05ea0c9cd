import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openManagedDomains } from '../../local/managed-domains.ts';

// The rules of the stand-in for ACM and API Gateway, with AWS's documents for each.

const acmApi = 'https://docs.aws.amazon.com/acm/latest/APIReference';
const acmGuide = 'https://docs.aws.amazon.com/acm/latest/userguide';
const gatewayApi = 'https://docs.aws.amazon.com/apigatewayv2/latest/api-reference';
const gatewayGuide = 'https://docs.aws.amazon.com/apigateway/latest/developerguide';

const host = 'go.acme.example';
const minute = 60_000;
const hour = 60 * minute;
const days = 24 * hour;

let time: number;
let cnames: Map<string, string>;
let aws: ReturnType<typeof openManagedDomains>;
const open = (options: Partial<Parameters<typeof openManagedDomains>[0]> = {}) =>
  openManagedDomains({
    lookUp: async (name) => [...cnames].flatMap(([record, value]) => (record === name ? [value] : [])),
    now: () => time,
    ...options,
  });
beforeEach(() => {
  time = 0;
  cnames = new Map();
  aws = open();
});

/** The body of an answer, or the name of the error. */
// biome-ignore lint/suspicious/noExplicitAny: each call has its own answer.
async function send(call: { method?: string; url?: string; target?: string; body?: object }): Promise<any> {
  const { method = 'POST', url = '/', target = '', body } = call;
  const answer = await aws.answer({ method, url, target, body: body ? JSON.stringify(body) : '' });
  if (answer === undefined || answer === 'lost') return answer;
  const { __type: error, ...content } = (answer.body ?? {}) as { __type?: string };
  return error === undefined ? { status: answer.status, ...content } : `${answer.status} ${error}`;
}
const acm = (operation: string, body: object) => send({ target: `CertificateManager.${operation}`, body });
const request = (more: object = {}) =>
  acm('RequestCertificate', { DomainName: host, ValidationMethod: 'DNS', IdempotencyToken: 'one', ...more });
const arnOf = async (more: object = {}): Promise<string> => (await request(more)).CertificateArn;
const describeOf = async (arn: string) => (await acm('DescribeCertificate', { CertificateArn: arn })).Certificate;
const recordOf = async (arn: string) => (await describeOf(arn)).DomainValidationOptions[0].ResourceRecord;
async function issued(more: object = {}): Promise<string> {
  const arn = await arnOf(more);
  const { Name, Value } = await recordOf(arn);
  cnames.set(Name.slice(0, -1), Value.slice(0, -1));
  expect(await describeOf(arn)).toMatchObject({ Status: 'ISSUED' });
  return arn;
}
const names = (method: string, path = '', body?: object) =>
  send({ method, url: `/v2/domainnames${path}`, ...(body && { body }) });
const makeName = (certificateArn: string, domainName = host) =>
  names('POST', '', { domainName, domainNameConfigurations: [{ certificateArn }], tags: { a: 'b' } });
const mapping = { apiId: 'api', stage: '$default' };

type Row = readonly [what: string, source: string, check: () => Promise<void>];

const rows: readonly Row[] = [
  [
    'The same token names the same certificate for an hour, and after that another one.',
    `${acmApi}/API_RequestCertificate.html`,
    async () => {
      const first = await arnOf();
      time += hour - 1;
      expect(await arnOf()).toBe(first);
      time += 1;
      expect(await arnOf()).not.toBe(first);
    },
  ],
  [
    'Another token, or none, requests another certificate.',
    `${acmApi}/API_RequestCertificate.html`,
    async () => {
      const arns = [await arnOf(), await arnOf({ IdempotencyToken: 'two' }), await arnOf({ IdempotencyToken: undefined })];
      expect(new Set(arns).size).toBe(3);
    },
  ],
  [
    'A token has up to 32 letters and digits, and the first name up to 64 characters.',
    `${acmApi}/API_RequestCertificate.html`,
    async () => {
      expect(await request({ IdempotencyToken: 'a'.repeat(33) })).toBe('400 ValidationException');
      expect(await request({ IdempotencyToken: 'a-b' })).toBe('400 ValidationException');
      expect(await request({ DomainName: `${'a'.repeat(52)}.acme.example` })).toBe('400 ValidationException');
      expect(await request({ DomainName: `${'a'.repeat(51)}.acme.example` })).toMatchObject({ status: 200 });
    },
  ],
  [
    'Beyond the quota, no certificate is requested until one is deleted.',
    `${acmGuide}/acm-limits.html`,
    async () => {
      aws = open({ quotas: { certificates: 1 } });
      const arn = await arnOf();
      expect(await request({ IdempotencyToken: 'two' })).toBe('400 LimitExceededException');
      await acm('DeleteCertificate', { CertificateArn: arn });
      expect(await request({ IdempotencyToken: 'two' })).toMatchObject({ status: 200 });
    },
  ],
  [
    'All certificates of a name have the same CNAME, and another name has another.',
    `${acmGuide}/dns-validation.html`,
    async () => {
      const record = await recordOf(await arnOf());
      expect(record).toMatchObject({ Type: 'CNAME', Name: expect.stringMatching(/^_\w+\.go\.acme\.example\.$/) });
      expect(await recordOf(await arnOf({ IdempotencyToken: 'two' }))).toEqual(record);
      expect(await recordOf(await arnOf({ DomainName: 'to.acme.example' }))).not.toEqual(record);
    },
  ],
  [
    'A certificate is issued once its CNAME is in the DNS, and has an end.',
    `${acmGuide}/dns-validation.html`,
    async () => {
      const arn = await arnOf();
      expect(await describeOf(arn)).toMatchObject({ Status: 'PENDING_VALIDATION' });
      const { Name } = await recordOf(arn);
      cnames.set(Name.slice(0, -1), 'elsewhere.example');
      expect(await describeOf(arn)).toMatchObject({ Status: 'PENDING_VALIDATION' });
      expect((await describeOf(await issued())).NotAfter).toBe((395 * days) / 1_000);
    },
  ],
  [
    'A certificate whose CNAME is not set times out after 72 hours, for good.',
    `${acmApi}/API_CertificateDetail.html`,
    async () => {
      const arn = await arnOf();
      time += 72 * hour - 1;
      expect(await describeOf(arn)).toMatchObject({ Status: 'PENDING_VALIDATION' });
      time += 1;
      expect(await describeOf(arn)).toMatchObject({ Status: 'VALIDATION_TIMED_OUT' });
      const { Name, Value } = await recordOf(arn);
      cnames.set(Name.slice(0, -1), Value.slice(0, -1));
      expect(await describeOf(arn)).toMatchObject({ Status: 'VALIDATION_TIMED_OUT' });
    },
  ],
  [
    'A certificate that a name uses cannot be deleted, and has that name.',
    `${acmApi}/API_DeleteCertificate.html`,
    async () => {
      const arn = await issued();
      await makeName(arn);
      expect((await describeOf(arn)).InUseBy).toHaveLength(1);
      expect(await acm('DeleteCertificate', { CertificateArn: arn })).toBe('400 ResourceInUseException');
      await names('DELETE', `/${host}`);
      expect(await acm('DeleteCertificate', { CertificateArn: arn })).toEqual({ status: 200 });
    },
  ],
  [
    'A certificate that is gone is not found by any call.',
    `${acmApi}/API_DescribeCertificate.html`,
    async () => {
      const CertificateArn = await arnOf();
      await acm('DeleteCertificate', { CertificateArn });
      for (const operation of ['DescribeCertificate', 'ListTagsForCertificate', 'DeleteCertificate']) {
        expect(await acm(operation, { CertificateArn })).toBe('400 ResourceNotFoundException');
      }
    },
  ],
  [
    'Certificates are listed in pages, and their tags one by one.',
    `${acmApi}/API_ListCertificates.html`,
    async () => {
      const Tags = [{ Key: 'a', Value: 'b' }];
      const arns = [await arnOf({ Tags }), await arnOf({ IdempotencyToken: 'two' }), await arnOf({ IdempotencyToken: 'three' })];
      const first = await acm('ListCertificates', { MaxItems: 2 });
      const second = await acm('ListCertificates', { MaxItems: 2, NextToken: first.NextToken });
      const listed = [first, second].flatMap(({ CertificateSummaryList }) => CertificateSummaryList);
      expect(listed.map(({ CertificateArn }) => CertificateArn)).toEqual(arns);
      expect([first.NextToken, second.NextToken]).toEqual([expect.any(String), undefined]);
      expect(await acm('ListTagsForCertificate', { CertificateArn: arns[0] })).toMatchObject({ Tags });
    },
  ],
  [
    'A name is made with a certificate that is issued, once, and says where it leads.',
    `${gatewayGuide}/how-to-custom-domains.html`,
    async () => {
      expect(await makeName(await arnOf())).toBe('400 BadRequestException');
      time += minute;
      const arn = await issued();
      const made = await makeName(arn);
      expect(made).toMatchObject({ status: 201, domainName: host, tags: { a: 'b' } });
      expect(made.domainNameConfigurations).toMatchObject([
        { certificateArn: arn, domainNameStatus: 'AVAILABLE', apiGatewayDomainName: expect.stringMatching(/^d-/) },
      ]);
      time += minute;
      expect(await makeName(arn)).toBe('409 ConflictException');
      expect((await names('GET')).items).toEqual([{ ...made, status: undefined }]);
    },
  ],
  [
    'Beyond the quota of names, none is made.',
    `${gatewayGuide}/api-gateway-execution-service-limits-table.html`,
    async () => {
      aws = open({ quotas: { names: 1, betweenNameCallsMs: 0 } });
      const arn = await issued();
      await makeName(arn);
      expect(await makeName(arn, 'to.acme.example')).toBe('429 TooManyRequestsException');
    },
  ],
  [
    'A name is created, changed and deleted once in 30 seconds each.',
    `${gatewayGuide}/limits.html`,
    async () => {
      const arn = await issued();
      await makeName(arn);
      expect(await makeName(arn, 'to.acme.example')).toBe('429 TooManyRequestsException');
      const change = () => names('PATCH', `/${host}`, { domainNameConfigurations: [{ certificateArn: arn }] });
      expect([(await change()).status, await change()]).toEqual([200, '429 TooManyRequestsException']);
      time += 30_000;
      expect((await makeName(arn, 'to.acme.example')).status).toBe(201);
      expect(await names('DELETE', `/${host}`)).toEqual({ status: 204 });
      expect(await names('DELETE', '/to.acme.example')).toBe('429 TooManyRequestsException');
    },
  ],
  [
    'A name is mapped to one API at its root, until the mapping or the name is deleted.',
    `${gatewayApi}/domainnames-domainname-apimappings.html`,
    async () => {
      await makeName(await issued());
      const made = await names('POST', `/${host}/apimappings`, mapping);
      expect(made).toMatchObject({ status: 201, ...mapping, apiMappingKey: '' });
      expect(await names('POST', `/${host}/apimappings`, mapping)).toBe('409 ConflictException');
      const { status: _, ...listed } = made;
      expect((await names('GET', `/${host}/apimappings`)).items).toEqual([listed]);
      expect(await names('DELETE', `/${host}/apimappings/${made.apiMappingId}`)).toEqual({ status: 204 });
      expect(await names('DELETE', `/${host}/apimappings/${made.apiMappingId}`)).toBe('404 NotFoundException');
    },
  ],
  [
    'A name that does not exist is not found by any call.',
    `${gatewayApi}/domainnames-domainname.html`,
    async () => {
      const configured = { domainNameConfigurations: [{ certificateArn: await issued() }] };
      for (const answer of [
        names('GET', `/${host}`),
        names('PATCH', `/${host}`, configured),
        names('DELETE', `/${host}`),
        names('GET', `/${host}/apimappings`),
        names('POST', `/${host}/apimappings`, mapping),
      ])
        expect(await answer).toBe('404 NotFoundException');
    },
  ],
];

describe("The stand-in for ACM and API Gateway does what AWS's documents say:", () => {
  test.for(rows)('%s (%s)', ([, , check]) => check());
});

test('The stand-in keeps its state over a restart, and does not answer calls to other services.', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'links-certificates-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'certificates.json');
  aws = open({ file });
  const arn = await issued();
  await makeName(arn);
  const { state } = aws;
  aws = open({ file });
  expect(aws.state).toEqual(state);
  for (const call of [
    { target: 'CertificateManager.ImportCertificate', body: {} },
    { target: 'AWSEvents.EnableRule', body: {} },
    { method: 'GET', url: '/v2/apis' },
    { method: 'PUT', url: '/v2/domainnames' },
  ])
    expect(await send(call)).toBeUndefined();
});
