import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import type { CustomDomain, SettingsInput } from '../../lib/stages/settings.ts';
import { localStage } from '../../lib/stages/stages.ts';
import { stacksOf } from '../support/stacks/stacks.ts';
import { ownStage } from '../support/stacks/stages.ts';

const zone = { hostedZoneId: 'Z0123456789ABCDEFGHIJ' };
const certificateArn = 'arn:aws:acm:eu-central-1:111111111111:certificate/a';
const short = (...names: string[]) => ({ shortDomains: names.map((name) => ({ name, certificateArn })) });
const stackWith = (more: SettingsInput) => stacksOf(ownStage('dev', more));
const environmentsOf = ({ api, events }: ReturnType<typeof stacksOf>) =>
  [api, events]
    .flatMap((template) => Object.values(template.findResources('AWS::Lambda::Function')))
    .map(({ Properties }) => Properties.Environment?.Variables ?? {})
    .filter((variables) => 'DOMAIN_TARGET' in variables);

/** AWS's own name of the redirect, as other stacks see it. */
const ownName = {
  'Fn::Join': [
    '',
    [
      { 'Fn::ImportValue': expect.stringMatching(/^Links-dev-Redirect:ExportsOutputRefapi/) },
      '.execute-api.',
      { Ref: 'AWS::Region' },
      '.',
      { Ref: 'AWS::URLSuffix' },
    ],
  ],
};

describe("The target of workspaces' domains", () => {
  test('The target is the one that the stage sets.', () => {
    const targets = environmentsOf(stackWith({ domainTarget: 'links.example.net' })).map(({ DOMAIN_TARGET }) => DOMAIN_TARGET);
    // Six endpoints, and the daily check.
    expect(targets).toEqual(Array.from({ length: 7 }, () => 'links.example.net'));
  });

  test('The target is the first short domain that is not a wildcard if the stage sets none.', () => {
    const shortDomains = ['*.example.com', 'go.example.com', 'try.example.com'].map((name) => ({ name, certificateArn }));
    const targets = environmentsOf(stackWith({ shortDomains })).map(({ DOMAIN_TARGET }) => DOMAIN_TARGET);
    expect(targets).toEqual(Array.from({ length: 7 }, () => 'go.example.com'));
  });

  test('A stage with only wildcards has to set a target, because a record cannot name a wildcard.', () => {
    const shortDomains = [{ name: '*.example.com', certificateArn }];
    expect(() => stackWith({ shortDomains })).toThrow(/^dev: domainTarget: shortDomains has only wildcards: set [^\n]*$/);
    expect(() => stackWith({ shortDomains, domainTarget: 'links.example.com' })).not.toThrow();
  });

  test("The target is AWS's own name for the redirect if the stage has neither.", () => {
    for (const { DOMAIN_TARGET } of environmentsOf(stackWith({}))) {
      expect(DOMAIN_TARGET).toEqual(ownName);
    }
  });
});

test('On AWS, the operator activates a domain; on a laptop, its DNS does.', () => {
  const activations = (stacks: ReturnType<typeof stacksOf>) =>
    environmentsOf(stacks).flatMap(({ DOMAIN_ACTIVATION }) => DOMAIN_ACTIVATION ?? []);
  // One endpoint, and the daily check.
  expect(activations(stackWith({}))).toEqual(['operator', 'operator']);
  expect(activations(stacksOf(localStage(3000)))).toEqual(['dns', 'dns']);
});

