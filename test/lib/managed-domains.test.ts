import { expect, test } from 'vitest';
import { localStage, stageNames, stageOf } from '../../lib/stages.ts';
import { functionsOf, type Template } from '../support/stacks/policies.ts';
import { stacksOf } from '../support/stacks/stacks.ts';

/** The templates of a stage's stacks. */
const templatesOf = (stage: ReturnType<typeof stageOf>): Template[] =>
  Object.values(stacksOf(stage)).flatMap((stack) => ('toJSON' in stack ? (stack.toJSON() as Template) : []));
const managed = (name: (typeof stageNames)[number]) => {
  const stage = stageOf(name);
  return { ...stage, settings: { ...stage.settings, managedDomains: true } };
};

test.for([...stageNames.map(stageOf), localStage(3000)])(
  'Without managed domains, no template of $name has anything of them: no function, right, schedule, alarm or setting.',
  (stage) => {
    const text = JSON.stringify(templatesOf(stage));
    expect(text).not.toMatch(/acm:|domainnames|manage-domains|managed_domains|CERTIFICATE#|certificates-failing|domain-names/i);
  },
);

test('With managed domains, only one function may do anything with certificates and names, and it reads no links.', () => {
  const all = templatesOf(managed('prod')).flatMap(functionsOf);
  const mayName = all.filter(({ statements }) => /acm:|domainnames/.test(JSON.stringify(statements)));
  expect(mayName.map(({ id }) => id)).toEqual([expect.stringMatching(/^managedomains/)]);
  expect(JSON.stringify(mayName[0]?.statements)).not.toMatch(/"LINK#\*"|"KEY#\*"/);
});
