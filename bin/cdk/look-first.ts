import { APIGatewayClient, paginateGetDomainNames } from '@aws-sdk/client-api-gateway';
import { GetAccountSummaryCommand, IAMClient } from '@aws-sdk/client-iam';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { routes } from '../../lib/endpoints.ts';
import { isPreview, type Stage, type StageSettings } from '../../lib/stages.ts';
import { type Aws, cloudFormation, stackCalled } from './stacks.ts';

// What `npm run deploy` looks at before it starts: whatever would make a first deployment fail half-way, or a deployed stage
// disappoint.

/** What a look has found: what keeps the deployment from starting, or what the operator should know. One line each. */
type Finding = { readonly error: string } | { readonly warning: string } | undefined;

/** Where the stage is deployed to. The account is unknown if nobody may ask whose credentials they are. */
type Target = { readonly region: string; readonly account?: string };

/** The template's own rule names the same parameter and versions. */
export const bootstrap = { parameter: '/cdk-bootstrap/hnb659fds/version', oldest: 6 } as const;

/** What AWS allows an account that it has not limited: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const usualExecutions = 1_000;

/** How many executions an account must leave unreserved: https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html */
const unreserved = 100;

/** By default: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html */
const usualDomainNames = 120;

/** How many roles a stage has at most: one for each function, and a few for AWS's own services. */
export const rolesOfStage = routes.length + 20;

/**
 * Looks whether a stage can be deployed, says to which account and region, and gives advice. A look that fails only says so:
 * whoever may deploy may not be allowed to look.
 *
 * @throws Error with one line for the operator if the deployment would fail: for lack of a region, of credentials or of a
 * bootstrapped region, or because the settings name another account or region.
 */
export async function lookFirst({ name, settings }: Stage, aws: Aws, say: (line: string) => void): Promise<void> {
  const region = await regionOf(aws);
  const { account, arn } = await callerOf(aws);
  say(`deploying ${name} to ${account ?? 'an unknown account'} in ${region}${arn ? `, as ${arn}` : ''}`);
  const target: Target = { region, ...(account && { account }) };
  const looks: [what: string, Promise<Finding>][] = [
    ['the bootstrap version', bootstrapIn(region, name, aws)],
    ...(settings.backupRegion
      ? [
          ['the bootstrap version in the backup region', bootstrapIn(settings.backupRegion, name, aws)] as [
            string,
            Promise<Finding>,
          ],
        ]
      : []),
    ["Lambda's executions", executions(aws, region, settings)],
    ["IAM's roles", roles(aws, name)],
    ['custom domain names', domainNames(aws, settings, region)],
  ];
  const looked = await Promise.allSettled(looks.map(([, look]) => look));
  const findings = looked.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
  for (const finding of findings) if (finding && 'warning' in finding) say(`warning: ${finding.warning}`);
  const unknown = looked.flatMap((result, index) =>
    result.status === 'rejected' ? [`${looks[index]?.[0]} (${(result.reason as Error).name})`] : [],
  );
  if (unknown.length) say(`could not look at ${unknown.join(', ')}: going on`);
  const errors = [
    ...elsewhere(settings, target),
    ...findings.flatMap((finding) => (finding && 'error' in finding ? [finding.error] : [])),
  ];
  if (errors.length) throw new Error(errors.join('; '));
}

/** The CDK would otherwise take us-east-1. */
async function regionOf(aws: Aws): Promise<string> {
  const region = await new STSClient(aws).config.region().catch(() => undefined);
  if (!region) throw new Error('no region: set it, as in AWS_REGION=eu-central-1 npm run deploy -- -c stage=dev');
  return region;
}

/** Whose credentials these are. Everybody may ask, unless a policy of the organisation denies it. */
async function callerOf(aws: Aws): Promise<{ readonly account?: string | undefined; readonly arn?: string | undefined }> {
  try {
    const { Account: account, Arn: arn } = await new STSClient(aws).send(new GetCallerIdentityCommand());
    return { account, arn };
  } catch (error) {
    const { name, message } = error as Error;
    if (name.startsWith('AccessDenied')) return {};
    // The SDK has no error of its own for this.
    if (message.startsWith('Could not load credentials'))
      throw new Error('no AWS credentials: sign in, as with "aws sso login", or set AWS_PROFILE');
    throw new Error(`cannot use AWS with these credentials: ${message.split('\n')[0]}`);
  }
}

