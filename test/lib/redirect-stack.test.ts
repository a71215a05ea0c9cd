import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { type ShortDomain, stageOf } from '../../lib/stages.ts';
import { loadTemplate } from '../../local/template/template.ts';
import { stacksOf } from '../support/stacks.ts';

const dev = stageOf('dev');
const withDomains = (shortDomains: readonly ShortDomain[]) => stacksOf({ ...dev, settings: { ...dev.settings, shortDomains } });
const arnOf = (name: string) => `arn:aws:acm:eu-central-1:111122223333:certificate/${name}`;

const { redirect: plain } = stacksOf(dev);
const domains: readonly ShortDomain[] = [
  { name: 'go.example.com', certificateArn: arnOf('go'), hostedZoneId: 'Z0123456789ABCDEFGHIJ' },
  { name: '*.links.example', certificateArn: arnOf('wild') },
  // The same letters as the one before, which is all that CloudFormation takes in a name.
  { name: 'links.example', certificateArn: arnOf('tame') },
];
const { app, redirect: served } = withDomains(domains);

test('every request of any method and path goes to the one function, by payload format 2.0', () => {
  plain.allResourcesProperties('AWS::ApiGatewayV2::Route', { RouteKey: '$default', AuthorizationType: 'NONE' });
  plain.resourceCountIs('AWS::ApiGatewayV2::Route', 1);
  plain.hasResourceProperties('AWS::ApiGatewayV2::Integration', {
    IntegrationType: 'AWS_PROXY',
    IntegrationUri: { 'Fn::GetAtt': [Match.stringLikeRegexp('^redirect'), 'Arn'] },
    PayloadFormatVersion: '2.0',
  });
  plain.hasResourceProperties('AWS::ApiGatewayV2::Stage', { StageName: '$default', AutoDeploy: true });
  plain.resourceCountIs('AWS::Lambda::Function', 1);
});

test('a click that was not recorded is a metric of the stage', () => {
  plain.hasResourceProperties('AWS::Logs::MetricFilter', {
    FilterPattern: '{ $.message.message = "click not recorded" }',
    LogGroupName: { Ref: Match.stringLikeRegexp('^redirectlogs') },
    MetricTransformations: [{ MetricNamespace: 'Links/dev', MetricName: 'ClicksNotRecorded', MetricValue: '1' }],
  });
});

test('without short domains the API is reached by the name that AWS gives it', () => {
  plain.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: false });
  plain.resourceCountIs('AWS::ApiGatewayV2::DomainName', 0);
  plain.hasOutput('RedirectUrl', {});
});

describe('with short domains', () => {
  test('the API is reached by them alone', () => {
    served.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: true });
    expect(served.findOutputs('RedirectUrl')).toEqual({});
  });

  test.for(domains)('$name has its certificate, TLS 1.2 and the whole of the API', ({ name, certificateArn }) => {
    const [[id] = []] = Object.entries(
      served.findResources('AWS::ApiGatewayV2::DomainName', { Properties: { DomainName: name } }),
    );
    served.hasResourceProperties('AWS::ApiGatewayV2::DomainName', {
      DomainName: name,
      DomainNameConfigurations: [{ CertificateArn: certificateArn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' }],
    });
    served.hasResourceProperties('AWS::ApiGatewayV2::ApiMapping', {
      DomainName: { Ref: id },
      Stage: '$default',
      ApiMappingKey: Match.absent(),
    });
  });

  test('one in a hosted zone has its record there', () => {
    served.resourceCountIs('AWS::Route53::RecordSet', 1);
    served.hasResourceProperties('AWS::Route53::RecordSet', {
      Name: 'go.example.com.',
      Type: 'A',
      HostedZoneId: 'Z0123456789ABCDEFGHIJ',
      AliasTarget: {
        DNSName: { 'Fn::GetAtt': [Match.stringLikeRegexp('^goexamplecom'), 'RegionalDomainName'] },
        HostedZoneId: { 'Fn::GetAtt': [Match.stringLikeRegexp('^goexamplecom'), 'RegionalHostedZoneId'] },
      },
    });
  });

  test('for each other one an output says what its record has to name', () => {
    const targets = Object.values(served.findOutputs('*')).filter(({ Description }) => Description);
    expect(targets).toMatchObject([
      {
        Description: expect.stringContaining('point *.links.example at'),
        Value: { 'Fn::GetAtt': [expect.anything(), 'RegionalDomainName'] },
      },
      {
        Description: expect.stringContaining('point links.example at'),
        Value: { 'Fn::GetAtt': [expect.anything(), 'RegionalDomainName'] },
      },
    ]);
  });

  test('the mapping waits for the stage, which it names without a reference', () => {
    for (const { DependsOn } of Object.values(served.findResources('AWS::ApiGatewayV2::ApiMapping')))
      expect(DependsOn).toContainEqual(expect.stringMatching(/^apiDefaultStage/));
  });

  test('the validator of CloudFormation has nothing to say, and a laptop runs the template', { timeout: 120_000 }, () => {
    expect(() => app.synth()).not.toThrow();
    expect(loadTemplate(app.outdir).ofType('AWS::ApiGatewayV2::Api')).toHaveLength(1);
  });
});
