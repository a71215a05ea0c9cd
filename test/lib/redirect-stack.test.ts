import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { countryIn } from '../../lambdas/core/visitor/country-table.ts';
import type { CustomDomain, SettingsInput } from '../../lib/stages/settings.ts';
import { loadTemplate } from '../../local/template/template.ts';
import { stacksOf } from '../support/stacks/stacks.ts';
import { ownStage } from '../support/stacks/stages.ts';

const dev = ownStage('dev');
const withDomains = (shortDomains: readonly CustomDomain[]) => stacksOf(ownStage('dev', { shortDomains }));
const arnOf = (name: string) => `arn:aws:acm:eu-central-1:111122223333:certificate/${name}`;

const { redirect: plain } = stacksOf(dev);
const domains: readonly CustomDomain[] = [
  { name: 'go.example.com', certificateArn: arnOf('go'), hostedZoneId: 'Z0123456789ABCDEFGHIJ' },
  { name: '*.links.example', certificateArn: arnOf('wild') },
  // The same letters as the one before, and CloudFormation allows only letters and digits in a name.
  { name: 'links.example', certificateArn: arnOf('tame') },
];
const { app, redirect: served } = withDomains(domains);

test('Every request of any method and path reaches the one function, with payload format 2.0.', () => {
  plain.allResourcesProperties('AWS::ApiGatewayV2::Route', { RouteKey: '$default', AuthorizationType: 'NONE' });
  plain.resourceCountIs('AWS::ApiGatewayV2::Route', 1);
  plain.hasResourceProperties('AWS::ApiGatewayV2::Integration', {
    IntegrationType: 'AWS_PROXY',
    IntegrationUri: { Ref: Match.stringLikeRegexp('^redirectlive') },
    PayloadFormatVersion: '2.0',
  });
  plain.hasResourceProperties('AWS::ApiGatewayV2::Stage', { StageName: '$default', AutoDeploy: true });
  plain.resourceCountIs('AWS::Lambda::Function', 1);
});

test('Without short domains, the API has the name that AWS gives it.', () => {
  plain.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: false, IpAddressType: 'dualstack' });
  plain.resourceCountIs('AWS::ApiGatewayV2::DomainName', 0);
  plain.hasOutput('RedirectUrl', {});
});

