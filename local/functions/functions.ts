import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { region } from '../template/resources.ts';
import { matches, type Template } from '../template/template.ts';
import type { Whose } from './turns.ts';
import { startWorkerPool } from './worker-pool.ts';

type FunctionProperties = {
  readonly Code: { readonly S3Key?: string };
  readonly Handler: string;
  /** The ARNs of versions of layers. */
  readonly Layers?: readonly string[];
  readonly Runtime: string;
  readonly MemorySize?: number | string;
  readonly Timeout?: number | string;
  readonly ReservedConcurrentExecutions?: number;
  readonly Environment?: { readonly Variables?: Readonly<Record<string, string>> };
};

export type Functions = {
  /**
   * Runs a function once. Payload and result are JSON texts.
   *
   * @param which the function's ARN, with or without an alias, or its name, logical id or construct id.
   * @param whose the caller, who takes turns with the others (see `turns`).
   * @throws FunctionError if the function fails; Error if there is no such function.
   */
  invoke(which: string, payload: string, whose?: Whose): Promise<string>;
  /** The ARN of a function. @throws Error if there is no such function. */
  arnOf(which: string): string;
  stop(): Promise<void>;
};

/** How many invocations of one function may run at once on a laptop, for each caller and for all together. */
const concurrency = { each: 8, all: 16 };

/** What functions call on this machine instead of AWS. @property restApi the URL of the REST API, once it has one. */
type Reached = {
  readonly endpoint: string;
  readonly dnsServer: string;
  readonly awsApi: string;
  readonly restApi: () => string;
};

type LayerProperties = { readonly Content: { readonly S3Key: string } };

/** A REST API's own address on AWS, with the stage. */
const addressOnAws = /^https:\/\/[\w-]+\.execute-api\.[\w-]+\.amazonaws\.com\/[\w-]+/;

/** Prepares every function of the template. Threads start when they are needed. */
export function startFunctions(
  template: Template,
  { endpoint, dnsServer, awsApi, restApi }: Reached,
  log: (line: string) => void,
): Functions {
  /** The folder with the modules of a layer version: https://docs.aws.amazon.com/lambda/latest/dg/nodejs-layers.html */
  const modulesOf = (arn: string): string => {
    const layer = template.ofType<LayerProperties>('AWS::Lambda::LayerVersion').find(({ name }) => name === arn);
    if (!layer) throw new Error(`the template has no layer "${arn}"`);
    return join(template.assetFolder(layer.properties.Content.S3Key), 'nodejs/node_modules');
  };
  const functions = template.ofType<FunctionProperties>('AWS::Lambda::Function').map((resource) => {
    const { name, properties } = resource;
    const arn = template.attribute(resource, 'Arn');
    if (!properties.Runtime.startsWith('nodejs'))
      throw new Error(`the local host does not support the runtime ${properties.Runtime} (${name})`);
    if (!properties.Code.S3Key) throw new Error(`the local host supports only functions from assets (${name})`);
    const folder = template.assetFolder(properties.Code.S3Key);
    const memorySize = Number(properties.MemorySize ?? 128);
    const dot = properties.Handler.lastIndexOf('.');
    const { ReservedConcurrentExecutions: reserved = concurrency.all, Layers = [] } = properties;
    const modules = Layers.map(modulesOf).join(delimiter);
    const pool = startWorkerPool({
      file: moduleFile(folder, properties.Handler.slice(0, dot)),
      exportName: properties.Handler.slice(dot + 1),
      functionName: name,
      functionArn: arn,
      memorySize,
      timeoutMs: Number(properties.Timeout ?? 3) * 1000,
      limits: { each: Math.min(concurrency.each, reserved), all: Math.min(concurrency.all, reserved) },
      log,
      env: () => ({
        ...Object.fromEntries(
          Object.entries(properties.Environment?.Variables ?? {}).map(([name, value]) => [
            name,
            value.replace(addressOnAws, restApi),
          ]),
        ),
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        AWS_REGION: region,
        AWS_DEFAULT_REGION: region,
        AWS_ENDPOINT_URL_DYNAMODB: endpoint,
        DNS_SERVERS: dnsServer,
        AWS_ENDPOINT_URL_LAMBDA: awsApi,
        AWS_ENDPOINT_URL_EVENTBRIDGE: awsApi,
        AWS_ENDPOINT_URL_ACM: awsApi,
        AWS_ENDPOINT_URL_APIGATEWAYV2: awsApi,
        AWS_ENDPOINT_URL_S3: awsApi,
        AWS_ENDPOINT_URL_SECRETS_MANAGER: awsApi,
        AWS_ENDPOINT_URL_SQS: awsApi,
        // Nothing listens on this port, so calls to other AWS services fail instead of reaching AWS.
        AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
        AWS_EXECUTION_ENV: `AWS_Lambda_${properties.Runtime}`,
        AWS_LAMBDA_FUNCTION_NAME: name,
        AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memorySize),
        AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
        LAMBDA_TASK_ROOT: folder,
        ...(modules !== '' && { NODE_PATH: modules }),
        _HANDLER: properties.Handler,
        TZ: ':UTC',
      }),
    });
    return { resource, arn, pool };
  });

  const find = (which: string) => {
    // All versions and aliases of a function are the function itself.
    const [unqualified = which] = /^arn:aws:lambda:[^:]*:[^:]*:function:[^:]+/.exec(which) ?? [];
    const found = functions.find(({ resource, arn }) => matches(resource, arn, unqualified));
    if (!found) throw new Error(`the template has no function "${which}"`);
    return found;
  };
  return {
    invoke: async (which, payload, whose = { caller: '' }) => find(which).pool.run(payload, whose),
    arnOf: (which) => find(which).arn,
    stop: async () => {
      await Promise.all(functions.map(({ pool }) => pool.stop()));
    },
  };
}

function moduleFile(folder: string, module: string): string {
  const files = readdirSync(folder);
  const name = ['.js', '.mjs', '.cjs'].map((extension) => module + extension).find((file) => files.includes(file));
  if (!name) throw new Error(`no ${module}.js, .mjs or .cjs in ${folder}`);
  return join(folder, name);
}
