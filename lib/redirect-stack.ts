import { CfnOutput, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { ApiMapping, DomainName, HttpApi, HttpNoneAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage, StageSettings } from './stages.ts';
import { TableFunction } from './table-function.ts';

export type RedirectStackProps = StackProps & {
  readonly stage: Stage['name'];
  readonly settings: StageSettings;
  readonly table: ITableV2;
  readonly bundleOf: (name: string) => string;
};

/** The visitors' way: an HTTP API, whose every request goes to one function, under the stage's short domains. */
export class RedirectStack extends Stack {
  constructor(scope: Construct, id: string, { stage, settings, table, bundleOf, ...props }: RedirectStackProps) {
    super(scope, id, props);

    const handler = new TableFunction(this, 'redirect', {
      kind: 'redirect',
      settings,
      table,
      code: bundleOf('redirect'),
      description: 'Answers the visitors of short links',
      environment: { SHORT_URL_ORIGIN: settings.shortUrlOrigin },
      tableActions: {
        'dynamodb:GetItem': ['DOMAIN#*', 'LINK#*'],
        'dynamodb:PutItem': ['CLICK#*'],
        'dynamodb:UpdateItem': ['LINK#*'],
      },
    });
    const api = new HttpApi(this, 'api', {
      apiName: `links-${stage}-redirect`,
      defaultIntegration: new HttpLambdaIntegration('redirect-integration', handler),
      defaultAuthorizer: new HttpNoneAuthorizer(),
    });

    Validations.of(api).acknowledge(
      { id: 'AwsSolutions-APIG1', reason: 'Access logs would keep the addresses of visitors, which nothing here needs' },
      { id: 'AwsSolutions-APIG4', reason: 'A short link is for everybody who has it, and says itself what else it asks for' },
    );

    // A visitor is sent on even if the click cannot be recorded; this says how often that was.
    new MetricFilter(this, 'clicks-not-recorded', {
      logGroup: handler.logGroup,
      filterPattern: FilterPattern.stringValue('$.message.message', '=', 'click not recorded'),
      metricNamespace: `Links/${stage}`,
      metricName: 'ClicksNotRecorded',
    });

    for (const { name, certificateArn } of settings.shortDomains ?? []) {
      const domainName = new DomainName(this, `domain-${name}`, {
        domainName: name,
        certificate: Certificate.fromCertificateArn(this, `certificate-${name}`, certificateArn),
      });
      new ApiMapping(this, `mapping-${name}`, { api, domainName });
      // Where the domain's DNS record has to point.
      new CfnOutput(this, `DnsTarget-${name}`.replace(/[^A-Za-z0-9]/g, ''), {
        description: name,
        value: domainName.regionalDomainName,
      });
    }
    new CfnOutput(this, 'RedirectUrl', { value: api.apiEndpoint });
  }
}
