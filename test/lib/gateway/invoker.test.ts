import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, test } from 'vitest';
import { routes } from '../../../lib/endpoints.ts';
import { addInvoker, allowInvocations } from '../../../lib/gateway/invoker.ts';
import { localStage, stageNames, stageOf } from '../../../lib/stages.ts';
import { resourcesOf, type Template as SomeTemplate } from '../../support/stacks/policies.ts';
import { newApp, stacksOf } from '../../support/stacks/stacks.ts';

type Named = { readonly 'Fn::GetAtt': readonly [id: string, attribute: string] };

describe.for([...stageNames.map(stageOf), localStage(3000)])('On $name', (stage) => {
  const api = stacksOf(stage).api.toJSON() as SomeTemplate;
  const methods = resourcesOf(api, 'AWS::ApiGateway::Method').map(({ properties }) => properties);
  const policies = resourcesOf(api, 'AWS::IAM::ManagedPolicy');
  const statements = policies.flatMap(({ properties }) => properties.PolicyDocument.Statement);

  test('The gateway invokes each function of a method by one role, which nobody else can assume.', () => {
    const roles = new Set(methods.map(({ Integration }) => JSON.stringify(Integration.Credentials)));
    expect(roles.size).toBe(1);
    const [id = ''] = policies.map(({ properties }) => properties.Roles[0].Ref);
    expect([...roles]).toEqual([JSON.stringify({ 'Fn::GetAtt': [id, 'Arn'] })]);
    expect(policies.map(({ properties }) => properties.Roles)).toEqual(policies.map(() => [{ Ref: id }]));
    const { AssumeRolePolicyDocument, ManagedPolicyArns, Policies } = api.Resources[id]?.Properties ?? {};
    expect([ManagedPolicyArns, Policies]).toEqual([undefined, undefined]);
    expect(AssumeRolePolicyDocument.Statement).toEqual([
      { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'apigateway.amazonaws.com' } },
    ]);
  });

  test('That role may invoke exactly the functions that methods have, without any wildcard.', () => {
    for (const { Effect, Action } of statements) expect([Effect, Action]).toEqual(['Allow', 'lambda:InvokeFunction']);
    const allowed = statements.flatMap(({ Resource }) => [Resource].flat() as Named[]).map((named) => named['Fn::GetAtt']);
    const called = methods.map(({ Integration }) => {
      const [, id] = /"Fn::GetAtt":\["(\w+)","Arn"\]/.exec(JSON.stringify(Integration.Uri)) ?? [];
      return id;
    });
    expect(allowed.map(([, attribute]) => attribute)).toEqual(allowed.map(() => 'Arn'));
    expect(allowed.map(([id]) => id).sort()).toEqual([...new Set(called)].sort());
    expect(allowed).toHaveLength(routes.length + (stage.settings.docs ? 1 : 0));
  });

  test('Nothing else may invoke these functions; the gateway calls the authorizer by a permission of its own.', () => {
    const permissions = resourcesOf(api, 'AWS::Lambda::Permission').map(({ properties }) => properties.FunctionName);
    expect(JSON.stringify(permissions)).toMatch(/^\[\{"Ref":"authorizelive\w+"\}\]$/);
  });

  test('The API is deployed after the role may invoke everything, and after all methods and responses of the gateway.', () => {
    const [deployment] = Object.values(api.Resources).filter(({ Type }) => Type === 'AWS::ApiGateway::Deployment');
    const before = (deployment as unknown as { DependsOn: string[] }).DependsOn;
    for (const type of ['AWS::ApiGateway::Method', 'AWS::ApiGateway::GatewayResponse', 'AWS::IAM::ManagedPolicy'])
      expect(before).toEqual(expect.arrayContaining(resourcesOf(api, type).map(({ id }) => id)));
  });
});

test('A function stays in its policy, whichever other functions come or go.', () => {
  const policyOfEach = (names: readonly string[]) => {
    const stack = new Stack(newApp(), 'some');
    const api = new RestApi(stack, 'api');
    api.root.addMethod('GET');
    const functionArn = 'arn:aws:lambda:eu-central-1:111122223333:function:';
    const functions = names.map((name) => LambdaFunction.fromFunctionArn(stack, name, `${functionArn}${name}`));
    allowInvocations(api, addInvoker(stack), functions);
    const policies = resourcesOf(Template.fromStack(stack).toJSON() as SomeTemplate, 'AWS::IAM::ManagedPolicy');
    return new Map(
      policies.flatMap(({ id, properties }) =>
        [properties.PolicyDocument.Statement[0].Resource]
          .flat()
          .map((arn: string): [string, string] => [arn.slice(functionArn.length), id]),
      ),
    );
  };
  const names = routes.map(({ name }) => name);
  const now = policyOfEach(names);
  expect([...now.keys()].sort()).toEqual(names.toSorted());
  for (const others of [names.slice(1), ['new-one', ...names], names.toReversed()]) {
    const then = policyOfEach(others);
    expect(names.filter((name) => then.has(name) && then.get(name) !== now.get(name))).toEqual([]);
  }
});
