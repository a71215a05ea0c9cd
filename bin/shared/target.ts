import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkServed, everyName } from '../../lambdas/core/domain/served-names.ts';
import type { DataTable } from '../../lambdas/store/table/tables.ts';
import { managerName, sealerName } from '../../lib/stages/function-names.ts';
import { tagsOf } from '../../lib/stages/stages.ts';
import { keyOfPlan } from '../../local/gateway/rest/usage-plan.ts';
import type { Service } from '../../local/service.ts';
import { region } from '../../local/template/resources.ts';
import { type GatewayKey, type GatewayPlan, gatewayKeyName, gatewayKeysOf, gatewayPlans } from './gateway-keys.ts';
import { cloudFormation, stackCalled } from './stacks.ts';

/** What a command needs of a stage besides its tables. */
export type Target = {
  /** Creates a key in one of the gateway's usage plans, and returns its value. The default is a new one. */
  readonly makeGatewayKey: (workspaceId: string, plan?: GatewayPlan, value?: string) => Promise<string>;
  /** Deletes a workspace's key of a plan, or all of its keys; no-op if they are gone. */
  readonly deleteGatewayKey: (workspaceId: string, plan?: GatewayPlan) => Promise<void>;
  /** The names under which the redirect answers, as it was deployed. */
  readonly servedNames: () => Promise<readonly string[]>;
  /** The keys of the stage's workspaces, including deleted ones. */
  readonly listGatewayKeys: () => Promise<readonly GatewayKey[]>;
  /** Runs `manage-domains`, and returns its response. @throws Error with a one-line message for the operator */
  readonly manageDomains: (event: object) => Promise<unknown>;
  /** Runs `seal-clicks`, and returns its response. @throws Error with a one-line message for the operator */
  readonly sealClicks: (event: object) => Promise<unknown>;
  /** Lets this process read the files of clicks. */
  readonly openClickFiles: () => Promise<void>;
  /** Whether workspaces have keys at all. A laptop's gateway needs none. */
  readonly hasGatewayKeys: boolean;
};

/**
 * Refuses an active domain that no visitor would reach: API Gateway knows only the stage's custom domains.
 *
 * @throws Error with a one-line message for the operator.
 */
export async function requireServed({ servedNames }: Target, host: string): Promise<void> {
  const failure = checkServed(host, await servedNames());
  if (failure) {
    throw new Error(
      `${failure.message}: see shortDomains in docs/deploy.md, "Stages", and deploy, or add the domain with --status PENDING_DNS until then`,
    );
  }
}

/**
 * Finds the tables of a stage and points the store at them. The local service is found by its data folder, a stage on
 * AWS by the outputs of its stacks.
 *
 * @throws Error with a one-line message for the operator.
 */
export async function findTarget(stage: string, dataDir: string): Promise<Target> {
  return stage === 'local' ? localTarget(dataDir) : awsTarget(stage);
}

/** The URL of a stage's API, without a trailing slash. @throws Error with a one-line message for the operator. */
export async function apiUrlOf(stage: string, dataDir: string): Promise<string> {
  if (stage === 'local') return JSON.parse(readFileSync(join(dataDir, 'service.json'), 'utf8')).baseUrl;
  return (await outputsOf(`Links-${stage}-Api`))('ApiUrl').replace(/\/+$/, '');
}

/** What the store needs to know about a running local service. */
export type LocalService = {
  readonly endpoint: string;
  readonly tableName: string;
  readonly activityTableName: string;
  readonly clickBucketName: string;
  readonly liftedUsagePlanId: string;
  readonly region: string;
  /** Where it answers calls to other AWS services. */
  readonly awsApi?: string | undefined;
};

/** What the store needs to know about a service of this machine, from its template. */
export const localServiceOf = ({
  endpoint,
  awsApi,
  output,
}: Pick<Service, 'endpoint' | 'output'> & Partial<Pick<Service, 'awsApi'>>): LocalService => ({
  endpoint,
  awsApi,
  tableName: output('TableName'),
  activityTableName: output('ActivityTableName'),
  clickBucketName: output('ClickBucketName'),
  liftedUsagePlanId: output('LiftedUsagePlanId'),
  region,
});

/** Points the store of this process at a local service. Must be called before the store is loaded. */
export function pointStoreAt({
  endpoint,
  awsApi,
  tableName,
  activityTableName,
  clickBucketName,
  region,
}: Omit<LocalService, 'liftedUsagePlanId'>): void {
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    ACTIVITY_TABLE_NAME: activityTableName,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    CLICK_BUCKET: clickBucketName,
    ...(awsApi !== undefined && { AWS_ENDPOINT_URL_LAMBDA: awsApi, AWS_ENDPOINT_URL_S3: awsApi }),
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
}

