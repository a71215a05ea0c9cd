import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, CfnResource, Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { stageNames, stageOf } from '../../lib/stages.ts';
import { newApp, stacksOf } from '../support/stacks.ts';

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

describe.for(stageNames)('On %s', (name) => {
  const { app } = stacksOf(stageOf(name));

  test('The AWS Solutions rules find nothing that is not acknowledged.', () => {
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

  test("CloudFormation's validator finds nothing, not even a warning.", { timeout: 120_000 }, () => {
    expect(() => app.synth()).not.toThrow();
    expect(JSON.parse(readFileSync(join(app.outdir, 'validation-report.json'), 'utf8'))).toMatchObject({ pluginReports: [] });
  });
});

test.for([
  ['a resource without a required property', 'AWS::Lambda::Function', { Handler: 'index.handler' }],
  ['a property that the type does not have', 'AWS::SQS::Queue', { Retention: 8 }],
] as const)("CloudFormation's validator is on, and refuses %s.", { timeout: 120_000 }, ([, type, properties]) => {
  const app = newApp();
  new CfnResource(new Stack(app, 'wrong'), 'resource', { type, properties: { ...properties } });
  expect(() => app.synth()).toThrow(/validation/i);
});