describe('With short domains', () => {
  test('The API is available only under its short domains.', () => {
    served.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: true });
    expect(served.findOutputs('RedirectUrl')).toEqual({});
  });

  test.for(domains)(
    'The domain $name has its certificate, TLS 1.2, addresses of IPv4 and IPv6, and the whole API.',
    ({ name, certificateArn }) => {
      const [[id] = []] = Object.entries(
        served.findResources('AWS::ApiGatewayV2::DomainName', { Properties: { DomainName: name } }),
      );
      served.hasResourceProperties('AWS::ApiGatewayV2::DomainName', {
        DomainName: name,
        DomainNameConfigurations: [
          {
            CertificateArn: certificateArn,
            EndpointType: 'REGIONAL',
            IpAddressType: 'dualstack',
            SecurityPolicy: 'TLS_1_2',
          },
        ],
      });
      served.hasResourceProperties('AWS::ApiGatewayV2::ApiMapping', {
        DomainName: { Ref: id },
        Stage: '$default',
        ApiMappingKey: Match.absent(),
      });
    },
  );

  test('A domain in a hosted zone gets its records there, for IPv4 and IPv6.', () => {
    served.resourceCountIs('AWS::Route53::RecordSet', 2);
    for (const Type of ['A', 'AAAA']) {
      served.hasResourceProperties('AWS::Route53::RecordSet', {
        Name: 'go.example.com.',
        Type,
        HostedZoneId: 'Z0123456789ABCDEFGHIJ',
        AliasTarget: {
          DNSName: { 'Fn::GetAtt': [Match.stringLikeRegexp('^goexamplecom'), 'RegionalDomainName'] },
          HostedZoneId: { 'Fn::GetAtt': [Match.stringLikeRegexp('^goexamplecom'), 'RegionalHostedZoneId'] },
        },
      });
    }
  });

  test.for(['go.example.com', '*.links.example.com'])(
    'Without a certificate of the operator, the stack makes one for %s, validated in its zone, with an alarm for it.',
    (name) => {
      const hostedZoneId = 'Z0123456789ABCDEFGHIJ';
      const shortDomains = [{ name, hostedZoneId }];
      const settings = { shortDomains, domainTarget: 'a.links.example.com', alarmEmail: 'operators@example.com' };
      const { redirect } = stacksOf(ownStage('dev', settings));
      redirect.resourcePropertiesCountIs(
        'AWS::CertificateManager::Certificate',
        {
          DomainName: name,
          Tags: Match.arrayWith([{ Key: 'Name', Value: name.replace('*', 'wildcard') }]),
          ValidationMethod: 'DNS',
          DomainValidationOptions: [{ DomainName: name, HostedZoneId: hostedZoneId }],
        },
        1,
      );
      const [id = ''] = Object.keys(redirect.findResources('AWS::CertificateManager::Certificate'));
      const configured = Match.objectLike({ CertificateArn: { Ref: id } });
      redirect.hasResourceProperties('AWS::ApiGatewayV2::DomainName', {
        DomainName: name,
        DomainNameConfigurations: [configured],
      });
      redirect.resourceCountIs('AWS::Route53::RecordSet', 2);
      redirect.hasResourceProperties('AWS::CloudWatch::Alarm', {
        MetricName: 'DaysToExpiry',
        Dimensions: [{ Name: 'CertificateArn', Value: { Ref: id } }],
      });
    },
  );

  test('A certificate of the operator is used as it is, also with a zone.', () => {
    served.resourceCountIs('AWS::CertificateManager::Certificate', 0);
  });

  test("AWS's own name of the API stays on if the stage keeps it.", () => {
    const { redirect } = stacksOf(ownStage('dev', { shortDomains: domains, keepAwsEndpoints: true }));
    redirect.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: false });
    redirect.hasOutput('RedirectUrl', {});
  });

  test('For each other domain, an output has the target of its record.', () => {
    const targets = Object.values(served.findOutputs('*')).filter(({ Description }) => / record of /.test(Description));
    expect(targets).toMatchObject([
      {
        Description: expect.stringMatching(/record of \*\.links\.example$/),
        Value: { 'Fn::GetAtt': [expect.anything(), 'RegionalDomainName'] },
      },
      {
        Description: expect.stringMatching(/record of links\.example$/),
        Value: { 'Fn::GetAtt': [expect.anything(), 'RegionalDomainName'] },
      },
    ]);
  });

  test('The mapping waits for the stage, which it names without a reference.', () => {
    for (const { DependsOn } of Object.values(served.findResources('AWS::ApiGatewayV2::ApiMapping')))
      expect(DependsOn).toContainEqual(expect.stringMatching(/^apiDefaultStage/));
  });

  test('The local service can load the template.', () => {
    expect(loadTemplate(app.outdir).ofType('AWS::ApiGatewayV2::Api')).toHaveLength(1);
  });
});

