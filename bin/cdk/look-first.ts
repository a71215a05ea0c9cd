import { APIGatewayClient, GetAccountCommand, paginateGetDomainNames } from '@aws-sdk/client-api-gateway';
import { GetAccountSummaryCommand, IAMClient } from '@aws-sdk/client-iam';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import type { StageSettings } from '../../lib/stages/settings.ts';
import { isPreview, type Stage } from '../../lib/stages/stages.ts';
import { type Aws, cloudFormation, stackCalled } from '../shared/stacks.ts';
import { describePlace, type Place, placeOf } from './place.ts';
import { templatesOf } from './templates.ts';

// What `npm run deploy` checks before it starts: anything that would make a first deployment fail half-way, or a
// deployed stage disappoint.

/** The finding of a check: what keeps the deployment from starting, or what the operator should know. One line each. */
type Finding = { readonly error: string } | { readonly warning: string } | undefined;

/** The template's own rule names the same parameter and versions. */
export const bootstrap = { parameter: '/cdk-bootstrap/hnb659fds/version', oldest: 6 } as const;

/**
 * AWS's default limit of an account's concurrent executions, which new accounts may not have yet:
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const usualExecutions = 1_000;

/**
 * How many executions an account must leave unreserved:
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
const unreserved = 100;

/**
 * How many requests a second, and in a burst, by default:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const usualRequests = { rate: 10_000, burst: 5_000 } as const;

/**
 * By default:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html
 */
const usualDomainNames = 120;

/**
 * Checks whether a stage can be deployed, says to which account and region, and gives advice. A check that fails only
 * says so: the role that deploys may lack the permission to look.
 *
 * @param synthesise makes the templates of a stage.
 * @throws Error with one line for the operator if the deployment would fail: for lack of a region, of credentials or of
 * a bootstrapped region, because the settings name another account or region, or contradict each other.
 */
export async function lookFirst(stage: Stage, aws: Aws, say: (line: string) => void, synthesise = templatesOf): Promise<void> {
  const { name, settings } = stage;
  const place = await placeOf(aws);
  const { region } = place;
  say(`deploying ${name} to ${describePlace(place)}`);
  const resources = Object.values(synthesise(stage)).flatMap((template) => Object.values(template.Resources ?? {}));
  const deployed = cloudFormation(aws).then((client) => stackCalled(client, `Links-${name}-Api`));
  // Each check that waits for it reports its failure.
  deployed.catch(() => {});
  const looks: [what: string, Promise<Finding>][] = [
    ['the bootstrap version', bootstrapIn(region, name, aws)],
    ...(settings.backupRegion
      ? [
          ['the bootstrap version in the backup region', bootstrapIn(settings.backupRegion, name, aws, region)] as [
            string,
            Promise<Finding>,
          ],
        ]
      : []),
    ["Lambda's executions", executions(aws, region, resources, deployed)],
    ["IAM's roles", roles(aws, resources, deployed)],
    ['custom domain names', domainNames(aws, settings, region)],
    ['hosted zones', zones(aws, settings)],
    ["API Gateway's rate", requests(aws, settings, region)],
  ];
  const looked = await Promise.allSettled(looks.map(([, look]) => look));
  const findings = looked.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
  for (const finding of findings) if (finding && 'warning' in finding) say(`warning: ${finding.warning}`);
  const unknown = looked.flatMap((result, index) =>
    result.status === 'rejected' ? [`${looks[index]?.[0]} (${(result.reason as Error).name})`] : [],
  );
  if (unknown.length) say(`could not check ${unknown.join(', ')}: going on`);
  const errors = [
    ...elsewhere(settings, place),
    ...findings.flatMap((finding) => (finding && 'error' in finding ? [finding.error] : [])),
  ];
  if (errors.length) throw new Error(errors.join('; '));
}

