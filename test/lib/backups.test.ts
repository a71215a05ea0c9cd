import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { backupRegionOf } from '../../lib/backups.ts';
import type { SettingsInput } from '../../lib/stages/settings.ts';
import { withBackups } from '../support/stacks/backup-settings.ts';
import type { Template as Stack } from '../support/stacks/policies.ts';
import { restoredAt } from '../support/stacks/restored-tables.ts';
import { stacksOf } from '../support/stacks/stacks.ts';
import { ownStage, ownStageNames } from '../support/stacks/stages.ts';

const dev = ownStage('dev');
const stackWith = (more: SettingsInput) => stacksOf(ownStage('dev', more));
const ofType = (template: { toJSON(): unknown }, type: string) =>
  Object.values((template.toJSON() as Stack).Resources).filter(({ Type }) => Type === type);
const selected = (more: SettingsInput) =>
  JSON.stringify(ofType(stackWith(more).data, 'AWS::Backup::BackupSelection')[0]?.Properties.BackupSelection.Resources);

/** The managed policies of the role of backups. */
const policiesOf = (more: SettingsInput) =>
  ofType(stackWith(more).data, 'AWS::IAM::Role')
    .filter(({ Properties }) => JSON.stringify(Properties.AssumeRolePolicyDocument).includes('backup.amazonaws.com'))
    .flatMap(({ Properties }) => Properties.ManagedPolicyArns)
    .map((arn) => arn['Fn::Join'][1].at(-1).replace(':iam::aws:policy/', ''));

describe('A stage with a region for backups', () => {
  const { data, stackOf } = stackWith(withBackups);
  const vaults = ['Backups', 'Copies'].map(stackOf);

  test('AWS Backup backs up both tables and the files of clicks each day, and copies each backup to the other region, which keeps it longer.', () => {
    const [{ Properties } = { Properties: {} }, ...others] = ofType(data, 'AWS::Backup::BackupPlan');
    expect(others).toEqual([]);
    const [rule, ...otherRules] = Properties.BackupPlan.BackupPlanRule;
    expect(otherRules).toEqual([]);
    expect(rule).toMatchObject({
      ScheduleExpression: 'cron(0 3 * * ? *)',
      Lifecycle: { DeleteAfterDays: 2 },
      CopyActions: [{ Lifecycle: { DeleteAfterDays: 14 } }],
    });
    expect(JSON.stringify(rule.CopyActions[0].DestinationBackupVaultArn)).toContain(':backup:eu-west-1:');
    expect(JSON.parse(selected(withBackups))).toEqual([
      { 'Fn::GetAtt': [expect.stringMatching(/^links/), 'Arn'] },
      { 'Fn::GetAtt': [expect.stringMatching(/^activity/), 'Arn'] },
      { 'Fn::GetAtt': [expect.stringMatching(/^clicks/), 'Arn'] },
    ]);
  });

  test("The role may back up tables and buckets, as AWS's own policies allow, and the bucket keeps versions, which this needs.", () => {
    expect(policiesOf(withBackups)).toEqual([
      'service-role/AWSBackupServiceRolePolicyForBackup',
      'AWSBackupServiceRolePolicyForS3Backup',
    ]);
    const [bucket] = ofType(data, 'AWS::S3::Bucket');
    expect(bucket?.Properties.VersioningConfiguration).toEqual({ Status: 'Enabled' });
  });

  test('The vaults in both regions have the names that the plan uses, and stay when their stacks are deleted.', () => {
    for (const [index, stack] of vaults.entries()) {
      const [vault, ...others] = ofType(Template.fromStack(stack), 'AWS::Backup::BackupVault');
      expect(others).toEqual([]);
      expect(vault).toMatchObject({
        Properties: { BackupVaultName: ['Links-dev', 'Links-dev-copies'][index] },
        DeletionPolicy: 'Retain',
      });
    }
    expect(vaults[1]?.region).toBe('eu-west-1');
    const [plan] = ofType(data, 'AWS::Backup::BackupPlan');
    const [rule] = plan?.Properties.BackupPlan.BackupPlanRule ?? [];
    expect(rule.TargetBackupVault).toBe('Links-dev');
    expect(JSON.stringify(rule.CopyActions[0].DestinationBackupVaultArn)).toContain(':backup-vault:Links-dev-copies');
  });

  test('The vaults are deployed before the plan that names them.', () => {
    expect(stackOf('Data').dependencies).toEqual(expect.arrayContaining(vaults));
  });

  test('The recipients of alarms are notified if a backup of this stage or its copy fails.', () => {
    const rule = ofType(data, 'AWS::Events::Rule').find(({ Properties }) => Properties.EventPattern.source[0] === 'aws.backup');
    const { EventPattern, Targets } = rule?.Properties ?? {};
    expect(EventPattern['detail-type']).toEqual(['Backup Job State Change', 'Copy Job State Change']);
    expect(EventPattern.detail).toMatchObject({
      state: ['FAILED', 'ABORTED', 'EXPIRED'],
      $or: [{ backupVaultName: ['Links-dev'] }, { sourceBackupVaultArn: [expect.anything()] }],
    });
    expect(Targets).toHaveLength(2);
    expect(JSON.stringify(Targets)).toContain('docs/operate.md#failed-backups');
    expect(JSON.stringify(Targets)).toContain(withBackups.alarmTopicArn);
    const policies = JSON.stringify(ofType(data, 'AWS::SNS::TopicPolicy'));
    expect(policies).toContain('events.amazonaws.com');
  });
});

test('A stage that does not keep backups of Activity copies only Links: its files of clicks stay out, too.', () => {
  expect(policiesOf({ ...withBackups, backUpActivity: false })).toEqual(['service-role/AWSBackupServiceRolePolicyForBackup']);
  expect(selected({ ...withBackups, backUpActivity: false })).toMatch(/^\[[^,]*"links\w+","Arn"\]\}\]$/);
});

test('A stage that works on restored tables backs up the restored tables.', () => {
  const restoredTables = restoredAt('20261121T100000Z');
  const resources = selected({ ...withBackups, restoredTables });
  expect(resources).toContain(restoredTables.Links.name);
  expect(resources).toContain(restoredTables.Activity.name);
  expect(resources).not.toMatch(/"Fn::GetAtt":\["(links|activity)/);
});

test('A stage without recipients of alarms has no rule for failed backups.', () => {
  const { data } = stackWith({ backupRegion: 'eu-west-1' });
  expect(ofType(data, 'AWS::Backup::BackupPlan')).toHaveLength(1);
  expect(ofType(data, 'AWS::Events::Rule')).toEqual([]);
});

test.for(ownStageNames)('The stage %s makes no backups by default, and has no stack for them.', (name) => {
  const { app, all } = stacksOf(ownStage(name));
  expect(app.node.children.map(({ node }) => node.id).filter((id) => /Backups|Copies/.test(id))).toEqual([]);
  for (const template of all) expect(JSON.stringify(template.toJSON())).not.toContain('AWS::Backup::');
});

test('The region of backups must be a valid region, and not that of the stage.', () => {
  const { settings } = ownStage('dev', { backupRegion: 'eu-west-1' });
  expect(backupRegionOf(settings, 'eu-central-1')).toBe('eu-west-1');
  expect(backupRegionOf(settings, undefined)).toBe('eu-west-1');
  expect(() => backupRegionOf(settings, 'eu-west-1')).toThrow('backupRegion: eu-west-1 is the region of the stage');
  expect(backupRegionOf(dev.settings)).toBeUndefined();
});