test('Without linkReports, the redirect has neither the right to write reports, nor the setting, nor an alarm for them.', () => {
  const settings = { alarmEmail: 'operators@example.com' };
  const on = stacksOf(ownStage('dev', settings)).redirect;
  const off = stacksOf(ownStage('dev', { ...settings, linkReports: false })).redirect;
  const mentions = (template: typeof on) =>
    JSON.stringify(template.toJSON()).match(/REPORT(ER)?#\*|LINK_REPORTS|LinksReported|links-reported/g);
  expect(new Set(mentions(on))).toEqual(new Set(['REPORT#*', 'REPORTER#*', 'LINK_REPORTS', 'LinksReported', 'links-reported']));
  expect(mentions(off)).toBeNull();
});

describe('countryFrom', () => {
  const withCountries = (countryFrom: SettingsInput['countryFrom']) =>
    stacksOf(ownStage('dev', { countryFrom }), { packed: true });
  const network = {
    countryHeader: 'CloudFront-Viewer-Country',
    addressHeader: 'CloudFront-Viewer-Address',
    secretHeader: 'X-Origin-Secret',
    secretSha256: ['0'.repeat(64)],
  };
  /** The setting and the folder of the redirect's function. */
  const redirectOf = ({ app, redirect }: ReturnType<typeof stacksOf>) => {
    app.synth();
    const template = loadTemplate(app.outdir);
    const [resource] = template
      .ofType<{ Code: { S3Key: string } }>('AWS::Lambda::Function')
      .filter(({ properties }) => JSON.stringify(properties).includes('WAITING_CLICKS_QUEUE'));
    const variables = Object.values(redirect.findResources('AWS::Lambda::Function'))[0]?.Properties.Environment.Variables;
    return { from: variables.COUNTRY_FROM, folder: template.assetFolder(resource?.properties.Code.S3Key ?? '') };
  };

  test('If the stage has no source of countries, the redirect has neither the setting nor a table.', () => {
    const { from, folder } = redirectOf(withCountries(dev.settings.countryFrom));
    expect(from).toBeUndefined();
    expect([existsSync(join(folder, 'index.cjs')), existsSync(join(folder, 'countries.bin'))]).toEqual([true, false]);
  });

  test('With a network, the redirect gets the names of its headers in lower case, and only the hash of the secret.', () => {
    const { from } = redirectOf(withCountries(network));
    expect(JSON.parse(from)).toEqual({
      countryHeader: 'cloudfront-viewer-country',
      addressHeader: 'cloudfront-viewer-address',
      secretHeader: 'x-origin-secret',
      secretSha256: ['0'.repeat(64)],
    });
  });

  test('With files, the package of the redirect has the table of countries beside its bundle.', () => {
    const data = mkdtempSync(join(tmpdir(), 'countries-'));
    writeFileSync(join(data, 'ipv4.csv'), '192.0.2.0,192.0.2.255,DE\n');
    writeFileSync(join(data, 'ipv6.csv'), '2001:db8::,2001:db8::ffff:ffff:ffff:ffff,FR\n');
    const { from, folder } = redirectOf(withCountries({ files: [join(data, 'ipv4.csv'), join(data, 'ipv6.csv')] }));
    rmSync(data, { recursive: true });
    expect(JSON.parse(from)).toBe('table');
    expect(existsSync(join(folder, 'index.cjs'))).toBe(true);
    const table = readFileSync(join(folder, 'countries.bin'));
    expect([countryIn(table, '192.0.2.7'), countryIn(table, '2001:db8::7')]).toEqual(['DE', 'FR']);
  });

  test('A missing file is refused.', () => {
    expect(() => withCountries({ files: ['/nonexistent.csv'] })).toThrow(/nonexistent\.csv/);
  });
});

describe('Secrets of days', () => {
  const kept = { keepData: true, backUpActivity: true, backupRegion: 'eu-west-1', alarmEmail: 'operators@example.com' } as const;
  const [off, on] = (['off', 'daily'] as const).map((uniqueClicks) => stacksOf(ownStage('dev', { ...kept, uniqueClicks }))) as [
    ReturnType<typeof stacksOf>,
    ReturnType<typeof stacksOf>,
  ];
  const all = (stacks: typeof off) => stacks.all.map((template) => JSON.stringify(template.toJSON())).join();

  test('If unique clicks are off, no template has a resource or permission for them.', () => {
    expect(all(off)).not.toMatch(/DAYSECRET|SECRETS_TABLE_NAME|UNIQUE_CLICKS/);
    off.redirect.resourceCountIs('AWS::DynamoDB::GlobalTable', 0);
    off.redirect.resourceCountIs('AWS::Events::Rule', 0);
  });

  test('The table of secrets has no recovery, stream, protection or copy, and is deleted with its stack even if the stage keeps its data.', () => {
    on.redirect.resourceCountIs('AWS::DynamoDB::GlobalTable', 1);
    on.redirect.hasResource('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: 'Delete',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        StreamSpecification: Match.absent(),
        GlobalSecondaryIndexes: Match.absent(),
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
        Replicas: [
          {
            Region: Match.anyValue(),
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
            DeletionProtectionEnabled: Match.absent(),
          },
        ],
      },
    });
  });

  test('No plan of backups names the table of secrets, and no other stack knows it.', () => {
    const others = on.all.filter((template) => template !== on.redirect).map((template) => JSON.stringify(template.toJSON()));
    expect(others.join()).not.toContain('secretsE5A2BDAA');
    expect(Object.keys(on.redirect.findResources('AWS::DynamoDB::GlobalTable'))).toEqual(['secretsE5A2BDAA']);
    on.data.hasResourceProperties('AWS::Backup::BackupSelection', { BackupSelection: { Resources: Match.anyValue() } });
    const selections = Object.values(on.data.findResources('AWS::Backup::BackupSelection'));
    const named = selections.flatMap(({ Properties }) => Properties.BackupSelection.Resources);
    expect(named).toEqual([
      { 'Fn::GetAtt': [expect.stringMatching(/^links/), 'Arn'] },
      { 'Fn::GetAtt': [expect.stringMatching(/^activity/), 'Arn'] },
      { 'Fn::GetAtt': [expect.stringMatching(/^clicks/), 'Arn'] },
    ]);
    for (const { Properties } of selections) expect(Properties.BackupSelection).not.toHaveProperty('ListOfTags');
  });

  test('Each hour, a schedule makes and deletes secrets, and an alarm reports if it fails.', () => {
    on.redirect.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 hour)',
      Targets: [{ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^rotatedaysecrets'), 'Arn'] } }],
    });
    on.redirect.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'Links-dev-schedule-failed-rotate-day-secrets',
      MetricName: 'AsyncEventsDropped',
    });
  });
});
