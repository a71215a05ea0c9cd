import { describe, expect, test } from 'vitest';
import type { CustomDomain, SettingsInput } from '../../lib/stages/settings.ts';
import { withBackups } from '../support/stacks/backup-settings.ts';
import { type Deployment, exportsOf, refusals } from '../support/stacks/exports.ts';
import type { Template } from '../support/stacks/policies.ts';
import { restoredAt } from '../support/stacks/restored-tables.ts';
import { stacksOf } from '../support/stacks/stacks.ts';
import { ownStage } from '../support/stacks/stages.ts';

const domain = (name: string, more: Partial<CustomDomain> = {}): CustomDomain => ({
  name,
  certificateArn: `arn:aws:acm:eu-central-1:111122223333:certificate/${name.length}`,
  ...more,
});
const [go, try_] = [domain('go.example.com'), domain('try.example.com')];

/** Settings that a stage may change from and to, as differences from `dev`. */
const variants: Readonly<Record<string, SettingsInput>> = {
  'its first settings': {},
  'a short domain': { shortDomains: [go] },
  'a short domain with its record': { shortDomains: [domain(go.name, { hostedZoneId: 'Z0123456789ABCDEFGHIJ' })] },
  'another short domain': { shortDomains: [try_] },
  'two short domains': { shortDomains: [go, try_] },
  'two short domains in reverse order': { shortDomains: [try_, go] },
  'a domain target': { domainTarget: 'links.example.com' },
  'another domain target': { domainTarget: 'links.example.net' },
  'a short domain and a domain target': { shortDomains: [go], domainTarget: 'links.example.com' },
  'a wildcard and a domain target': { shortDomains: [domain('*.example.com')], domainTarget: 'links.example.com' },
  'a domain of the API': { apiDomain: domain('api.example.com') },
  'a domain of the API with its records': { apiDomain: domain('api.example.com', { hostedZoneId: 'Z0123456789ABCDEFGHIJ' }) },
  'another domain of the API, and a wildcard': {
    apiDomain: domain('links.example.com'),
    shortDomains: [domain('*.example.com')],
    domainTarget: 'any.example.com',
  },
  "AWS's own names beside the domains": { apiDomain: domain('api.example.com'), shortDomains: [go], keepAwsEndpoints: true },
  'restored tables': { restoredTables: restoredAt('20261121T100000Z') },
  'tables restored once more': { restoredTables: restoredAt('20261122T100000Z'), shortDomains: [go] },
  'backups in another region': withBackups,
  'no history': { historyDays: 0 },
  'no reference': { docs: false },
  'no console': { console: false },
  'neither reference nor console': { docs: false, console: false },
  alarms: { alarmEmail: 'operators@example.com', shortDomains: [go] },
  'alarms that undo a deployment': { alarmEmail: 'operators@example.com', rollout: 'canary' },
  'other values of all other settings': {
    keepData: true,
    backUpActivity: true,
    partitionConditions: false,
    maxLinksPerImport: 500,
    shortUrlOrigin: 'https://{domain}:8443',
    domainActivation: 'dns',
    clickDays: 60,
    tracing: 'off',
    stageThrottle: { redirect: { rate: 9_000, burst: 4_500 } },
    webAcl: { requestsPerAddress: 60_000 },
    monthlyBudget: 100,
    dashboard: true,
    accessLogs: true,
    alarmTopicArn: 'arn:aws:sns:eu-central-1:111122223333:operators',
    warmThroughput: { Links: { readUnitsPerSecond: 40_000, writeUnitsPerSecond: 8_000 } },
    logRetentionDays: 90,
    reservedConcurrency: { authorizer: 20, endpoint: 10, redirect: 30, event: 2 },
  },
};

const deployments = Object.entries(variants).map(([name, settings]) => {
  const { stackOf: _, app: __, all: ___, ...stacks } = stacksOf(ownStage('dev', settings));
  const templates = Object.entries(stacks).map(([stack, template]) => [stack, template.toJSON() as Template] as const);
  return { name, deployment: Object.fromEntries(templates) as Deployment };
});

test('The exports are those that deployed stages import, and each stays while a stage imports it.', () => {
  for (const { deployment } of deployments) {
    const exported = Object.assign({}, ...Object.values(deployment).map(exportsOf));
    expect(exported).toEqual({
      'Links-dev-Data:ExportsOutputReflinks4A98BDE76C8546A4': { Ref: 'links4A98BDE7' },
      'Links-dev-Data:ExportsOutputFnGetAttlinks4A98BDE7Arn82F1696C': { 'Fn::GetAtt': ['links4A98BDE7', 'Arn'] },
      'Links-dev-Data:ExportsOutputFnGetAttlinks4A98BDE7StreamArn240BDFAA': { 'Fn::GetAtt': ['links4A98BDE7', 'StreamArn'] },
      'Links-dev-Data:ExportsOutputRefactivity1E902D9C92995E59': { Ref: 'activity1E902D9C' },
      'Links-dev-Data:ExportsOutputFnGetAttactivity1E902D9CArnDEFA3961': { 'Fn::GetAtt': ['activity1E902D9C', 'Arn'] },
      'Links-dev-Data:ExportsOutputFnGetAttactivity1E902D9CStreamArn77A916CB': {
        'Fn::GetAtt': ['activity1E902D9C', 'StreamArn'],
      },
      'Links-dev-Data:ExportsOutputRefclicksD0D0265E2302523B': { Ref: 'clicksD0D0265E' },
      'Links-dev-Data:ExportsOutputFnGetAttclicksD0D0265EArn8EB6C225': { 'Fn::GetAtt': ['clicksD0D0265E', 'Arn'] },
      'Links-dev-Data:ExportsOutputRefwaitingclicksF6AC259ACD201134': { Ref: 'waitingclicksF6AC259A' },
      'Links-dev-Data:ExportsOutputFnGetAttwaitingclicksF6AC259AArnA7A41C32': { 'Fn::GetAtt': ['waitingclicksF6AC259A', 'Arn'] },
      'Links-dev-Redirect:ExportsOutputRefapiC855031500EF81AC': { Ref: 'apiC8550315' },
    });
  }
});

