import { describe, expect, test } from 'vitest';
import { everySetting } from '../../../tools/judge/every-setting.ts';
import { resourcesOf, type Template } from '../../support/stacks/policies.ts';
import { stacksOf } from '../../support/stacks/stacks.ts';
import { ownStage, ownStageNames } from '../../support/stacks/stages.ts';

/** What a resource waits for: what it names as such, and what it refers to. */
function waitsFor(template: Template, id: string): string[] {
  const { DependsOn = [], ...resource } = template.Resources[id] as unknown as { DependsOn?: string | string[] };
  const referred = [...JSON.stringify(resource).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"([^"]+)"/g)].map(([, other = '']) => other);
  return [...[DependsOn].flat(), ...referred].filter((other) => other in template.Resources);
}

/** Everything that must exist before a resource is made. */
function allBefore(template: Template, id: string, found = new Set<string>()): Set<string> {
  for (const other of waitsFor(template, id)) {
    if (found.has(other)) continue;
    found.add(other);
    allBefore(template, other, found);
  }
  return found;
}

const inTurn = [
  ['api', 'AWS::ApiGateway::GatewayResponse'],
  ['api', 'AWS::ApiGateway::Resource'],
  ['api', 'AWS::ApiGateway::Method'],
  ['redirect', 'AWS::ApiGatewayV2::DomainName'],
] as const;

const stages = [
  ...ownStageNames.map((name) => ownStage(name)),
  ownStage('dev', { ...everySetting, docs: true, console: true }),
] as const;

describe.for(inTurn)('In the stack %s, %s', ([stack, type]) => {
  test.for(stages)(
    'On $name, each resource of the type waits for the one before, so CloudFormation makes no two at once.',
    (stage) => {
      const template = stacksOf(stage)[stack].toJSON() as Template;
      const ids = resourcesOf(template, type).map(({ id }) => id);
      // A chain: the first waits for none of the others, the next for one, and so on.
      const before = ids.map((id) => [...allBefore(template, id)].filter((other) => ids.includes(other)).length);
      expect(before.sort((a, b) => a - b)).toEqual(ids.map((_, index) => index));
    },
  );

  test('They include the resources that settings add.', () => {
    const template = stacksOf(stages.at(-1) as (typeof stages)[number])[stack].toJSON() as Template;
    expect(resourcesOf(template, type).length).toBeGreaterThan(2);
  });
});

test('No resource waits for itself.', () => {
  for (const stage of stages) {
    for (const synthesised of stacksOf(stage).all) {
      const template = synthesised.toJSON() as Template;
      const circles = Object.keys(template.Resources).filter((id) => allBefore(template, id).has(id));
      expect(circles).toEqual([]);
    }
  }
});