/** The settings that name another account or region than the stage's. */
function elsewhere({ apiDomain, shortDomains, restoredTables, alarmTopicArn, signIn }: StageSettings, place: Place): string[] {
  const own: [setting: string, arn: string][] = [
    ...(apiDomain?.certificateArn ? [['apiDomain', apiDomain.certificateArn] as [string, string]] : []),
    ...shortDomains.flatMap(({ certificateArn }) =>
      certificateArn === undefined ? [] : [['shortDomains', certificateArn] as [string, string]],
    ),
    ...Object.values(restoredTables ?? {}).map(({ streamArn }): [string, string] => ['restoredTables', streamArn]),
    // The function asks its own region. Another account's secret needs a key of that account, which no policy here
    // allows: https://docs.aws.amazon.com/secretsmanager/latest/userguide/auth-and-access_examples_cross.html
    ...(signIn?.clientSecretArn ? [['signIn', signIn.clientSecretArn] as [string, string]] : []),
  ];
  const found = own.flatMap(([setting, arn]) => {
    const [, , , region, account] = arn.split(':');
    const isHere = region === place.region && (!place.account || account === place.account);
    return isHere ? [] : [`${setting}: ${arn} is not in ${place.account ?? 'the account'} and ${place.region}`];
  });
  // A topic may be another account's.
  const topicRegion = alarmTopicArn?.split(':')[3];
  if (topicRegion && topicRegion !== place.region) found.push(`alarmTopicArn: ${alarmTopicArn} is not in ${place.region}`);
  return [...new Set(found)];
}

/**
 * @param home the stage's own region. The command bootstraps the regions of all stacks from there, and runs nowhere
 * else.
 */
async function bootstrapIn(region: string, stage: Stage['name'], aws: Aws, home = region): Promise<Finding> {
  const context = isPreview(stage) ? `-c stage=preview -c name=${stage.slice('preview-'.length)}` : `-c stage=${stage}`;
  const remedy = `run AWS_REGION=${home} npm run bootstrap -- ${context}`;
  try {
    const { Parameter } = await new SSMClient({ ...aws, region }).send(new GetParameterCommand({ Name: bootstrap.parameter }));
    if (Number(Parameter?.Value) >= bootstrap.oldest) return undefined;
    return { error: `${region} has the bootstrap version ${Parameter?.Value}, and needs ${bootstrap.oldest}: ${remedy}` };
  } catch (error) {
    if ((error as Error).name === 'ParameterNotFound') return { error: `${region} is not bootstrapped: ${remedy}` };
    throw error;
  }
}

/** What the stage's stacks consist of. */
type Resources = readonly { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> }[];

/** A stack of the stage, if it is already deployed. */
type Deployed = ReturnType<typeof stackCalled>;

async function executions(aws: Aws, region: string, resources: Resources, deployed: Deployed): Promise<Finding> {
  const { AccountLimit } = await new LambdaClient(aws).send(new GetAccountSettingsCommand());
  const most = AccountLimit?.ConcurrentExecutions ?? usualExecutions;
  const reserved = resources.reduce((sum, { Properties }) => sum + Number(Properties?.ReservedConcurrentExecutions ?? 0), 0);
  // AWS does not tell a deployed stage's reservation from others'. So only a new stage can be compared with the rest.
  const isNew = reserved > 0 && (await deployed) === undefined;
  const { UnreservedConcurrentExecutions: left = most } = (isNew && AccountLimit) || {};
  const reservable = Math.max(0, left - unreserved);
  if (reserved > reservable) {
    const others = left < most ? `, because others have reserved ${most - left}` : '';
    return {
      error: `reservedConcurrency: the stage reserves ${reserved} executions, but this account may reserve only ${reservable} of its ${most}${others}`,
    };
  }
  if (most >= usualExecutions) return undefined;
  // https://repost.aws/knowledge-center/lambda-concurrency-limit-increase
  const request = `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${usualExecutions} --region ${region}`;
  return { warning: `Lambda runs at most ${most} functions of this account at once, and refuses more visitors: ${request}` };
}

async function roles(aws: Aws, resources: Resources, deployed: Deployed): Promise<Finding> {
  if (await deployed) return undefined;
  const needed = resources.filter(({ Type }) => Type === 'AWS::IAM::Role').length;
  const { SummaryMap: { Roles = 0, RolesQuota = Number.POSITIVE_INFINITY } = {} } = await new IAMClient(aws).send(
    new GetAccountSummaryCommand(),
  );
  const left = RolesQuota - Roles;
  if (left >= needed) return undefined;
  return {
    warning: `IAM allows this account ${left} more roles, and the stage has ${needed}: ask for more in Service Quotas, "Roles per account", or destroy old previews`,
  };
}

