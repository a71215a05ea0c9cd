import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { comparedStage, holding, lossesOf, type Released, releasedOf, type Templates } from '../../lib/released.ts';
import { stacksOf } from '../support/stacks/stacks.ts';

const released: Released = JSON.parse(readFileSync('lib/released.json', 'utf8'));

/** The current templates, by the stacks' names. */
const today = (): Templates => {
  const { stackOf } = stacksOf(comparedStage());
  const names = ['Data', 'Api', 'Redirect', 'Events', 'Backups', 'Copies'];
  return Object.fromEntries(names.map((name) => [`Links-prod-${name}`, Template.fromStack(stackOf(name)).toJSON()]));
};

test('A deployment over the last release loses nothing: if this fails, see docs/upgrade.md#what-a-release-must-not-lose.', () => {
  expect(lossesOf(released, today())).toEqual([]);
});

test('The last release holds the tables, the bucket, the vaults, the usage plan, both addresses, a short domain and the topic.', () => {
  const types = Object.values(released.stacks).flatMap(({ holdings }) => Object.values(holdings).map(({ type }) => type));
  expect(new Set(types)).toEqual(new Set(Object.keys(holding)));
  expect(types.filter((type) => type === 'AWS::DynamoDB::GlobalTable')).toHaveLength(2);
});

describe('A change of the templates', () => {
  const templates = today();
  const now = releasedOf('0.0.0', templates);
  const [data, api, copies] = ['Links-prod-Data', 'Links-prod-Api', 'Links-prod-Copies'] as const;
  const table = 'links4A98BDE7';
  // biome-ignore lint/suspicious/noExplicitAny: each change reaches into another part of the templates.
  type Any = any;
  const properties = (changed: Any) => changed[data].Resources[table].Properties;

  test.for<[string, (changed: Any) => void, RegExp]>([
    [
      'another logical id of a table',
      ({ [data]: { Resources } }) => {
        Resources.renamed = Resources[table];
        delete Resources[table];
      },
      /links4A98BDE7 \(AWS::DynamoDB::GlobalTable\) is gone or has another logical id: .* It holds data/,
    ],
    [
      'another table type',
      ({ [data]: { Resources } }) => Object.assign(Resources[table], { Type: 'AWS::DynamoDB::Table' }),
      /links4A98BDE7 \(AWS::DynamoDB::GlobalTable\) is gone/,
    ],
    [
      'a name for a table',
      (changed) => Object.assign(properties(changed), { TableName: 'Links' }),
      /TableName must stay null, not "Links"/,
    ],
    ['another key', (changed) => properties(changed).KeySchema.pop(), /KeySchema must stay .*: it replaces what holds data/],
    [
      'another type of a key attribute',
      (changed) => Object.assign(properties(changed).AttributeDefinitions[0], { AttributeType: 'B' }),
      /the attribute pk must stay S: another type replaces what holds data/,
    ],
    [
      'a local index',
      (changed) => Object.assign(properties(changed), { LocalSecondaryIndexes: [] }),
      /LocalSecondaryIndexes must stay null/,
    ],
    [
      'another type of a stream',
      (changed) => Object.assign(properties(changed).StreamSpecification, { StreamViewType: 'KEYS_ONLY' }),
      /StreamSpecification must stay .* another stack imports what it decides/,
    ],
    [
      'a table that is deleted with its stack',
      ({ [data]: { Resources } }) => Object.assign(Resources[table], { DeletionPolicy: 'Delete' }),
      /DeletionPolicy must stay Retain, not Delete/,
    ],
    [
      'a table without deletion protection',
      (changed) => Object.assign(properties(changed).Replicas[0], { DeletionProtectionEnabled: false }),
      /links4A98BDE7 has lost its deletion protection/,
    ],
    [
      'a missing export',
      ({ [data]: { Outputs } }) => {
        delete Outputs.ExportsOutputReflinks4A98BDE76C8546A4;
      },
      /the export Links-prod-Data:ExportsOutputReflinks4A98BDE76C8546A4 is gone/,
    ],
    [
      'another value of an export',
      ({ [data]: { Outputs } }) => Object.assign(Outputs.ExportsOutputReflinks4A98BDE76C8546A4, { Value: { Ref: 'other' } }),
      /has another value/,
    ],
    [
      'another usage plan',
      ({ [api]: { Resources } }) => {
        delete Resources.apiworkspaceplan4099038E;
      },
      /apiworkspaceplan4099038E .* It holds the workspaces' gateway keys/,
    ],
    [
      'another name of a vault',
      ({ [copies]: { Resources } }) => Object.assign(Resources.vaultAEB7ADF6.Properties, { BackupVaultName: 'other' }),
      /BackupVaultName must stay "Links-prod-copies", not "other": it replaces what holds backups/,
    ],
    [
      'a missing stack',
      (changed) => {
        delete changed[data];
      },
      /the stack Links-prod-Data is gone/,
    ],
  ])('The check refuses %s.', ([, change, message]) => {
    const changed = structuredClone(templates);
    change(changed);
    expect(lossesOf(now, changed)).toEqual([expect.stringMatching(message)]);
  });

  test('The check accepts additions: a table, an index with its attributes, an export and a tag.', () => {
    const changed: Any = structuredClone(templates);
    const { Resources, Outputs } = changed[data];
    Resources.another = structuredClone(Resources[table]);
    properties(changed).AttributeDefinitions.push({ AttributeName: 'gsi2pk', AttributeType: 'S' });
    properties(changed).GlobalSecondaryIndexes.push({ IndexName: 'gsi2' });
    properties(changed).Replicas[0].Tags.push({ Key: 'team', Value: 'links' });
    Outputs.more = { Value: 'more', Export: { Name: 'more' } };
    expect(lossesOf(now, changed)).toEqual([]);
  });
});

test('The properties that replace a resource are those that CloudFormation names, by the database of the CDK.', () => {
  type Entity = {
    readonly cloudFormationType: string;
    readonly properties: Record<string, { readonly causesReplacement?: 'yes' | 'maybe' | 'no' }>;
  };
  const database = JSON.parse(gunzipSync(readFileSync('node_modules/aws-cdk/db.json.gz')).toString());
  const entities: Entity[] = Object.values(database.schema.resource.entities);
  for (const [type, { replacing }] of Object.entries(holding)) {
    const { properties } = entities.find(({ cloudFormationType }) => cloudFormationType === type) ?? {};
    if (!properties) throw new Error(`CloudFormation has no type ${type}`);
    const named = Object.keys(properties).filter((property) =>
      ['yes', 'maybe'].includes(properties[property]?.causesReplacement ?? ''),
    );
    expect(replacing.toSorted(), type).toEqual(named.toSorted());
  }
});
