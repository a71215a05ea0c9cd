import { describe, expect, test } from 'vitest';
import type { SettingsInput } from '../../lib/stages/settings.ts';
import { localStage } from '../../lib/stages/stages.ts';
import { functionsOf, resourcesOf, type Template } from '../support/stacks/policies.ts';
import { stacksOf } from '../support/stacks/stacks.ts';
import { ownStage, ownStageNames } from '../support/stacks/stages.ts';

const signIn = { issuer: 'https://accounts.example.com', clientId: 'client' };
const apiOf = (settings: SettingsInput) => stacksOf(ownStage('prod', settings)).api.toJSON() as Template;

const pathsIn = (template: Template): string[] => {
  const resources = new Map(resourcesOf(template, 'AWS::ApiGateway::Resource').map(({ id, properties }) => [id, properties]));
  const pathOf = (id: string): string => {
    const { ParentId, PathPart } = resources.get(id) ?? {};
    return PathPart === undefined ? '' : `${pathOf(ParentId?.Ref)}/${PathPart}`;
  };
  return resourcesOf(template, 'AWS::ApiGateway::Method').map(
    ({ properties }) => `${properties.HttpMethod} ${pathOf(properties.ResourceId.Ref)} ${properties.AuthorizationType}`,
  );
};
const ways = [
  'DELETE /sign-ins NONE',
  'DELETE /sign-ins/current NONE',
  'DELETE /sign-ins/{id} NONE',
  'GET /sign-in NONE',
  'GET /sign-in/callback NONE',
  'GET /sign-ins NONE',
  'GET /sign-ins/current NONE',
  'POST /sign-in/back-channel-logout NONE',
  'POST /sign-ins/current/invitations NONE',
  'POST /sign-ins/current/keys NONE',
];

test.for(ownStageNames)('%s, which has no provider, has no method, function, role or setting for signing in.', (name) => {
  const text = JSON.stringify(stacksOf(ownStage(name)).api.toJSON());
  expect(text).not.toMatch(/sign-in|signin|SIGN_IN|secretsmanager/);
});

test('With a provider, the gateway has the methods, outside of /api/v1/, and everything else as before.', () => {
  const [before, after] = [apiOf({}), apiOf({ signIn })];
  const added = pathsIn(after).filter((path) => !pathsIn(before).includes(path));
  expect(added.sort()).toEqual(ways);
  const functions = (template: Template) => functionsOf(template).map(({ properties }) => String(properties.Description));
  expect(functions(after).filter((name) => !functions(before).includes(name))).toEqual([
    'GET /sign-in and /sign-ins: signs people in with the provider of the stage',
  ]);
});

test('Each of these requests has a rate limit for all callers together.', () => {
  const [{ properties } = {} as never] = resourcesOf(apiOf({ signIn }), 'AWS::ApiGateway::Stage');
  for (const way of ways) {
    const [HttpMethod, path = ''] = way.split(' ');
    const rate = expect.objectContaining({
      HttpMethod,
      ResourcePath: `/${path.replaceAll('/', '~1')}`,
      ThrottlingRateLimit: expect.any(Number),
      ThrottlingBurstLimit: expect.any(Number),
    });
    expect(properties.MethodSettings, way).toContainEqual(rate);
  }
});

describe('The function', () => {
  const handlerOf = (settings: SettingsInput) =>
    functionsOf(apiOf(settings)).find(({ properties }) => String(properties.Description).includes('/sign-in')) ?? ({} as never);

  test('The function may read exactly the secret that is set, and none if none is set.', () => {
    const clientSecretArn = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:links/sign-in-AbCdEf';
    const ofSecrets = (more: Partial<SettingsInput['signIn']>) =>
      handlerOf({ signIn: { ...signIn, ...more } }).statements.filter(({ Action }) =>
        JSON.stringify(Action).includes('secretsmanager'),
      );
    expect(ofSecrets({ clientSecretArn })).toEqual([
      { Action: 'secretsmanager:GetSecretValue', Effect: 'Allow', Resource: clientSecretArn },
    ]);
    expect(ofSecrets({})).toEqual([]);
  });

  test('The function gets the settings without the secret, and only on a laptop may it call the machine itself.', () => {
    const { Environment } = handlerOf({ signIn }).properties;
    const usual = { scope: 'openid email profile', logout: 'provider', sessionHours: 12 };
    expect(JSON.parse(Environment.Variables.SIGN_IN)).toEqual({ ...signIn, ...usual });
    const own = { ...signIn, scope: 'openid groups', logout: 'here', sessionHours: 1 } as const;
    expect(JSON.parse(handlerOf({ signIn: own }).properties.Environment.Variables.SIGN_IN)).toEqual(own);
    expect(Environment.Variables).not.toHaveProperty('WEBHOOK_LOOPBACK');
  });

  test('The function can neither change nor delete an API key, nor use links, tags, webhooks or clicks.', () => {
    const text = JSON.stringify(handlerOf({ signIn }).statements);
    for (const kind of ['LINK#', 'TAG#', 'TAGS#', 'SECRET#', 'RECEIVER#', 'CLICK#', 'COUNT#', 'HISTORY#'])
      expect(text).not.toContain(kind);
    const onKeys = handlerOf({ signIn }).statements.filter((statement) => JSON.stringify(statement).includes('KEY#*'));
    expect(onKeys.flatMap(({ Action }) => Action)).toEqual(['dynamodb:PutItem']);
  });
});

test('The page of the console offers to sign in only where people can.', () => {
  const environmentOf = (settings: SettingsInput) =>
    functionsOf(apiOf(settings)).find(({ properties }) => String(properties.Description).includes('/console'))?.properties
      .Environment?.Variables ?? {};
  expect(environmentOf({})).not.toHaveProperty('SIGN_IN_OFFERED');
  expect(environmentOf({ signIn })).toMatchObject({ SIGN_IN_OFFERED: 'yes' });
});

test('A laptop may have a provider on the machine itself.', () => {
  const { api } = stacksOf(localStage(3000, { issuer: 'http://localhost:3001', clientId: 'links' }));
  expect(pathsIn(api.toJSON() as Template)).toEqual(expect.arrayContaining(ways));
});
