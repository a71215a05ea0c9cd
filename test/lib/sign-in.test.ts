import { describe, expect, test } from 'vitest';
import type { SignIn } from '../../lambdas/core/sign-in/sign-in.ts';
import { localStage, type StageSettings, stageNames, stageOf } from '../../lib/stages.ts';
import { functionsOf, resourcesOf, type Template } from '../support/stacks/policies.ts';
import { stacksOf } from '../support/stacks/stacks.ts';

const signIn: SignIn = { issuer: 'https://accounts.example.com', clientId: 'client' };
const prod = stageOf('prod');
const apiOf = (settings: Partial<StageSettings>) =>
  stacksOf({ ...prod, settings: { ...prod.settings, ...settings } }).api.toJSON() as Template;

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
  'DELETE /sign-ins/current NONE',
  'GET /sign-in NONE',
  'GET /sign-in/callback NONE',
  'GET /sign-ins/current NONE',
  'POST /sign-ins/current/invitations NONE',
  'POST /sign-ins/current/keys NONE',
];

test.for(stageNames)(
  'On %s, which has no provider, there is nothing of it: no method, no function, no role, no setting.',
  (name) => {
    const text = JSON.stringify(stacksOf(stageOf(name)).api.toJSON());
    expect(text).not.toMatch(/sign-in|signin|SIGN_IN|secretsmanager/);
  },
);

test('With a provider, the gateway has the methods, outside of /api/v1/, and everything else as before.', () => {
  const [before, after] = [apiOf({}), apiOf({ signIn })];
  const added = pathsIn(after).filter((path) => !pathsIn(before).includes(path));
  expect(added.sort()).toEqual(ways);
  const functions = (template: Template) => functionsOf(template).map(({ properties }) => String(properties.Description));
  expect(functions(after).filter((name) => !functions(before).includes(name))).toEqual([
    'GET /sign-in and /sign-ins: signs people in with the provider of the stage',
  ]);
});

test('Everybody together may send each of these requests at a limited rate.', () => {
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
  const handlerOf = (settings: Partial<StageSettings>) =>
    functionsOf(apiOf(settings)).find(({ properties }) => String(properties.Description).includes('/sign-in')) ?? ({} as never);

  test('The function may read exactly the secret that is set, and none if none is set.', () => {
    const clientSecretArn = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:links/sign-in-AbCdEf';
    const ofSecrets = (more: Partial<SignIn>) =>
      handlerOf({ signIn: { ...signIn, ...more } }).statements.filter(({ Action }) =>
        JSON.stringify(Action).includes('secretsmanager'),
      );
    expect(ofSecrets({ clientSecretArn })).toEqual([
      { Action: 'secretsmanager:GetSecretValue', Effect: 'Allow', Resource: clientSecretArn },
    ]);
    expect(ofSecrets({})).toEqual([]);
  });

  test('The function is told no secret, and only a laptop lets it reach the machine itself.', () => {
    const { Environment } = handlerOf({ signIn }).properties;
    expect(JSON.parse(Environment.Variables.SIGN_IN)).toEqual(signIn);
    expect(Environment.Variables).not.toHaveProperty('WEBHOOK_LOOPBACK');
  });

  test('The function can neither change nor delete an API key, nor touch links, tags, webhooks or clicks.', () => {
    const text = JSON.stringify(handlerOf({ signIn }).statements);
    for (const kind of ['LINK#', 'TAG#', 'TAGS#', 'SECRET#', 'RECEIVER#', 'CLICK#', 'COUNT#', 'HISTORY#'])
      expect(text).not.toContain(kind);
    const onKeys = handlerOf({ signIn }).statements.filter((statement) => JSON.stringify(statement).includes('KEY#*'));
    expect(onKeys.flatMap(({ Action }) => Action)).toEqual(['dynamodb:PutItem']);
  });
});

test('The page of the console offers to sign in only where people can.', () => {
  const environmentOf = (settings: Partial<StageSettings>) =>
    functionsOf(apiOf(settings)).find(({ properties }) => String(properties.Description).includes('/console'))?.properties
      .Environment?.Variables ?? {};
  expect(environmentOf({})).not.toHaveProperty('SIGN_IN_OFFERED');
  expect(environmentOf({ signIn })).toMatchObject({ SIGN_IN_OFFERED: 'yes' });
});

test.for<[string, Partial<SignIn>, RegExp]>([
  ['an issuer without https', { issuer: 'http://accounts.example.com' }, /issuer .* https/],
  ['an issuer on this machine', { issuer: 'http://localhost:3001' }, /issuer .* https/],
  ['an issuer that is no URL', { issuer: 'accounts.example.com' }, /issuer .* https/],
  ['the address of a discovery document', { issuer: 'https://accounts.example.com/.well-known/openid-configuration' }, /issuer/],
  ['an issuer with a query', { issuer: 'https://accounts.example.com/?tenant=a' }, /issuer/],
  ['no client', { clientId: ' ' }, /clientId is empty/],
  ['a secret itself', { clientSecretArn: 'hunter2' }, /clientSecretArn must be the ARN/],
  ['a rule without a claim', { join: [{ claim: '', equals: 'a', workspaceId: 'ws_a', role: 'viewer' }] }, /join/],
  ['a rule that anything meets', { join: [{ claim: 'hd', equals: '', workspaceId: 'ws_a', role: 'viewer' }] }, /join/],
  ['a rule for no workspace', { join: [{ claim: 'hd', equals: 'a', workspaceId: 'acme', role: 'viewer' }] }, /join: "acme"/],
  [
    'a role that there is not',
    { join: [{ claim: 'hd', equals: 'a', workspaceId: 'ws_a', role: 'admin' as never }] },
    /join: "admin"/,
  ],
  ['more than fits', { clientId: 'x'.repeat(3_000) }, /3,000 bytes/],
])('A provider with %s is refused, with what is wrong.', ([, wrong, says]) => {
  const settings = { ...prod.settings, signIn: { ...signIn, ...wrong } };
  expect(() => stacksOf({ ...prod, settings })).toThrow(says);
});

test('A laptop may have a provider on the machine itself.', () => {
  const { api } = stacksOf(localStage(3000, { issuer: 'http://localhost:3001', clientId: 'links' }));
  expect(pathsIn(api.toJSON() as Template)).toEqual(expect.arrayContaining(ways));
});
