import { expect, test } from 'vitest';
import { without } from '../../../tools/judge/templates.ts';

test('A template without a type has none of its resources, and a name in place of each reference to one.', () => {
  const template = {
    Resources: {
      plan: { Type: 'Plan' },
      alias: { Type: 'Alias' },
      method: {
        Type: 'Method',
        DependsOn: ['alias', 'api'],
        Properties: { of: { Ref: 'alias' }, by: [{ 'Fn::GetAtt': ['alias', 'Arn'] }, { Ref: 'plan' }, { Ref: 'api' }] },
      },
      api: { Type: 'Api', DependsOn: 'alias' },
    },
  };
  expect(without(template, ['Alias', 'Plan'], { Plan: 'p1' })).toEqual({
    Resources: {
      method: { Type: 'Method', DependsOn: ['api'], Properties: { of: 'no-alias', by: ['no-alias', 'p1', { Ref: 'api' }] } },
      api: { Type: 'Api' },
    },
  });
});
