import { expect, test } from 'vitest';
import { templatesOf } from '../../../bin/cdk/templates.ts';
import { stageOf } from '../../../lib/stages.ts';
import { everySetting } from '../../../tools/judge/every-setting.ts';
import { stacksOf } from '../../support/stacks/stacks.ts';

/** How many resources of each type each stack has. Their names depend on what the functions consist of. */
const counted = (templates: Readonly<Record<string, { Resources?: Readonly<Record<string, { Type: string }>> }>>) =>
  Object.fromEntries(
    Object.entries(templates).map(([name, { Resources = {} }]) => {
      const byType = Map.groupBy(Object.values(Resources), ({ Type }) => Type);
      return [name, Object.fromEntries([...byType].map(([type, all]) => [type, all.length]).sort())];
    }),
  );

const countries = { ...everySetting, countryFrom: { files: ['no-such-file.csv'] } };

test.for([
  ['dev', stageOf('dev').settings],
  ['dev', everySetting],
] as const)(
  'Templates that are only counted have the same stacks and resources as those that are deployed.',
  ([name, settings]) => {
    const { app } = stacksOf({ name, settings });
    const deployed = app.synth().stacks.map(({ stackName, template }) => [stackName, template]);
    expect(counted(templatesOf({ name, settings }))).toEqual(counted(Object.fromEntries(deployed)));
  },
);

test('They need no bundles, and no files with countries.', () => {
  expect(Object.keys(templatesOf({ name: 'dev', settings: countries }))).toContain('Links-dev-Redirect');
});
