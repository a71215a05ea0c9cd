import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { outcomes } from '../../lambdas/core/visit/outcome.ts';
import type { SettingsInput } from '../../lib/stages/settings.ts';
import { resourcesOf, type Template } from '../support/stacks/policies.ts';
import { stacksOf } from '../support/stacks/stacks.ts';
import { ownStage, ownStageNames } from '../support/stacks/stages.ts';

const templatesOf = (more: SettingsInput) => stacksOf(ownStage('dev', more)).all.map((template) => template.toJSON() as Template);
const ofType = (templates: readonly Template[], type: string) =>
  templates.flatMap((template) => resourcesOf(template, type).map(({ properties }) => properties));

/** The functions whose environment has a variable, each by the value. */
const withVariable = (templates: readonly Template[], name: string) =>
  ofType(templates, 'AWS::Lambda::Function').flatMap(({ Description, Environment }) =>
    Environment?.Variables?.[name] ? [[Description, Environment.Variables[name]]] : [],
  );

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));

describe('A dashboard', () => {
  const shown = templatesOf({ dashboard: true });
  const [board, ...others] = ofType(shown, 'AWS::CloudWatch::Dashboard');
  const body = JSON.stringify(board.DashboardBody);

  test.for(ownStageNames)('The stage %s has no dashboard by default, and no function writes metrics for one.', (name) => {
    const templates = stacksOf(ownStage(name)).all.map((template) => template.toJSON() as Template);
    expect(ofType(templates, 'AWS::CloudWatch::Dashboard')).toEqual([]);
    expect([withVariable(templates, 'METRICS'), withVariable(templates, 'ACCESS_LOGS')]).toEqual([[], []]);
  });

  test('A stage with a dashboard has one with the name of the stage.', () => {
    expect([board.DashboardName, others]).toEqual(['Links-dev', []]);
  });

  test('It shows each metric that functions write, and each is written by a function with that setting.', () => {
    const writing = filesIn('lambdas').filter((file) => /addToMetrics\(\{/.test(readFileSync(file, 'utf8')));
    const names = writing.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/addToMetrics\(\{ ([^}]*) \}/g)].flatMap(([, counts = '']) =>
        [...counts.matchAll(/(\w+):/g)].map(([, name = '']) => name),
      ),
    );
    expect([...new Set(names)].sort()).toEqual(['Deliveries', 'Imports', 'LinksCreated', 'Visits']);
    for (const name of names) expect(body).toContain(`\\"Links/dev\\",\\"${name}\\"`);
    expect(withVariable(shown, 'METRICS').sort()).toEqual([
      ['Answers the visitors of short links', 'Links/dev'],
      ['POST /api/v1/links', 'Links/dev'],
      ['POST /api/v1/links/bulk', 'Links/dev'],
      ['PUT /api/v1/links/by-external-id/{externalId}', 'Links/dev'],
      ['Sends what is due for URLs that receive webhooks', 'Links/dev'],
    ]);
    expect(writing).toHaveLength(5);
  });

  test('It shows each outcome of visits, the delay of counting, and the gateways and tables.', () => {
    for (const outcome of outcomes) expect(body).toContain(`\\"Visits\\",\\"Outcome\\",\\"${outcome}\\"`);
    for (const text of ['IteratorAge', '5XXError', 'Latency', 'ThrottleEvents', 'links-dev']) expect(body).toContain(text);
  });
});

test("With a dashboard or access logs, the redirect's own lines are logged, but still no reports of Lambda.", () => {
  const levels = [{ dashboard: true }, { accessLogs: true }].map((settings) => {
    const { redirect } = stacksOf(ownStage('dev', settings));
    const [{ Properties: { LoggingConfig = {} } = {} } = {}] = Object.values(redirect.findResources('AWS::Lambda::Function'));
    return [LoggingConfig.ApplicationLogLevel, LoggingConfig.SystemLogLevel];
  });
  expect(levels).toEqual([
    ['INFO', 'WARN'],
    ['INFO', 'WARN'],
  ]);
});

test('Access logs are a setting of all functions that answer requests, and of no other.', () => {
  const templates = templatesOf({ accessLogs: true });
  const told = withVariable(templates, 'ACCESS_LOGS').map(([description]) => description);
  const answering = ofType(templates, 'AWS::Lambda::Function')
    .map(({ Description }) => Description)
    .filter((description) => /^[A-Z]+ \/|visitors/.test(description));
  expect(told.sort()).toEqual(answering.sort());
});

describe('The saved queries', () => {
  const templates = templatesOf({});
  const queries = ofType(templates, 'AWS::Logs::QueryDefinition');

  test('Each stack with functions has its queries, in a folder of the stage.', () => {
    expect(queries).toHaveLength(14);
    for (const { Name } of queries) expect(Name).toMatch(/^Links-dev\/(API|redirect|events): [a-z ]+$/);
    expect(new Set(queries.map(({ Name }) => Name)).size).toBe(queries.length);
  });

  test('Each query takes the function of a line from its stream, for every version of the function.', () => {
    // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-loggroups.html
    const streams = ['$LATEST', '17'].map((version) => `2026/11/24/Links-dev-Api-createlinkA1B2-x9[${version}][0f/ab[1]]`);
    for (const { QueryString } of queries) {
      const [, pattern = ''] = /^\| ?parse @logStream \/(.*)\/$/m.exec(`| ${QueryString}`) ?? [];
      for (const stream of streams)
        expect(new RegExp(pattern).exec(stream)?.groups).toEqual({ functionName: 'Links-dev-Api-createlinkA1B2-x9' });
      expect(QueryString).toMatch(/\b(display|by) .*functionName/);
      expect(QueryString).not.toContain('@log,');
    }
  });

  test('Each query reads the logs of all functions of its stack, at most as many as one query may read.', () => {
    for (const template of templates) {
      const groups = resourcesOf(template, 'AWS::Logs::LogGroup').map(({ id }) => id);
      for (const { properties } of resourcesOf(template, 'AWS::Logs::QueryDefinition')) {
        expect(properties.LogGroupNames.map(({ Ref }: { Ref: string }) => Ref).sort()).toEqual(groups.sort());
        expect(groups.length).toBeLessThanOrEqual(50);
      }
    }
  });
});
