import { describe, expect, test } from 'vitest';
import { linksPerRequest } from '../../../lambdas/core/limits.ts';
import { type SettingsInput, schema, settingsOf } from '../../../lib/stages/settings.ts';
import { localStage } from '../../../lib/stages/stages.ts';
import { everySetting } from '../../../tools/judge/every-setting.ts';
import { restoredAt } from '../../support/stacks/restored-tables.ts';

const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/one';
const alarmEmail = 'operators@example.com';
const alarmTopicArn = 'arn:aws:sns:eu-central-1:111122223333:operators';
const short = (...names: string[]) => ({ shortDomains: names.map((name) => ({ name, certificateArn })) });
const signIn = { issuer: 'https://accounts.example.com', clientId: 'client' };
const join = { claim: 'hd', equals: 'a', workspaceId: 'ws_a', role: 'viewer' } as const;
const network = {
  countryHeader: 'X-Country',
  addressHeader: 'X-Address',
  secretHeader: 'X-Secret',
  secretSha256: ['0'.repeat(64)],
};
const restored = restoredAt('20261121T100000Z');

test('Every setting has a description.', () => {
  for (const [name, { description = '' }] of Object.entries(schema.shape)) expect(description.length, name).toBeGreaterThan(40);
});

test('Settings without a value have the default, and valid values are kept.', () => {
  const settings = settingsOf(everySetting);
  const { countryFrom: _, ...others } = everySetting;
  expect(settings).toMatchObject(others);
  // Functions get the names of headers in lower case.
  const headers = { countryHeader: 'x-country', addressHeader: 'x-address', secretHeader: 'x-secret' };
  expect(settingsOf({ countryFrom: network }).countryFrom).toEqual({ ...network, ...headers });
  for (const [name, value] of Object.entries(settingsOf({}))) {
    if (name in schema.shape && value !== undefined) expect(settingsOf({ [name]: value }), name).toEqual(settingsOf({}));
  }
});

describe('The settings determine', () => {
  test('who receives alarms', () => {
    expect(settingsOf({}).alarmRecipients).toEqual([]);
    expect(settingsOf({ alarmEmail, alarmTopicArn }).alarmRecipients).toEqual([alarmEmail, alarmTopicArn]);
  });

  test("whether AWS's own names answer", () => {
    const apiDomain = { name: 'api.example.com', certificateArn };
    expect(settingsOf({}).awsEndpoints).toEqual({ api: true, redirect: true });
    expect(settingsOf({ apiDomain }).awsEndpoints).toEqual({ api: false, redirect: true });
    expect(settingsOf(short('go.example.com')).awsEndpoints).toEqual({ api: true, redirect: false });
    expect(settingsOf({ ...short('go.example.com'), apiDomain, keepAwsEndpoints: true }).awsEndpoints).toEqual({
      api: true,
      redirect: true,
    });
  });

  test('where domains point', () => {
    expect(settingsOf({}).domainTarget).toBeUndefined();
    expect(settingsOf(short('*.example.com', 'go.example.com', 'a.example.com')).domainTarget).toBe('go.example.com');
    expect(settingsOf({ ...short('go.example.com'), domainTarget: 'links.example.com' }).domainTarget).toBe('links.example.com');
  });

  test('that only functions of a laptop may call the machine that runs them', () => {
    expect(settingsOf(everySetting).webhookLoopback).toBe(false);
    expect(localStage(3000).settings.webhookLoopback).toBe(true);
  });
});

describe('An error', () => {
  test('names each wrong setting, and what is wrong, in one line.', () => {
    const given = { keepData: 'yes', clickDays: 1.5, apiDomain: { certificateArn }, tracing: 'on', logRetentionDays: 3 };
    expect(() => settingsOf(given as never, 'stages/dev.json')).toThrow(
      new Error(
        'stages/dev.json: keepData: must be true or false; apiDomain.name: is required; clickDays: must be a whole number; logRetentionDays: must be one of 1, 7, 30, 90; tracing: must be one of off, sampled, all',
      ),
    );
  });

  test.for([
    ['alarmMail', 'alarmEmail'],
    ['shortdomains', 'shortDomains'],
    ['requstRate', 'requestRate'],
  ] as const)('asks whether %s should be %s.', ([wrong, right]) => {
    expect(() => settingsOf({ [wrong]: 1 })).toThrow(`settings: ${wrong}: there is no such setting: did you mean ${right}?`);
  });

  test('names an unknown key by its whole path, and does not guess what is not similar.', () => {
    expect(() => settingsOf({ password: 'hunter2' } as never)).toThrow(/^settings: password: there is no such setting$/);
    const shortDomains = [{ name: 'go.example.com', certificateArn, zone: 'Z1' }];
    expect(() => settingsOf({ shortDomains } as never)).toThrow('settings: shortDomains.0.zone: there is no such setting');
  });
});