/**
 * Whether each name with a zone is in that zone. Records elsewhere are refused, and a certificate that is proven in a
 * zone of another account, or in a private one, keeps the stack waiting for hours:
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-certificatemanager-certificate.html
 */
async function zones(aws: Aws, { apiDomain, shortDomains }: StageSettings): Promise<Finding> {
  const client = new Route53Client(aws);
  const named = [...(apiDomain ? [apiDomain] : []), ...shortDomains];
  const byZone = Map.groupBy(named, ({ hostedZoneId }) => hostedZoneId);
  const errors: string[] = [];
  for (const [Id, domains] of byZone) {
    if (Id === undefined) continue;
    const { HostedZone } = await client.send(new GetHostedZoneCommand({ Id })).catch((error: Error) => {
      if (error.name === 'NoSuchHostedZone') return { HostedZone: undefined };
      throw error;
    });
    const zone = HostedZone?.Name?.replace(/\.$/, '');
    if (zone === undefined) errors.push(`hostedZoneId: this account has no hosted zone ${Id}`);
    else if (HostedZone?.Config?.PrivateZone) errors.push(`hostedZoneId: ${Id} is a private zone, which visitors cannot see`);
    else
      for (const { name } of domains)
        if (name !== zone && !name.endsWith(`.${zone}`))
          errors.push(`hostedZoneId: ${name} is not in ${Id}, the zone of ${zone}`);
  }
  return errors.length ? { error: errors.join('; ') } : undefined;
}

async function domainNames(aws: Aws, { apiDomain, shortDomains }: StageSettings, region: string): Promise<Finding> {
  const wanted = new Set([...shortDomains, ...(apiDomain ? [apiDomain] : [])].map(({ name }) => name));
  if (!wanted.size) return undefined;
  const client = new APIGatewayClient(aws);
  let taken = 0;
  for await (const { items = [] } of paginateGetDomainNames({ client, pageSize: 500 }, {})) {
    taken += items.length;
    for (const { domainName = '' } of items) wanted.delete(domainName);
  }
  if (taken + wanted.size <= usualDomainNames) return undefined;
  const request = `aws service-quotas request-service-quota-increase --service-code apigateway --quota-code L-A93447B8 --desired-value ${taken + wanted.size} --region ${region}`;
  return {
    warning: `the stage needs ${wanted.size} more custom domain names, and the account has ${taken} of the ${usualDomainNames} that AWS allows by default: unless it has more, ${request}`,
  };
}

/**
 * Whether one gateway, or one workspace, may take all requests that the account may send in the region. AWS refuses all
 * requests beyond the account's rate, and its documents say that a gateway's own "can't exceed" it:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
 */
async function requests(aws: Aws, settings: StageSettings, region: string): Promise<Finding> {
  const { throttleSettings } = await new APIGatewayClient(aws).send(new GetAccountCommand());
  const { rateLimit: most = usualRequests.rate, burstLimit: mostAtOnce = usualRequests.burst } = throttleSettings ?? {};
  const own: [setting: string, StageSettings['stageThrottle']['api']][] = [
    ['stageThrottle.api', settings.stageThrottle.api],
    ['stageThrottle.redirect', settings.stageThrottle.redirect],
    ['requestRate and requestBurst', { rate: settings.requestRate, burst: settings.requestBurst }],
  ];
  const all = own.filter(([, throttle]) => throttle && (throttle.rate >= most || throttle.burst >= mostAtOnce));
  if (!all.length) return undefined;
  const found = all.map(([setting, throttle]) => `${setting} (${throttle?.rate}, ${throttle?.burst})`).join(', ');
  const request =
    most < usualRequests.rate
      ? `, or ask for more: aws service-quotas request-service-quota-increase --service-code apigateway --quota-code L-8A5B8E43 --desired-value ${usualRequests.rate} --region ${region}`
      : '';
  return {
    warning: `all APIs of this account together may get ${most} requests a second in ${region}, in bursts of ${mostAtOnce}, and ${found} may take all of them: lower it in stageThrottle, as docs/deploy.md, "Outer limits", says${request}`,
  };
}
