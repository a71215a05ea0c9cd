import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, CfnResource, Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { StageSettings } from '../../lib/stages/settings.ts';
import type { Stage } from '../../lib/stages/stages.ts';
import { everySetting as others } from '../../tools/judge/every-setting.ts';
import { sized } from '../support/run/proof.ts';
import { newApp, stacksOf } from '../support/stacks/stacks.ts';
import { ownStage, ownStageNames } from '../support/stacks/stages.ts';
import { withValidation } from '../support/stacks/with-validation.ts';

const dev = ownStage('dev');

/** The findings of cdk-nag's AWS Solutions rules, optionally with the acknowledged ones. */
function findingsOf(app: App, { acknowledged }: { acknowledged: boolean }) {
  const rules = new AwsSolutionsChecks(app);
  // There is no option for this, so the rules' own look-up of acknowledgements is replaced.
  if (acknowledged) Object.assign(rules, { isAcknowledged: () => false });
  return rules
    .validateScope(app)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`),
    );
}

/** What the stacks acknowledge, each with its place and reason. */
const acknowledgementsOf = (app: App) =>
  app.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>))
      .map(([id, reason]) => ({ rule: id.replace(/^annotation::/i, ''), path: node.path, reason })),
  );

/** Synthesises a stage, and expects that the validator was on and found nothing. */
function expectValid(stage: Stage): void {
  const { app } = stacksOf(stage, { validated: true });
  expect(JSON.parse(readFileSync(join(app.outdir, 'validation-report.json'), 'utf8'))).toMatchObject({ pluginReports: [] });
}

// First, because it has resources of every type: the validator loads anew, in seconds, for a type that it has not seen.
test("CloudFormation's validator also finds nothing if every setting has another value.", () => {
  for (const [setting, value] of Object.entries(others))
    expect(value, setting).not.toEqual(dev.settings[setting as keyof StageSettings]);
  expectValid(ownStage('dev', others));
});

/** The stages as they are, and one with all that settings may add. */
const judged: readonly [string, Stage][] = [
  ...ownStageNames.map((name) => [name, ownStage(name)] as [string, Stage]),
  ['dev with all that it may have', ownStage('dev', { ...others, docs: true, console: true, mcp: true })],
];

describe.for(judged)('On %s', ([, stage]) => {
  let app: App;
  beforeAll(() => {
    app = stacksOf(stage).app;
  });

  test('The AWS Solutions rules find only what is acknowledged.', () => {
    expect(findingsOf(app, { acknowledged: false })).toEqual([]);
  });

  test('Everything that is acknowledged is found, and has a reason.', () => {
    const findings = findingsOf(app, { acknowledged: true });
    const acknowledgements = acknowledgementsOf(app);
    expect(acknowledgements.length).toBeGreaterThan(5);
    for (const { rule, path, reason } of acknowledgements) {
      expect(
        findings.filter((finding) => finding.startsWith(`${rule} ${path}/`)),
        `${rule} at ${path}`,
      ).not.toEqual([]);
      expect(reason.length).toBeGreaterThan(40);
    }
  });
});

// The other stages only mix these values and those above. A deployment runs the validator, too.
test.for(sized(['dev'] as const, ownStageNames))("CloudFormation's validator finds nothing on %s, not even a warning.", (name) =>
  expectValid(ownStage(name)),
);

test.for([
  ['a resource without a required property', 'AWS::Lambda::Function', { Handler: 'index.handler' }],
  ['a property that the type does not have', 'AWS::SQS::Queue', { Retention: 8 }],
] as const)("CloudFormation's validator is on, and refuses %s.", ([, type, properties]) => {
  const app = newApp();
  new CfnResource(new Stack(app, 'wrong'), 'resource', { type, properties: { ...properties } });
  expect(() => withValidation(true, () => app.synth())).toThrow(/validation/i);
});
