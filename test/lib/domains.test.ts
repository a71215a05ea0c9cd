import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { localStage, type StageSettings, stageOf } from '../../lib/stages.ts';
import { stacksOf } from '../support/stacks.ts';

const dev = stageOf('dev');
const certificateArn = 'arn:aws:acm:eu-central-1:111111111111:certificate/a';
const stackWith = (more: Partial<StageSettings>) => stacksOf({ ...dev, settings: { ...dev.settings, ...more } });
const environmentsOf = ({ api, events }: ReturnType<typeof stacksOf>) =>
  [api, events]
    .flatMap((template) => Object.values(template.findResources('AWS::Lambda::Function')))
    .map(({ Properties }) => Properties.Environment?.Variables ?? {})
    .filter((variables) => 'DOMAIN_TARGET' in variables);

describe("The target of workspaces' domains", () => {
  test('The target is the name that the stage sets.', () => {
    const targets = environmentsOf(stackWith({ domainTarget: 'links.example.net' })).map(({ DOMAIN_TARGET }) => DOMAIN_TARGET);
    // Six endpoints, and the daily check.
    expect(targets).toEqual(Array.from({ length: 7 }, () => 'links.example.net'));
  });

  test('The target is the first short domain that is not a wildcard if the stage sets none.', () => {
    const shortDomains = ['*.example.com', 'go.example.com', 'try.example.com'].map((name) => ({ name, certificateArn }));
    const targets = environmentsOf(stackWith({ shortDomains })).map(({ DOMAIN_TARGET }) => DOMAIN_TARGET);
    expect(targets).toEqual(Array.from({ length: 7 }, () => 'go.example.com'));
  });

  test('A stage with only wildcards has to set a target, because a record cannot name a wildcard.', () => {
    const shortDomains = [{ name: '*.example.com', certificateArn }];
    expect(() => stackWith({ shortDomains })).toThrow(/^shortDomains has only wildcards: set domainTarget [^\n]*$/);
    expect(() => stackWith({ shortDomains, domainTarget: 'links.example.com' })).not.toThrow();
  });

  test("The target is AWS's own name for the redirect if the stage has neither.", () => {
    for (const { DOMAIN_TARGET } of environmentsOf(stackWith({}))) {
      expect(DOMAIN_TARGET).toEqual({
        'Fn::Join': [
          '',
          [
            { 'Fn::ImportValue': expect.stringMatching(/^Links-dev-Redirect:ExportsOutputRefapi/) },
            '.execute-api.',
            { Ref: 'AWS::Region' },
            '.',
            { Ref: 'AWS::URLSuffix' },
          ],
        ],
      });
    }
  });
});

test('On AWS the operator activates a domain, and on a laptop its DNS does.', () => {
  const activations = (stacks: ReturnType<typeof stacksOf>) =>
    environmentsOf(stacks).flatMap(({ DOMAIN_ACTIVATION }) => DOMAIN_ACTIVATION ?? []);
  // One endpoint, and the daily check.
  expect(activations(stackWith({}))).toEqual(['operator', 'operator']);
  expect(activations(stacksOf(localStage(3000)))).toEqual(['dns', 'dns']);
});

test('Domains are checked every hour.', () => {
  const { events } = stackWith({});
  events.hasResourceProperties('AWS::Events::Rule', {
    ScheduleExpression: 'rate(1 hour)',
    Targets: [{ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^checkdomains'), 'Arn'] } }],
  });
});
