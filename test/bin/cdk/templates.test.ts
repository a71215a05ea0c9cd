import { expect, test } from 'vitest';
import { templatesOf } from '../../../bin/cdk/templates.ts';
import { everySetting } from '../../../tools/judge/every-setting.ts';
import { stacksOf } from '../../support/stacks/stacks.ts';
import { ownStage } from '../../support/stacks/stages.ts';

/** How many resources of each type each stack has. Their names depend on what the functions consist of. */
const counted = (templates: Readonly<Record<string, { Resources?: Readonly<Record<string, { Type: string }>> }>>) =>
  Object.fromEntries(
    Object.entries(templates).map(([name, { Resources = {} }]) => {
      const byType = Map.groupBy(Object.values(Resources), ({ Type }) => Type);
      return [name, Object.fromEntries([...byType].map(([type, all]) => [type, all.length]).sort())];
    }),
  );

test.for([{}, everySetting])(
  'Templates that are only counted have the same stacks and resources as those that are deployed.',
  (settings) => {
    const stage = ownStage('dev', settings);
    const deployed = stacksOf(stage)
      .app.synth()
      .stacks.map(({ stackName, template }) => [stackName, template]);
    expect(counted(templatesOf(stage))).toEqual(counted(Object.fromEntries(deployed)));
  },
);

test('Templates that are only counted need neither bundles nor the files of countries.', () => {
  const countries = { ...everySetting, countryFrom: { files: ['no-such-file.csv'] } };
  expect(Object.keys(templatesOf(ownStage('dev', countries)))).toContain('Links-dev-Redirect');
});
