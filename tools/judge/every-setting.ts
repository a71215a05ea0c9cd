import { type SettingsInput, settingsOf } from '../../lib/stages/settings.ts';
import type { Stage } from '../../lib/stages/stages.ts';

export const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/one';
/**
 * A stage without alarms, whose data is deleted with it, and whose webhooks may be sent to this machine, which has the
 * only receiver.
 */
export const plainStage: Stage = {
  name: 'dev',
  settings: settingsOf({ keepData: false, backUpActivity: false, rollout: 'all-at-once', docs: true }, 'dev', true),
};

const throughput = { readUnitsPerSecond: 40_000, writeUnitsPerSecond: 8_000 };
const restored = (table: string) => {
  const name = `Links-dev-${table}-20261121T100000Z`;
  const arn = `arn:aws:dynamodb:eu-central-1:111122223333:table/${name}`;
  return { name, streamArn: `${arn}/stream/2026-11-21T12:00:00.000` };
};

/**
 * A value for each setting of a stage that differs from the value of `dev`. Together they add every resource that
 * settings can add, except those that a value of `dev` adds.
 */
export const everySetting: Required<SettingsInput> = {
  keepData: true,
  backUpActivity: true,
  restoredTables: { Links: restored('Links'), Activity: restored('Activity') },
  backupRegion: 'eu-west-1',
  partitionConditions: false,
  maxLinksPerImport: 10,
  shortUrlOrigin: 'https://{domain}/to',
  shortDomains: [
    { name: 'go.example.com', certificateArn, hostedZoneId: 'Z0123456789ABCDEFGHIJ' },
    { name: '*.links.example', hostedZoneId: 'Z0123456789ABCDEFGHIK' },
    { name: 'links.example', certificateArn },
  ],
  domainTarget: 'links.example',
  apiDomain: { name: 'api.links.example', hostedZoneId: 'Z0123456789ABCDEFGHIK' },
  keepAwsEndpoints: true,
  domainActivation: 'dns',
  managedDomains: true,
  requestRate: 10,
  requestBurst: 20,
  clickDays: 70,
  uniqueClicks: 'daily',
  linkReports: false,
  historyDays: 30,
  docs: false,
  console: false,
  mcp: false,
  signIn: {
    issuer: 'https://accounts.google.com',
    clientId: 'client',
    clientSecretArn: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:links-sign-in-AbCdEf',
    scope: 'openid email profile groups',
    trustEmails: true,
    logout: 'here',
    sessionHours: 168,
    join: [{ claim: 'hd', equals: 'example.com', workspaceId: 'ws_0123456789abcdef', role: 'viewer' }],
  },
  webhookRate: 5,
  webhookSenders: 3,
  countryFrom: {
    countryHeader: 'CloudFront-Viewer-Country',
    addressHeader: 'CloudFront-Viewer-Address',
    secretHeader: 'X-Origin-Secret',
    secretSha256: ['0'.repeat(64)],
  },
  warmThroughput: { Links: throughput, Activity: { ...throughput, index: throughput } },
  tracing: 'all',
  alarmEmail: 'operators@example.com',
  alarmTopicArn: 'arn:aws:sns:eu-central-1:111122223333:operators',
  rollout: 'canary',
  stageThrottle: { api: { rate: 1_000, burst: 500 }, redirect: { rate: 9_000, burst: 4_500 } },
  webAcl: { requestsPerAddress: 60_000 },
  monthlyBudget: 100,
  dashboard: true,
  accessLogs: true,
  logRetentionDays: 90,
  reservedConcurrency: { redirect: 5 },
};
