import { isDeepStrictEqual } from 'node:util';
import { settingsOf } from './stages/settings.ts';
import type { Stage } from './stages/stages.ts';

// `released.json`, which `npm run released` writes, has the resources of the last release that later ones must not
// lose.

/** A resource with content that a deployment cannot recreate. */
type Holding = {
  readonly type: string;
  /** The properties whose change replaces the resource; null if the template doesn't set one. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** The types of the attributes that the keys name. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly deletionPolicy: string;
  readonly isProtected?: boolean;
};

type ReleasedStack = {
  /** By logical id. */
  readonly holdings: Readonly<Record<string, Holding>>;
  /** By name: CloudFormation refuses to remove or change what a deployed stack imports. */
  readonly exports: Readonly<Record<string, unknown>>;
};

export type Released = { readonly version: string; readonly stacks: Readonly<Record<string, ReleasedStack>> };

/** The relevant parts of a template. */
type Template = {
  readonly Resources?: Readonly<
    Record<string, { readonly Type: string; readonly Properties?: Properties; readonly DeletionPolicy?: string }>
  >;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: unknown } }>>;
};
type Properties = Readonly<Record<string, unknown>>;

/** By the stack's name. */
export type Templates = Readonly<Record<string, Template>>;

/**
 * The types of resources that hold something, with the properties whose change replaces the resource. A test compares
 * them with the CDK's database of CloudFormation. Log groups are not included, because they are deleted with their
 * stack.
 */
export const holding: Readonly<Record<string, { readonly what: string; readonly replacing: readonly string[] }>> = {
  'AWS::DynamoDB::GlobalTable': { what: 'data', replacing: ['TableName', 'KeySchema', 'LocalSecondaryIndexes'] },
  'AWS::S3::Bucket': { what: 'clicks', replacing: ['BucketName', 'BucketNamePrefix', 'BucketNamespace', 'ObjectLockEnabled'] },
  'AWS::Backup::BackupVault': { what: 'backups', replacing: ['BackupVaultName', 'EncryptionKeyArn'] },
  'AWS::ApiGateway::UsagePlan': { what: "the workspaces' gateway keys", replacing: [] },
  'AWS::ApiGateway::RestApi': { what: 'the address of the API, which callers know', replacing: [] },
  'AWS::ApiGatewayV2::Api': { what: "the address of the redirect, which workspaces' DNS may name", replacing: ['ProtocolType'] },
  'AWS::ApiGatewayV2::DomainName': { what: "a short domain's address, which the DNS names", replacing: ['DomainName'] },
  'AWS::SNS::Topic': { what: 'the confirmed addresses of alarms', replacing: ['FifoTopic', 'TopicName'] },
  'AWS::SNS::Subscription': { what: 'a confirmed address of alarms', replacing: ['Endpoint', 'Protocol', 'TopicArn'] },
};

/**
 * Properties whose change replaces nothing, but changes what other stacks import: a stream of another type is a new
 * stream with a new ARN.
 */
const imported: Readonly<Record<string, readonly string[]>> = { 'AWS::DynamoDB::GlobalTable': ['StreamSpecification'] };

/**
 * The stage that is compared: `prod` with its defaults, and with every setting that adds a resource that holds
 * something.
 */
export function comparedStage(): Stage {
  const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/one';
  return {
    name: 'prod',
    settings: settingsOf({
      shortDomains: [{ name: 'go.example.com', certificateArn }],
      alarmEmail: 'operators@example.com',
      backupRegion: 'eu-west-1',
    }),
  };
}

/** The entry of a release with these templates. */
export const releasedOf = (version: string, templates: Templates): Released => ({
  version,
  stacks: Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, stackOf(template)])),
});

const stackOf = ({ Resources = {}, Outputs = {} }: Template): ReleasedStack => ({
  holdings: Object.fromEntries(
    Object.entries(Resources).flatMap(([id, resource]) => {
      const { Type: type, Properties = {}, DeletionPolicy = 'Delete' } = resource;
      const named = [...(holding[type]?.replacing ?? []), ...(imported[type] ?? [])];
      if (!holding[type]) return [];
      const fixed = Object.fromEntries(named.map((property) => [property, Properties[property] ?? null]));
      return [[id, { type, fixed, ...ofTable(Properties), deletionPolicy: DeletionPolicy }]];
    }),
  ),
  exports: Object.fromEntries(
    Object.values(Outputs).flatMap(({ Export, Value }) => (Export ? [[String(Export.Name), Value]] : [])),
  ),
});

/** The additional properties of a table; empty for other resources. */
function ofTable({ AttributeDefinitions, Replicas }: Properties): Pick<Holding, 'attributes' | 'isProtected'> {
  if (!Array.isArray(AttributeDefinitions) || !Array.isArray(Replicas)) return {};
  return {
    attributes: Object.fromEntries(
      AttributeDefinitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]),
    ),
    isProtected: Replicas.every(({ DeletionProtectionEnabled }) => DeletionProtectionEnabled === true),
  };
}

/** One line for each loss if these templates were deployed over those of a release. Additions are fine. */
export function lossesOf(released: Released, templates: Templates): string[] {
  const now = releasedOf('', templates).stacks;
  return Object.entries(released.stacks).flatMap(([name, before]) => {
    const after = now[name];
    if (!after) return [`the stack ${name} is gone, and with it what it holds`];
    return [
      ...Object.entries(before.holdings).flatMap(([id, was]) => changesOf(`${name}/${id}`, was, after.holdings[id])),
      ...Object.entries(before.exports).flatMap(([exported, value]) => {
        if (!(exported in after.exports))
          return [`the export ${exported} is gone: CloudFormation refuses that while a stack imports it`];
        if (isDeepStrictEqual(after.exports[exported], value)) return [];
        return [`the export ${exported} has another value: CloudFormation refuses that while a stack imports it`];
      }),
    ];
  });
}

function changesOf(where: string, was: Holding, is: Holding | undefined): string[] {
  const { what } = holding[was.type] ?? { what: 'data' };
  if (!is) {
    return [
      `${where} (${was.type}) is gone or has another logical id: CloudFormation would make a new, empty one. It holds ${what}. Give the construct its former id, in its former scope`,
    ];
  }
  if (is.type !== was.type)
    return [`${where} was ${was.type} and is ${is.type}: CloudFormation would replace it. It holds ${what}`];
  const changed = Object.entries(was.fixed).filter(([property, value]) => !isDeepStrictEqual(is.fixed[property] ?? null, value));
  const retyped = Object.entries(was.attributes ?? {}).filter(([name, type]) => (is.attributes?.[name] ?? type) !== type);
  return [
    ...changed.map(([property, value]) => {
      const effect = imported[was.type]?.includes(property)
        ? 'another stack imports what it decides'
        : `it replaces what holds ${what}`;
      return `${where}: ${property} must stay ${JSON.stringify(value)}, not ${JSON.stringify(is.fixed[property] ?? null)}: ${effect}`;
    }),
    ...retyped.map(
      ([name, type]) => `${where}: the attribute ${name} must stay ${type}: another type replaces what holds ${what}`,
    ),
    ...(was.deletionPolicy.startsWith('Retain') && is.deletionPolicy !== was.deletionPolicy
      ? [`${where}: DeletionPolicy must stay ${was.deletionPolicy}, not ${is.deletionPolicy}: it holds ${what}`]
      : []),
    ...(was.isProtected && !is.isProtected ? [`${where} has lost its deletion protection: it holds ${what}`] : []),
  ];
}
