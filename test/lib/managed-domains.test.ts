import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { localStage } from '../../lib/stages/stages.ts';
import { startAwsApi } from '../../local/aws-api.ts';
import { openManagedDomains } from '../../local/managed-domains.ts';
import { allowing, type IamRequest } from '../support/stacks/iam.ts';
import { functionsOf, type Statement, type Template } from '../support/stacks/policies.ts';
import { stacksOf } from '../support/stacks/stacks.ts';
import { ownStage, ownStageNames } from '../support/stacks/stages.ts';

/** The templates of a stage's stacks. */
const templatesOf = (stage: ReturnType<typeof ownStage>): Template[] =>
  Object.values(stacksOf(stage)).flatMap((stack) => ('toJSON' in stack ? (stack.toJSON() as Template) : []));
const managed = (name: (typeof ownStageNames)[number]) => ownStage(name, { managedDomains: true });

test.for([...ownStageNames.map((name) => ownStage(name)), localStage(3000)])(
  'Without managed domains, no template of $name has a function, right, schedule, alarm or setting for them.',
  (stage) => {
    const text = JSON.stringify(templatesOf(stage));
    expect(text).not.toMatch(/acm:|domainnames|manage-domains|managed_domains|CERTIFICATE#|certificates-failing|domain-names/i);
  },
);

const functions = templatesOf(managed('prod')).flatMap(functionsOf);
const manager = functions.find(({ id }) => /^managedomains/.test(id));

test('With managed domains, only one function may do anything with certificates and names, and it reads no links.', () => {
  const mayName = functions.filter(({ statements }) => /acm:|domainnames/.test(JSON.stringify(statements)));
  expect(mayName.map(({ id }) => id)).toEqual([manager?.id]);
  expect(JSON.stringify(manager?.statements)).not.toMatch(/"LINK#\*"|"KEY#\*"/);
});

test('Only the endpoint that verifies domains may run that function, and neither may run another one.', () => {
  const resource = 'arn:aws:lambda:eu-central-1:111122223333:function:Links-prod-manage-domains';
  const invoking = (statements: readonly Statement[]) =>
    statements.filter(({ Action }) => [Action].flat().includes('lambda:InvokeFunction'));
  const may = functions.filter(
    ({ statements }) => allowing(statements, { action: 'lambda:InvokeFunction', resource }, apiId).length > 0,
  );
  expect(may.map(({ id }) => id)).toEqual([expect.stringMatching(/^verifydomain/)]);
  expect(may.flatMap(({ statements }) => invoking(statements))).toHaveLength(1);
  expect(invoking(manager?.statements ?? [])).toEqual([]);
});

const apiId = 'redirect-api';
const own = { 'links-redirect': apiId };
const arns = 'arn:aws:acm:eu-central-1:111122223333:certificate';
const gateway = (path: string) => `arn:aws:apigateway:eu-central-1::${path}`;
const tagsOf = (kind: string) => gateway(`/tags/arn%3Aaws%3Aapigateway%3Aeu-central-1%3A%3A%2Fv2%2F${kind}%2F*`);

const tagContext = (kind: 'Request' | 'Resource', tags: Readonly<Record<string, string>>) => ({
  ...Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:${kind}Tag/${key}`, value])),
  ...(kind === 'Request' && { 'aws:TagKeys': Object.keys(tags) }),
});

/** The statements of the function that are not about the table, its log or tracing. */
const awsStatements = (manager?.statements ?? []).filter(
  ({ Action }) => !/^(dynamodb|logs|xray|sqs):/.test([Action].flat()[0] ?? ''),
);
const allowed = (request: IamRequest) => allowing(awsStatements, request, apiId);

describe('With managed domains, the policy in AWS', () => {
  let api: Awaited<ReturnType<typeof startAwsApi>>;
  const aws = openManagedDomains({
    lookUp: async (name) => [cnameOf(name)],
    quotas: { betweenNameCallsMs: 0 },
  });
  let cnameOf = (_name: string) => '';
  /** What IAM is asked for the calls that were made. */
  let asked: IamRequest[] = [];

  beforeAll(async () => {
    api = await startAwsApi();
    for (const service of ['ACM', 'APIGATEWAYV2', 'EVENTBRIDGE']) vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, api.endpoint);
    for (const [name, value] of Object.entries({
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      REDIRECT_API_ID: apiId,
    }))
      vi.stubEnv(name, value);
    api.serve({
      invokeLater: () => undefined,
      setRuleEnabled: (rule, isEnabled) => {
        const resource = `arn:aws:events:eu-central-1:111122223333:rule/${rule}`;
        asked.push({ action: `events:${isEnabled ? 'Enable' : 'Disable'}Rule`, resource });
      },
      forDomains: {
        state: aws.state,
        answer: (call) => {
          asked.push(...(call.target === '' ? nameRequests(call) : certificateRequests(call)));
          return aws.answer(call);
        },
      },
    });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await api.stop();
  });
  afterEach(() => {
    asked = [];
  });

  type Call = Parameters<typeof aws.answer>[0];

  /** What IAM is asked for a call of ACM. */
  function certificateRequests({ target, body }: Call): IamRequest[] {
    if (!target.startsWith('CertificateManager.')) return [];
    const operation = target.replace('CertificateManager.', '');
    const { CertificateArn, DomainName, ValidationMethod, Tags = [] } = JSON.parse(body);
    if (operation === 'RequestCertificate') {
      const tags = tagContext('Request', Object.fromEntries(Tags.map(({ Key, Value }: Record<string, string>) => [Key, Value])));
      const context = { ...tags, 'acm:ValidationMethod': ValidationMethod, 'acm:DomainNames': [DomainName] };
      return [
        { action: 'acm:RequestCertificate', resource: '*', context },
        { action: 'acm:AddTagsToCertificate', resource: `${arns}/*`, context: tags },
      ];
    }
    const tags = aws.state.certificates.find(({ arn }) => arn === CertificateArn)?.tags ?? {};
    const resource = CertificateArn === undefined ? '*' : `${arns}/${CertificateArn.split('/')[1]}`;
    return [{ action: `acm:${operation}`, resource, context: tagContext('Resource', tags) }];
  }

  /** What IAM is asked for a call of API Gateway: its method, on the path of the resource. */
  function nameRequests({ method, url, body }: Call): IamRequest[] {
    const path = decodeURIComponent(url.replace(/^\/v2|\?.*$/g, ''));
    if (!path.startsWith('/domainnames')) return [];
    const action = `apigateway:${method}`;
    if (method === 'POST' && path === '/domainnames') {
      const context = tagContext('Request', JSON.parse(body).tags);
      const tagging = ['POST', 'PUT'].map((verb) => ({
        action: `apigateway:${verb}`,
        resource: tagsOf('domainnames'),
        context,
      }));
      return [{ action, resource: gateway(path), context }, ...tagging];
    }
    const tags = aws.state.names.find(({ host }) => host === path.split('/')[2])?.tags ?? {};
    return [{ action, resource: gateway(path), context: tagContext('Resource', tags) }];
  }

  test('allows every call that the code makes, and no action that it does not use.', async () => {
    const certificates = await import('../../lambdas/outbound/certificates.ts');
    const names = await import('../../lambdas/outbound/domain-names.ts');
    const { switchRule } = await import('../../lambdas/outbound/schedules.ts');
    const host = 'go.acme.example';
    const request = (attempt: string) => certificates.requestCertificate(host, { domainId: 'dom_1', attempt });
    const record = async (arn: string) =>
      (await certificates.describeCertificate(arn))?.DomainValidationOptions?.[0]?.ResourceRecord?.Value ?? '';
    const arn = await request('one');
    const value = await record(arn);
    cnameOf = () => value;
    const next = await request('two');
    await Promise.all([record(arn), record(next)]);
    expect(await certificates.ownCertificatesFor(host)).toHaveLength(2);
    expect(await names.makeGatewayName(host, arn, { domainId: 'dom_1' })).toBe(true);
    expect(await names.getGatewayName(host)).toMatchObject({ made: { domainId: 'dom_1' } });
    await names.allGatewayNames();
    await names.changeCertificate(host, next);
    await names.mapToRedirect(host);
    for (const { id } of await names.mappingsOf(host)) await names.deleteMapping(host, id);
    await names.deleteGatewayName(host);
    for (const one of [arn, next]) expect(await certificates.deleteCertificate(one)).toBe(true);
    for (const isOn of [true, false]) await switchRule('Links-prod-certificates', isOn);
    expect(aws.state).toEqual({ certificates: [], names: [] });

    expect(asked.filter((one) => allowed(one).length === 0)).toEqual([]);
    const used = new Set(
      asked.flatMap((one) => allowed(one).map((statement) => `${awsStatements.indexOf(statement)} ${one.action}`)),
    );
    const unused = awsStatements.flatMap(({ Action }, index) =>
      [Action].flat().filter((action) => !used.has(`${index} ${action}`)),
    );
    // API Gateway makes this role itself, on the caller's behalf.
    expect(unused).toEqual(['iam:CreateServiceLinkedRole']);
  });

  const foreign = { service: 'links', 'links-redirect': 'another-api' };
  const name = gateway('/domainnames/go.acme.example');
  const making = { ...tagContext('Request', own), 'acm:ValidationMethod': 'DNS' };
  test.for<[string, IamRequest]>([
    [
      "delete another stage's certificate",
      { action: 'acm:DeleteCertificate', resource: `${arns}/one`, context: tagContext('Resource', foreign) },
    ],
    ['import a certificate', { action: 'acm:ImportCertificate', resource: `${arns}/one`, context: tagContext('Resource', own) }],
    [
      'request a certificate without the tag',
      { action: 'acm:RequestCertificate', resource: '*', context: { 'acm:ValidationMethod': 'DNS' } },
    ],
    [
      'request one that an email validates',
      { action: 'acm:RequestCertificate', resource: '*', context: { ...making, 'acm:ValidationMethod': 'EMAIL' } },
    ],
    [
      'request one with another tag besides',
      {
        action: 'acm:RequestCertificate',
        resource: '*',
        context: { ...making, ...tagContext('Request', { ...own, team: 'a' }) },
      },
    ],
    [
      "take another stage's certificate by its tag",
      {
        action: 'acm:AddTagsToCertificate',
        resource: `${arns}/one`,
        context: { ...tagContext('Request', own), ...tagContext('Resource', foreign) },
      },
    ],
    [
      'take tags away',
      { action: 'acm:RemoveTagsFromCertificate', resource: `${arns}/one`, context: tagContext('Resource', own) },
    ],
    ['change a foreign name', { action: 'apigateway:PATCH', resource: name, context: {} }],
    ["delete another stage's name", { action: 'apigateway:DELETE', resource: name, context: tagContext('Resource', foreign) }],
    ['map a foreign name', { action: 'apigateway:POST', resource: `${name}/apimappings`, context: {} }],
    ['delete a mapping of a foreign name', { action: 'apigateway:DELETE', resource: `${name}/apimappings/one`, context: {} }],
    ['make a name without the tag', { action: 'apigateway:POST', resource: gateway('/domainnames'), context: {} }],
    [
      "take another stage's name by its tag",
      {
        action: 'apigateway:PUT',
        resource: tagsOf('domainnames'),
        context: { ...tagContext('Request', own), ...tagContext('Resource', foreign) },
      },
    ],
    ['tag an API', { action: 'apigateway:POST', resource: tagsOf('apis'), context: tagContext('Request', own) }],
    ['tag a REST API', { action: 'apigateway:PUT', resource: tagsOf('restapis'), context: tagContext('Request', own) }],
    [
      'take tags of a name away',
      { action: 'apigateway:DELETE', resource: tagsOf('domainnames'), context: tagContext('Resource', own) },
    ],
    ['change an API', { action: 'apigateway:PATCH', resource: gateway('/apis/abc'), context: tagContext('Resource', own) }],
    ['read an API', { action: 'apigateway:GET', resource: gateway('/apis/abc'), context: {} }],
    ['switch another rule', { action: 'events:DisableRule', resource: 'arn:aws:events:eu-central-1:111122223333:rule/other' }],
    [
      'make another role',
      {
        action: 'iam:CreateServiceLinkedRole',
        resource: 'arn:aws:iam::111122223333:role/aws-service-role/ecs.amazonaws.com/AWSServiceRoleForECS',
        context: { 'iam:AWSServiceName': 'ecs.amazonaws.com' },
      },
    ],
  ])('does not allow the function to %s.', ([, request]) => {
    expect(allowed(request)).toEqual([]);
  });

  test('lets the function see that a certificate is gone, which has no tags, but delete none without tags.', () => {
    for (const action of ['acm:DescribeCertificate', 'acm:ListTagsForCertificate'])
      expect(allowed({ action, resource: `${arns}/gone`, context: {} })).toHaveLength(1);
    expect(allowed({ action: 'acm:DeleteCertificate', resource: `${arns}/gone`, context: {} })).toEqual([]);
  });

  test('cannot keep the function from tagging what has no tag yet, as SECURITY.md admits.', () => {
    const context = tagContext('Request', own);
    expect(allowed({ action: 'acm:AddTagsToCertificate', resource: `${arns}/one`, context })).toHaveLength(1);
    expect(allowed({ action: 'apigateway:PUT', resource: tagsOf('domainnames'), context })).toHaveLength(1);
  });
});