test.for<[string, SettingsInput, RegExp]>([
  [
    'a name in capitals',
    short('Go.Example.com'),
    /^shortDomains\.0\.name: "Go\.Example\.com" is not .*, write it as go\.example\.com$/,
  ],
  ['a wildcard in another script', short('*.bücher.example'), /, write it as \*\.xn--bcher-kva\.example$/],
  ['a URL', short('https://go.example.com'), /^shortDomains\.0\.name: "https:\/\/go\.example\.com" is not a domain name/],
  ['a wildcard in the middle', short('go.*.example.com'), /^shortDomains\.0\.name: .* is not a domain name/],
  ['a name twice', short('go.example.com', 'go.example.com'), /^shortDomains\.1\.name: go\.example\.com is listed twice$/],
  [
    'more names than a function may know',
    short(...Array.from({ length: 150 }, (_, number) => `links-${number}.go.example.com`)),
    /^shortDomains: the names have more than 3000 characters together: use wildcards$/,
  ],
  ['only wildcards', short('*.example.com'), /^domainTarget: shortDomains has only wildcards: set /],
  [
    'a wildcard for the API',
    { apiDomain: { name: '*.example.com', certificateArn } },
    /^apiDomain\.name: .* without a wildcard$/,
  ],
  [
    'a certificate of IAM',
    { apiDomain: { name: 'a.example.com', certificateArn: 'arn:aws:iam::1:server-certificate/a' } },
    /ACM$/,
  ],
  [
    'neither a certificate nor a zone',
    { apiDomain: { name: 'a.example.com' } },
    /^apiDomain\.certificateArn: set it, or hostedZoneId/,
  ],
  [
    'a name that is too long for a certificate',
    { shortDomains: [{ name: `${'a'.repeat(53)}.example.com`, hostedZoneId: 'Z1' }] },
    /^shortDomains\.0\.certificateArn: set it: ACM makes none for a name of more than 64 characters$/,
  ],
  [
    'a name as a zone',
    { apiDomain: { name: 'a.example.com', hostedZoneId: 'example.com' } },
    /"example\.com" is not the id of a hosted zone/,
  ],
  [
    'a name for both',
    { ...short('go.example.com'), apiDomain: { name: 'go.example.com', certificateArn } },
    /^apiDomain\.name: go\.example\.com is also a short domain/,
  ],
  ['short URLs without the domain', { shortUrlOrigin: 'https://go.example.com' }, /^shortUrlOrigin: "https:\/\/go/],
  ['short URLs without a scheme', { shortUrlOrigin: '{domain}' }, /^shortUrlOrigin: "\{domain\}" is not the start of a URL/],
  ['a country as a region', { backupRegion: 'Ireland' }, /^backupRegion: "Ireland" is not the name/],
  [
    'a name that no table can have',
    { restoredTables: { ...restored, Links: { ...restored.Links, name: 'x y' } } },
    /^restoredTables\.Links\.name: "x y" is a name that no table can have/,
  ],
  [
    'the stream of another table',
    { restoredTables: { ...restored, Links: { ...restored.Links, name: 'Another' } } },
    /^restoredTables\.Links\.streamArn: .* is not the ARN of a stream of Another$/,
  ],
  [
    "a table's ARN as its stream",
    {
      restoredTables: {
        ...restored,
        Links: { ...restored.Links, streamArn: 'arn:aws:dynamodb:eu-central-1:111122223333:table/a' },
      },
    },
    /is not the ARN of a stream of/,
  ],
  [
    'one table for both',
    { restoredTables: { ...restored, Links: restored.Activity } },
    /^restoredTables: .* must be two tables$/,
  ],
  ['more links than fit', { maxLinksPerImport: linksPerRequest + 1 }, /^maxLinksPerImport: must be at most /],
  ['a rate of 0', { requestRate: 0 }, /^requestRate: must be above 0$/],
  [
    'a gateway that lets nothing pass',
    { stageThrottle: { api: { rate: 0, burst: 1 } } },
    /^stageThrottle\.api\.rate: must be above 0$/,
  ],
  [
    'a rate that is not a number',
    { stageThrottle: { api: { rate: Number.NaN, burst: 1 } } },
    /^stageThrottle\.api\.rate: must be a number$/,
  ],
  ['no burst', { stageThrottle: { redirect: { rate: 1, burst: 0 } } }, /^stageThrottle\.redirect\.burst: must be at least 1$/],
  [
    'half a burst',
    { stageThrottle: { redirect: { rate: 1, burst: 1.5 } } },
    /^stageThrottle\.redirect\.burst: must be a whole number$/,
  ],
  ['fewer requests than AWS takes', { webAcl: { requestsPerAddress: 9 } }, /^webAcl\.requestsPerAddress: must be at least 10$/],
  [
    'more requests than AWS takes',
    { webAcl: { requestsPerAddress: 2e9 + 1 } },
    /^webAcl\.requestsPerAddress: must be at most 2000000000$/,
  ],
  ['half a request', { webAcl: { requestsPerAddress: 10.5 } }, /^webAcl\.requestsPerAddress: must be a whole number$/],
  ['a budget without recipients', { monthlyBudget: 100 }, /^monthlyBudget: set alarmEmail or alarmTopicArn/],
  ['a budget of nothing', { monthlyBudget: 0, alarmEmail }, /^monthlyBudget: must be above 0$/],
  ['an unknown kind', { reservedConcurrency: { redirects: 1 } as never }, /^reservedConcurrency\.redirects: /],
  ['a rate of webhooks of 0', { webhookRate: 0 }, /^webhookRate: must be above 0$/],
  ['a rate of webhooks without end', { webhookRate: Number.POSITIVE_INFINITY }, /^webhookRate: must be a number$/],
  ['more webhooks than a queue takes', { webhookRate: 501 }, /^webhookRate: must be at most 500$/],
  ['an invalid address', { alarmEmail: 'operators' }, /^alarmEmail: "operators" is not an email address$/],
  ['an empty address', { alarmEmail: '' }, /^alarmEmail: "" is not/],
  [
    'the name of a topic',
    { alarmTopicArn: 'operators' },
    /^alarmTopicArn: "operators" is not the ARN of a standard topic of SNS$/,
  ],
  ['a topic of FIFO', { alarmTopicArn: `${alarmTopicArn}.fifo` }, /^alarmTopicArn: .*\.fifo" is not/],
  ['a queue', { alarmTopicArn: 'arn:aws:sqs:eu-central-1:111122223333:operators' }, /^alarmTopicArn: /],
  [
    'a network without a secret',
    { countryFrom: { ...network, secretSha256: [] } },
    /^countryFrom\.secretSha256: it must list the SHA-256/,
  ],
  [
    'the secret itself',
    { countryFrom: { ...network, secretSha256: ['the secret itself'] } },
    /^countryFrom\.secretSha256\.0: .* not a SHA-256/,
  ],
  [
    'a header with a colon',
    { countryFrom: { ...network, countryHeader: 'X-Country:' } },
    /"X-Country:" is not the name of a header$/,
  ],
  ['no header', { countryFrom: { ...network, secretHeader: '' } }, /^countryFrom\.secretHeader: "" is not the name of a header$/],
  ['no files', { countryFrom: { files: [] } }, /^countryFrom\.files: it names no files$/],
  ['half a network', { countryFrom: { countryHeader: 'X-Country' } as never }, /^countryFrom: it must be "off", \{ files \}, or/],
  ['an issuer without https', { signIn: { ...signIn, issuer: 'http://accounts.example.com' } }, /^signIn\.issuer: .* https/],
  ['an issuer on this machine', { signIn: { ...signIn, issuer: 'http://localhost:3001' } }, /^signIn\.issuer: .* https/],
  ['an issuer that is not a URL', { signIn: { ...signIn, issuer: 'accounts.example.com' } }, /^signIn\.issuer: .* https/],
  [
    'a discovery document',
    { signIn: { ...signIn, issuer: 'https://a.example/.well-known/openid-configuration' } },
    /^signIn\.issuer/,
  ],
  ['an issuer with a query', { signIn: { ...signIn, issuer: 'https://accounts.example.com/?tenant=a' } }, /^signIn\.issuer/],
  ['no client', { signIn: { ...signIn, clientId: ' ' } }, /^signIn\.clientId: it is empty$/],
  [
    'a secret of the client',
    { signIn: { ...signIn, clientSecretArn: 'hunter2' } },
    /^signIn\.clientSecretArn: .* not the ARN of a secret/,
  ],
  ['scopes without openid', { signIn: { ...signIn, scope: 'email profile' } }, /^signIn\.scope: it must include openid/],
  ['scopes with two spaces', { signIn: { ...signIn, scope: 'openid  email' } }, /^signIn\.scope: .* not a list of scopes/],
  ['another logout', { signIn: { ...signIn, logout: 'there' as never } }, /^signIn\.logout: must be one of provider, here$/],
  ['sessions of no hour', { signIn: { ...signIn, sessionHours: 0 } }, /^signIn\.sessionHours: /],
  ['sessions of more than a week', { signIn: { ...signIn, sessionHours: 169 } }, /^signIn\.sessionHours: /],
  ['a rule without a claim', { signIn: { ...signIn, join: [{ ...join, claim: '' }] } }, /^signIn\.join\.0\.claim: it is empty$/],
  [
    'a rule that everything matches',
    { signIn: { ...signIn, join: [{ ...join, equals: '' }] } },
    /^signIn\.join\.0\.equals: it is empty$/,
  ],
  [
    'a rule for no workspace',
    { signIn: { ...signIn, join: [{ ...join, workspaceId: 'acme' }] } },
    /^signIn\.join\.0\.workspaceId: "acme"/,
  ],
  ['no role', { signIn: { ...signIn, join: [{ ...join, role: 'admin' as never }] } }, /^signIn\.join\.0\.role: must be one of /],
  [
    'a provider that is too long',
    { signIn: { ...signIn, clientId: 'x'.repeat(3_000) } },
    /^signIn: it has more than 3,000 bytes$/,
  ],
])('Settings with %s are refused with one line that names the place.', ([, given, message]) => {
  expect(() => settingsOf(given, 'a')).toThrow(new RegExp(message.source.replace(/^\^/, '^a: '), message.flags));
});