function localTarget(dataDir: string): Target {
  let service: LocalService & { pid: number };
  try {
    service = JSON.parse(readFileSync(join(dataDir, 'service.json'), 'utf8'));
    process.kill(service.pid, 0);
  } catch {
    throw new Error(
      `no service is running on the data folder ${dataDir}: start it with "npm start", or choose another folder with --data-dir`,
    );
  }
  pointStoreAt(service);
  return {
    makeGatewayKey: async (_, plan) => (plan === 'lifted' ? keyOfPlan(service.liftedUsagePlanId, randomUUID()) : randomUUID()),
    deleteGatewayKey: async () => {},
    servedNames: async () => [everyName],
    listGatewayKeys: async () => [],
    openClickFiles: async () => {},
    hasGatewayKeys: false,
    ...runsIn('local'),
  };
}

/** The names of the tables that a stage on AWS uses. @throws Error with a one-line message for the operator. */
export async function tableNamesOf(stage: string): Promise<Readonly<Record<DataTable, string>>> {
  const output = await outputsOf(`Links-${stage}-Data`);
  return { Links: output('TableName'), Activity: output('ActivityTableName') };
}

async function awsTarget(stage: string): Promise<Target> {
  const { Links, Activity } = await tableNamesOf(stage);
  process.env.TABLE_NAME = Links;
  process.env.ACTIVITY_TABLE_NAME = Activity;
  const nameOf = (workspaceId: string, plan: GatewayPlan) => gatewayKeyName(stage, workspaceId, plan);
  return {
    servedNames: async () => (await outputsOf(`Links-${stage}-Redirect`))('ServedNames').split(' '),
    hasGatewayKeys: true,
    openClickFiles: async () => {
      process.env.CLICK_BUCKET = (await outputsOf(`Links-${stage}-Data`))('ClickBucketName');
    },
    ...runsIn(stage),
    makeGatewayKey: async (workspaceId, plan = 'usual', value = randomUUID()) => {
      const aws = await import('@aws-sdk/client-api-gateway');
      const usagePlanId = (await outputsOf(`Links-${stage}-Api`))(plan === 'usual' ? 'UsagePlanId' : 'LiftedUsagePlanId');
      const gateway = new aws.APIGatewayClient();
      const tags = tagsOf(stage);
      const name = nameOf(workspaceId, plan);
      const made = await gateway.send(new aws.CreateApiKeyCommand({ name, value, enabled: true, tags }));
      try {
        await gateway.send(new aws.CreateUsagePlanKeyCommand({ usagePlanId, keyId: made.id, keyType: 'API_KEY' }));
      } catch (error) {
        // A key outside the plan is useless, and AWS limits the number of keys.
        await gateway.send(new aws.DeleteApiKeyCommand({ apiKey: made.id }));
        throw error;
      }
      return value;
    },
    listGatewayKeys: async () => gatewayKeysOf(stage, new (await import('@aws-sdk/client-api-gateway')).APIGatewayClient()),
    deleteGatewayKey: async (workspaceId, plan) => {
      const aws = await import('@aws-sdk/client-api-gateway');
      const gateway = new aws.APIGatewayClient();
      // The query matches the beginning of a name.
      const { items = [] } = await gateway.send(new aws.GetApiKeysCommand({ nameQuery: nameOf(workspaceId, 'usual') }));
      const names = gatewayPlans.filter((one) => plan === undefined || one === plan).map((one) => nameOf(workspaceId, one));
      for (const { id, name = '' } of items) {
        if (names.includes(name)) await gateway.send(new aws.DeleteApiKeyCommand({ apiKey: id }));
      }
    },
  };
}

/** Runs functions of a stage. */
const runsIn = (stage: string): Pick<Target, 'manageDomains' | 'sealClicks'> => ({
  manageDomains: (event) =>
    run(managerName(stage), event, `the stage ${stage} has no managed domains: see managedDomains in docs/deploy.md, "Stages"`),
  sealClicks: (event) => run(sealerName(stage), event, `the stage ${stage} does not seal clicks: deploy it first`),
});

/** Runs a function, and returns its response. @param ifMissing what to tell the operator if there is none */
async function run(FunctionName: string, event: object, ifMissing: string): Promise<unknown> {
  const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  // The SDK retries failed calls, and both functions may be called again at any time.
  const call = new LambdaClient().send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }));
  const { Payload, FunctionError } = await call.catch((error: Error) => {
    if (error.name !== 'ResourceNotFoundException') throw error;
    throw new Error(ifMissing);
  });
  const answer = JSON.parse(Payload?.transformToString() || 'null');
  if (FunctionError !== undefined) throw new Error(`${FunctionName} failed: ${answer?.errorMessage}`);
  return answer;
}

/** The outputs of a deployed stack, by name. @throws Error for one that it does not have */
async function outputsOf(stack: string): Promise<(name: string) => string> {
  const client = await cloudFormation({});
  const deployed = await stackCalled(client, stack);
  if (!deployed) {
    throw new Error(
      `there is no stack ${stack} in ${await client.config.region()}: deploy the stage first, or set AWS_REGION and AWS_PROFILE to where it is`,
    );
  }
  return (name) => {
    const value = deployed.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
    if (!value) throw new Error(`the stack ${stack} has no output ${name}: deploy the stage first`);
    return value;
  };
}