describe('A stage with restored tables', () => {
  const [before, after] = ['its first settings', 'restored tables'].map(
    (wanted) => deployments.find(({ name }) => name === wanted)?.deployment,
  );
  if (!before || !after) throw new Error('a deployment is missing');
  const { data: old, ...oldOthers } = before;
  const { data: now, ...others } = after;
  const tablesIn = (template: Template | undefined) =>
    Object.entries(template?.Resources ?? {}).filter(([, { Type }]) => Type === 'AWS::DynamoDB::GlobalTable');

  test('Its own tables stay as they are.', () => {
    expect(tablesIn(now)).toHaveLength(2);
    expect(tablesIn(now)).toEqual(tablesIn(old));
  });

  test('None of its functions knows its own tables; each that knew one knows the restored one instead.', () => {
    const { Links, Activity } = restoredAt('20261121T100000Z');
    const imports = /"Fn::ImportValue":"Links-dev-Data:ExportsOutput(?:Ref|FnGetAtt)(links|activity)[^"]*"/g;
    for (const [stack, template] of Object.entries(others)) {
      const text = JSON.stringify(template);
      expect(text.match(imports)).toBeNull();
      const formerly = JSON.stringify(oldOthers[stack]).matchAll(imports);
      for (const table of new Set([...formerly].map(([, table]) => table))) {
        expect(text, stack).toContain(table === 'links' ? Links.name : Activity.name);
      }
    }
    expect(Object.values(now?.Outputs ?? {}).map(({ Value }) => Value)).toEqual(
      expect.arrayContaining([Links.name, Activity.name]),
    );
  });

  test('Its readers of streams read those of the restored tables, from the first record.', () => {
    const mappings = Object.values(others.events?.Resources ?? {}).filter(
      ({ Type, Properties }) => Type === 'AWS::Lambda::EventSourceMapping' && 'StartingPosition' in Properties,
    );
    const { Links, Activity } = restoredAt('20261121T100000Z');
    const read = mappings.map(({ Properties }) => [Properties.EventSourceArn, Properties.StartingPosition]);
    expect(read.toSorted()).toEqual([Activity, Activity, Links, Links].map(({ streamArn }) => [streamArn, 'TRIM_HORIZON']));
  });
});

describe('The check of a deployment', () => {
  const table = { Type: 'AWS::DynamoDB::GlobalTable', Properties: { KeySchema: ['pk'] } };
  const exporting = (value: unknown, more = {}): Template => ({
    Resources: { table: { ...table, ...more } },
    Outputs: { any: { Value: value, Export: { Name: 'of:table' } } },
  });
  const importing: Template = { Resources: { any: { Type: 'any', Properties: { of: { 'Fn::ImportValue': 'of:table' } } } } };
  const alone: Template = { Resources: {} };
  const ref = { Ref: 'table' };

  test.for<[string, Deployment, Deployment, string[]]>([
    ['nothing if everything stays the same', { a: exporting(ref), b: importing }, { a: exporting(ref), b: importing }, []],
    ['nothing if an export is added together with its import', { a: alone, b: alone }, { a: exporting(ref), b: importing }, []],
    ['nothing if an export without an import is removed', { a: exporting(ref), b: alone }, { a: alone, b: alone }, []],
    [
      'the removal of an export together with its import',
      { a: exporting(ref), b: importing },
      { a: alone, b: alone },
      ['vanishes'],
    ],
    [
      'another value of an export',
      { a: exporting(ref), b: importing },
      { a: exporting({ 'Fn::GetAtt': ['table', 'Arn'] }), b: alone },
      ['changes its value'],
    ],
    [
      'another resource behind an export',
      { a: exporting(ref), b: importing },
      { a: exporting(ref, { Properties: { KeySchema: ['pk', 'sk'] } }), b: importing },
      ['changes its value'],
    ],
    ['an import without an export', { a: alone, b: alone }, { a: alone, b: importing }, ['which no stack exports']],
  ])('The check refuses %s.', ([, before, after, expected]) => {
    expect(refusals(before, after)).toEqual(expected.map((text) => expect.stringContaining(text)));
  });
});

describe.for(deployments)('A stage deployed with $name', ({ deployment: before }) => {
  test.for(deployments)('A stage can be redeployed with $name instead.', ({ deployment: after }) => {
    expect(refusals(before, after)).toEqual([]);
  });
});