/** The settings that name another account or region than the stage's. */
function elsewhere({ apiDomain, shortDomains = [], restoredTables, alarmTopicArn }: StageSettings, target: Target): string[] {
  const own: [setting: string, arn: string][] = [
    ...(apiDomain ? [['apiDomain', apiDomain.certificateArn] as [string, string]] : []),
    ...shortDomains.map(({ certificateArn }): [string, string] => ['shortDomains', certificateArn]),
    ...Object.values(restoredTables ?? {}).map(({ streamArn }): [string, string] => ['restoredTables', streamArn]),
  ];
  const found = own.flatMap(([setting, arn]) => {
    const [, , , region, account] = arn.split(':');
    const isHere = region === target.region && (!target.account || account === target.account);
    return isHere ? [] : [`${setting}: ${arn} is not in ${target.account ?? 'the account'} and ${target.region}`];
  });
  // A topic may be another account's.
  const topicRegion = alarmTopicArn?.split(':')[3];
  if (topicRegion && topicRegion !== target.region) found.push(`alarmTopicArn: ${alarmTopicArn} is not in ${target.region}`);
  return [...new Set(found)];
}

async function bootstrapIn(region: string, stage: Stage['name'], aws: Aws): Promise<Finding> {
  const context = isPreview(stage) ? `-c stage=preview -c name=${stage.slice('preview-'.length)}` : `-c stage=${stage}`;
  const remedy = `run AWS_REGION=${region} npm run bootstrap -- ${context}`;
  try {
    const { Parameter } = await new SSMClient({ ...aws, region }).send(new GetParameterCommand({ Name: bootstrap.parameter }));
    if (Number(Parameter?.Value) >= bootstrap.oldest) return undefined;
    return { error: `${region} has the bootstrap version ${Parameter?.Value}, and needs ${bootstrap.oldest}: ${remedy}` };
  } catch (error) {
    if ((error as Error).name === 'ParameterNotFound') return { error: `${region} is not bootstrapped: ${remedy}` };
    throw error;
  }
}

async function executions(aws: Aws, region: string, { reservedConcurrency = {} }: StageSettings): Promise<Finding> {
  const { AccountLimit } = await new LambdaClient(aws).send(new GetAccountSettingsCommand());
  const most = AccountLimit?.ConcurrentExecutions ?? usualExecutions;
  const { authorizer = 0, redirect = 0, endpoint = 0 } = reservedConcurrency;
  const reserved = authorizer + redirect + endpoint * routes.length;
  const reservable = Math.max(0, most - unreserved);
  if (reserved > reservable) {
    return {
      error: `reservedConcurrency: it reserves ${reserved} executions, and of its ${most} this account may reserve ${reservable}`,
    };
  }
  if (most >= usualExecutions) return undefined;
  // https://repost.aws/knowledge-center/lambda-concurrency-limit-increase
  const request = `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${usualExecutions} --region ${region}`;
  return { warning: `Lambda runs at most ${most} functions of this account at once, and refuses more visitors: ${request}` };
}

async function roles(aws: Aws, stage: string): Promise<Finding> {
  if (await stackCalled(await cloudFormation(aws), `Links-${stage}-Api`)) return undefined;
  const { SummaryMap: { Roles = 0, RolesQuota = Number.POSITIVE_INFINITY } = {} } = await new IAMClient(aws).send(
    new GetAccountSummaryCommand(),
  );
  const left = RolesQuota - Roles;
  if (left >= rolesOfStage) return undefined;
  return {
    warning: `IAM allows this account ${left} more roles, and a stage has up to ${rolesOfStage}: ask for more in Service Quotas, "Roles per account", or destroy old previews`,
  };
}

async function domainNames(aws: Aws, { apiDomain, shortDomains = [] }: StageSettings, region: string): Promise<Finding> {
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
