import type { SettingsInput } from '../../../lib/stages/settings.ts';

/** A stage with backups, and recipients of alarms about them. Test files that share a process share its synthesis. */
export const withBackups = {
  backupRegion: 'eu-west-1',
  keepData: true,
  backUpActivity: true,
  alarmEmail: 'operators@example.com',
  alarmTopicArn: 'arn:aws:sns:eu-central-1:111122223333:operators',
} as const satisfies SettingsInput;