test('Domains are checked every hour.', () => {
  const { events } = stackWith({});
  events.hasResourceProperties('AWS::Events::Rule', {
    ScheduleExpression: 'rate(1 hour)',
    Targets: [{ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^checkdomains'), 'Arn'] } }],
  });
});

describe('The names under which the redirect answers', () => {
  const apiDomain = { name: 'api.example.com', certificateArn };

  test.for<[string, SettingsInput, unknown]>([
    ["AWS's own name if the stage has no short domains", { apiDomain }, ownName],
    ['the short domains and wildcards', short('go.example.com', '*.example.net'), 'go.example.com *.example.net'],
    ["no more than that with the API's domain", { ...short('go.example.com'), apiDomain }, 'go.example.com'],
    [
      "not the API's domain below a wildcard",
      { ...short('*.example.com'), domainTarget: 'a.example.com', apiDomain },
      '*.example.com !api.example.com',
    ],
  ])('Endpoints and the daily check know %s.', ([, settings, expected]) => {
    const names = environmentsOf(stackWith(settings)).map(({ SERVED_NAMES }) => SERVED_NAMES);
    expect(names).toEqual(Array.from({ length: 7 }, () => expected));
  });

  test("They also know AWS's own name if the stage keeps it.", () => {
    for (const { SERVED_NAMES } of environmentsOf(stackWith({ ...short('go.example.com'), keepAwsEndpoints: true }))) {
      expect(SERVED_NAMES['Fn::Join'][1].slice(0, 2)).toEqual(['go.example.com ', ownName['Fn::Join'][1]?.[0]]);
    }
  });

  test("The operator's command finds the same names in an output.", () => {
    stackWith(short('go.example.com', '*.example.net')).redirect.hasOutput('ServedNames', {
      Value: 'go.example.com *.example.net',
    });
  });

  test("On a laptop, the functions take every name as one of the redirect's.", () => {
    for (const { SERVED_NAMES } of environmentsOf(stacksOf(localStage(3000)))) expect(SERVED_NAMES).toBe('*');
  });
});

describe('The domain of the API', () => {
  const apiWith = (apiDomain?: CustomDomain, more: SettingsInput = {}) =>
    stackWith({ ...more, ...(apiDomain && { apiDomain }) }).api;
  const named = { name: 'api.example.com', certificateArn };
  const tls = { SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09', EndpointAccessMode: 'STRICT' };
  const reached = { ...tls, EndpointConfiguration: { Types: ['REGIONAL'], IpAddressType: 'dualstack' } };

  test('It serves the whole API at its root, with TLS 1.2 or later and addresses of IPv4 and IPv6.', () => {
    const api = apiWith(named);
    api.hasResourceProperties('AWS::ApiGateway::DomainName', {
      ...reached,
      DomainName: 'api.example.com',
      RegionalCertificateArn: certificateArn,
    });
    const [[domain] = []] = Object.entries(api.findResources('AWS::ApiGateway::DomainName'));
    const [[stage] = []] = Object.entries(api.findResources('AWS::ApiGateway::Stage'));
    api.hasResourceProperties('AWS::ApiGateway::BasePathMapping', {
      DomainName: { Ref: domain },
      BasePath: Match.absent(),
      Stage: { Ref: stage },
    });
    api.hasOutput('ApiUrl', { Value: 'https://api.example.com/' });
  });

  test("AWS's own name of the API has the same TLS and addresses.", () => {
    for (const api of [apiWith(), apiWith(named)]) api.hasResourceProperties('AWS::ApiGateway::RestApi', reached);
  });

  test("AWS's own name of the API is off with a domain, unless the stage keeps it.", () => {
    const isOff = (api: ReturnType<typeof apiWith>) =>
      Object.values(api.findResources('AWS::ApiGateway::RestApi'))[0]?.Properties.DisableExecuteApiEndpoint;
    const others = { ...short('go.example.com') };
    expect(
      [apiWith(), apiWith(undefined, others), apiWith(named), apiWith(named, { keepAwsEndpoints: true })].map(isOff),
    ).toEqual([false, false, true, false]);
  });

  test("Turning AWS's own name off or on makes a new deployment of the API, without which nothing would change.", () => {
    const deploymentOf = (api: ReturnType<typeof apiWith>) => {
      const [[id] = []] = Object.entries(api.findResources('AWS::ApiGateway::Deployment'));
      api.hasResourceProperties('AWS::ApiGateway::Stage', { DeploymentId: { Ref: id } });
      return id;
    };
    const [on, off, kept] = [apiWith(), apiWith(named), apiWith(named, { keepAwsEndpoints: true })].map(deploymentOf);
    expect(off).not.toBe(on);
    expect(kept).toBe(on);
  });

  test('Without a certificate of the operator, the stack makes one that is validated in the zone, with an alarm for it.', () => {
    const own = { apiDomain: { name: 'api.example.com', ...zone }, alarmEmail: 'operators@example.com' };
    // A certificate that a short domain gets is another one.
    for (const more of [{}, { shortDomains: [{ name: 'go.example.com', ...zone }] }]) {
      const { api } = stackWith({ ...own, ...more });
      const [[id, made] = [], ...others] = Object.entries(api.findResources('AWS::CertificateManager::Certificate'));
      expect(others).toEqual([]);
      expect(made?.Properties).toMatchObject({
        DomainName: 'api.example.com',
        ValidationMethod: 'DNS',
        DomainValidationOptions: [{ DomainName: 'api.example.com', HostedZoneId: zone.hostedZoneId }],
      });
      api.hasResourceProperties('AWS::ApiGateway::DomainName', { RegionalCertificateArn: { Ref: id } });
      api.hasResourceProperties('AWS::CloudWatch::Alarm', {
        MetricName: 'DaysToExpiry',
        Dimensions: [{ Name: 'CertificateArn', Value: { Ref: id } }],
      });
    }
  });

  test('In a hosted zone it gets its records; otherwise an output has the target of its record.', () => {
    const inZone = apiWith({ ...named, ...zone });
    for (const Type of ['A', 'AAAA']) {
      inZone.hasResourceProperties('AWS::Route53::RecordSet', {
        Name: 'api.example.com.',
        Type,
        HostedZoneId: zone.hostedZoneId,
        AliasTarget: { DNSName: { 'Fn::GetAtt': [Match.stringLikeRegexp('^apidomain'), 'RegionalDomainName'] } },
      });
    }
    expect(inZone.findOutputs('ApiDnsTarget')).toEqual({});
    const outside = apiWith(named);
    outside.resourceCountIs('AWS::Route53::RecordSet', 0);
    outside.hasOutput('ApiDnsTarget', {
      Description: 'The target for the CNAME or alias record of api.example.com',
      Value: { 'Fn::GetAtt': [Match.stringLikeRegexp('^apidomain'), 'RegionalDomainName'] },
    });
  });
});
