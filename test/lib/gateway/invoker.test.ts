import { Stack } from 'aws-cdk-lib';
import { Template as Synthesised } from 'aws-cdk-lib/assertions';
import { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, test } from 'vitest';
import { routes } from '../../../lib/endpoints.ts';
import { addInvokers } from '../../../lib/gateway/invoker.ts';
import { localStage } from '../../../lib/stages/stages.ts';
import { resourcesOf, type Template } from '../../support/stacks/policies.ts';
import { newApp, stacksOf } from '../../support/stacks/stacks.ts';
import { ownStage, ownStageNames } from '../../support/stacks/stages.ts';

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

type Named = { readonly 'Fn::GetAtt': readonly [id: string, attribute: string] };
type Method = { readonly Integration: { readonly Credentials: Named; readonly Uri: unknown } };

/** The ids of the roles by which the methods of an API are called, each with those of the functions that it may invoke. */
const invokersOf = (api: Template) =>
  resourcesOf(api, 'AWS::IAM::Role')
    .filter(({ properties }) => JSON.stringify(properties.AssumeRolePolicyDocument).includes('apigateway'))
    .map(({ id, properties }) => {
      const statements = properties.Policies.flatMap(
        ({ PolicyDocument }: { PolicyDocument: { Statement: unknown[] } }) => PolicyDocument.Statement,
      );
      return {
        id,
        properties,
        statements,
        allowed: statements.flatMap(({ Resource }: { Resource: Named | Named[] }) => Resource),
      };
    });

const calledBy = ({ Integration }: Method) => /"Fn::GetAtt":\["(\w+)","Arn"\]/.exec(JSON.stringify(Integration.Uri))?.[1] ?? '';

describe.for([...ownStageNames.map((name) => ownStage(name)), localStage(3000)])('On $name', (stage) => {
  const api = stacksOf(stage).api.toJSON() as Template;
  const methods = resourcesOf(api, 'AWS::ApiGateway::Method').map(({ properties }) => properties as Method);
  const invokers = invokersOf(api);

  test('The gateway invokes each function by a role that only API Gateway can assume, and that may invoke it.', () => {
    for (const method of methods) {
      const [role, attribute] = method.Integration.Credentials['Fn::GetAtt'];
      expect(attribute).toBe('Arn');
      expect(invokers.find(({ id }) => id === role)?.allowed).toContainEqual({ 'Fn::GetAtt': [calledBy(method), 'Arn'] });
    }
    for (const { properties } of invokers) {
      expect(properties.ManagedPolicyArns).toBeUndefined();
      expect(properties.AssumeRolePolicyDocument.Statement).toEqual([
        { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'apigateway.amazonaws.com' } },
      ]);
    }
    for (const type of ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy']) expect(resourcesOf(api, type)).toEqual([]);
  });

  test('These roles may invoke exactly the functions that methods have, each by one role, and nothing else.', () => {
    for (const { statements } of invokers)
      expect(statements).toMatchObject([{ Effect: 'Allow', Action: 'lambda:InvokeFunction' }]);
    const allowed = invokers.flatMap(({ allowed }) => allowed);
    expect(allowed.sort(byText)).toEqual(
      [...new Set(methods.map(calledBy))].map((id) => ({ 'Fn::GetAtt': [id, 'Arn'] })).sort(byText),
    );
    const { docs, console, mcp } = stage.settings;
    expect(allowed).toHaveLength(routes.length + (docs || console ? 1 : 0) + (mcp ? 1 : 0));
  });

  test('Nothing else may invoke these functions; the gateway calls the authorizer by a permission of its own.', () => {
    const permissions = resourcesOf(api, 'AWS::Lambda::Permission').map(({ properties }) => properties.FunctionName);
    expect(JSON.stringify(permissions)).toMatch(/^\[\{"Ref":"authorizelive\w+"\}\]$/);
  });

  test('The API is deployed after all methods, and so after their roles may invoke the functions, and all responses.', () => {
    const [deployment] = Object.values(api.Resources).filter(({ Type }) => Type === 'AWS::ApiGateway::Deployment');
    const before = (deployment as unknown as { DependsOn: string[] }).DependsOn;
    for (const type of ['AWS::ApiGateway::Method', 'AWS::ApiGateway::GatewayResponse'])
      expect(before).toEqual(expect.arrayContaining(resourcesOf(api, type).map(({ id }) => id)));
  });
});

test('A function keeps its role when other functions are added or removed.', () => {
  const roleOfEach = (names: readonly string[]) => {
    const stack = new Stack(newApp(), 'some');
    const invoking = addInvokers(stack);
    const api = new RestApi(stack, 'api');
    const functionArn = 'arn:aws:lambda:eu-central-1:111122223333:function:';
    for (const name of names) {
      const handler = LambdaFunction.fromFunctionArn(stack, name, `${functionArn}${name}`);
      api.root.addResource(name).addMethod('GET', invoking(handler));
    }
    const methods = resourcesOf(Synthesised.fromStack(stack).toJSON() as Template, 'AWS::ApiGateway::Method');
    return new Map(
      methods.map(({ properties: { Integration } }): [string | undefined, string] => [
        JSON.stringify(Integration.Uri).split(functionArn)[1]?.split('/')[0],
        Integration.Credentials['Fn::GetAtt'][0],
      ]),
    );
  };
  const names = routes.map(({ name }) => name);
  const now = roleOfEach(names);
  expect([...now.keys()].sort()).toEqual(names.toSorted());
  for (const others of [names.slice(1), ['new-one', ...names], names.toReversed()]) {
    const then = roleOfEach(others);
    expect(names.filter((name) => then.has(name) && then.get(name) !== now.get(name))).toEqual([]);
  }
});
