import { describe, expect, test } from 'vitest';
import type { SettingsInput } from '../../lib/stages/settings.ts';
import { stacksOf } from '../support/stacks/stacks.ts';
import { ownStage } from '../support/stacks/stages.ts';

const { settings } = ownStage('dev');
const stackWith = (more: SettingsInput = {}) => stacksOf(ownStage('dev', more)).api;
const functionIn = (stack: ReturnType<typeof stackWith>) =>
  Object.values(
    stack.findResources('AWS::Lambda::Function', { Properties: { Description: 'POST /mcp: the Model Context Protocol' } }),
  );

/** The methods of `/mcp`. */
function methodsIn(stack: ReturnType<typeof stackWith>) {
  const [id] = Object.keys(stack.findResources('AWS::ApiGateway::Resource', { Properties: { PathPart: 'mcp' } }));
  return Object.values(stack.findResources('AWS::ApiGateway::Method'))
    .map(({ Properties }) => Properties)
    .filter(({ ResourceId }) => ResourceId?.Ref === id);
}

describe('/mcp', () => {
  test('The function may only log, and be traced if the stage wants that.', () => {
    for (const [tracing, actions] of [
      ['off', ['logs:CreateLogStream', 'logs:PutLogEvents']],
      ['sampled', ['logs:CreateLogStream', 'logs:PutLogEvents', 'xray:PutTelemetryRecords', 'xray:PutTraceSegments']],
    ] as const) {
      const stack = stackWith({ tracing });
      const role = functionIn(stack)[0]?.Properties.Role['Fn::GetAtt'][0];
      const { Policies, ManagedPolicyArns } = stack.toJSON().Resources[role].Properties;
      const allowed = Policies.flatMap(({ PolicyDocument }: { PolicyDocument: { Statement: { Action: string[] }[] } }) =>
        PolicyDocument.Statement.flatMap(({ Action }) => Action),
      );
      expect([allowed.toSorted(), ManagedPolicyArns]).toEqual([actions, undefined]);
    }
  });

  test("The function knows the address of the API from its stack: AWS's own name while that is on, and then the stage's.", () => {
    const addressIn = (stack: ReturnType<typeof stackWith>) => functionIn(stack)[0]?.Properties.Environment.Variables.API_URL;
    const apiDomain = { name: 'api.example.com', certificateArn: 'arn:aws:acm:eu-central-1:111111111111:certificate/1' };
    expect(addressIn(stackWith({ apiDomain }))).toBe('https://api.example.com/');
    for (const both of [{}, { apiDomain, keepAwsEndpoints: true }]) {
      const address = addressIn(stackWith(both));
      const [begin, { Ref }] = address['Fn::Join'][1];
      expect([begin, Ref]).toEqual(['https://', expect.stringMatching(/^api/)]);
      expect(JSON.stringify(address)).toContain('/dev/');
    }
  });

  test('Each method needs a key, and counts towards the rate of its workspace.', () => {
    const methods = methodsIn(stackWith());
    expect(methods.map(({ HttpMethod }) => HttpMethod).toSorted()).toEqual(['DELETE', 'GET', 'POST']);
    expect(methods.every((one) => one.AuthorizationType === 'CUSTOM' && one.ApiKeyRequired === true)).toBe(true);
    const [plan] = Object.values(stackWith().findResources('AWS::ApiGateway::UsagePlan'));
    expect(plan?.Properties.ApiStages[0].Throttle['/mcp/POST']).toEqual({
      RateLimit: settings.requestRate / 10,
      BurstLimit: settings.requestBurst / 10,
    });
  });

  test('A stage can turn it off.', () => {
    const stack = stackWith({ mcp: false });
    expect([functionIn(stack), stack.findResources('AWS::ApiGateway::Resource', { Properties: { PathPart: 'mcp' } })]).toEqual([
      [],
      {},
    ]);
  });
});
