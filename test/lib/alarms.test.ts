import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLING_STACKS } from 'aws-cdk-lib/cx-api';
import { describe, expect, inject, test } from 'vitest';
import { alarming } from '../../lambdas/core/alarms.ts';
import { adviceFor, alarmNameOf, undoing } from '../../lib/alarms.ts';
import { routes } from '../../lib/endpoints.ts';
import type { SettingsInput } from '../../lib/stages/settings.ts';
import { localStage, stageNames, stageOf } from '../../lib/stages/stages.ts';
import { functionsOf, resourcesOf, type Template } from '../support/stacks/policies.ts';
import { stacksOf } from '../support/stacks/stacks.ts';
import { ownStage, ownStageNames } from '../support/stacks/stages.ts';

const alarmEmail = 'operators@example.com';
const alarmTopicArn = 'arn:aws:sns:eu-central-1:111122223333:operators';
const certificate = (id: string) => `arn:aws:acm:eu-central-1:111122223333:certificate/${id}`;
const shortDomains = [
  { name: 'go.example.com', certificateArn: certificate('one') },
  { name: 'try.example.com', certificateArn: certificate('one') },
  { name: '*.links.example', certificateArn: certificate('two') },
];

const templatesOf = (more: SettingsInput) => stacksOf(ownStage('dev', more)).all.map((template) => template.toJSON() as Template);
const ofType = (templates: readonly Template[], type: string) =>
  templates.flatMap((template) => resourcesOf(template, type).map(({ properties }) => properties));

const watched = templatesOf({ alarmEmail, shortDomains, managedDomains: true });
const metricAlarms = ofType(watched, 'AWS::CloudWatch::Alarm');
const [composite, ...otherComposites] = ofType(watched, 'AWS::CloudWatch::CompositeAlarm');
const alarms = [...metricAlarms, composite];

/** A metric in an alarm's expression. */
type Stated = { Id: string; MetricStat: { Metric: { MetricName: string }; Stat: string; Period: number } };

/** The cells of the table of alarms after the first one, which has the alarm's anchor and name. */
const [, chapter = ''] = /\n## Alarms\n(.*?)\n## /s.exec(readFileSync('docs/operate.md', 'utf8')) ?? [];
const rows: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...chapter.matchAll(/^\| <a id="([a-z-]+)"><\/a>`\1` \| (.*) \|$/gm)].map(([, name = '', cells = '']) => [
    name,
    cells.split(' | '),
  ]),
);

/** The name of an alarm in the code and in the documentation, by its description. */
const linkedFrom = ({ AlarmDescription }: { AlarmDescription: string }) =>
  /docs\/operate\.md#([a-z-]+)$/.exec(AlarmDescription)?.[1];

describe('A stage without recipients of alarms', () => {
  test.for([...ownStageNames.map((name) => ownStage(name)), localStage(3000)])(
    'The stage $name has no alarm, no topic, and no function that only an alarm needs.',
    (stage) => {
      const text = JSON.stringify(stacksOf(stage).all);
      expect(text).not.toMatch(/AWS::CloudWatch::|AWS::SNS::|apigateway:GET/);
    },
  );
});

test('A production stage without recipients of alarms is warned about in one line, and no other stage is.', () => {
  for (const name of ['prod', 'prod-2'])
    expect(adviceFor({ ...ownStage('prod'), name })).toMatch(
      new RegExp(`^${name} [^\\n]*alarmEmail or alarmTopicArn[^\\n]*/${name}\\.json$`),
    );
  expect(adviceFor(ownStage('prod', { alarmEmail }))).toBeUndefined();
  expect(adviceFor(ownStage('prod', { alarmTopicArn }))).toBeUndefined();
  for (const name of ['dev', 'staging', 'preview-pr-12'] as const) expect(adviceFor(ownStage(name))).toBeUndefined();
});

test('Synthesising such a production stage prints that line once, and nothing else.', { timeout: 120_000 }, () => {
  // The program reads the files in `stages/`, whatever is in them.
  const name = stageNames().includes('prod') ? 'prod' : stageNames()[0];
  const advice = adviceFor(stageOf(name));
  const env = {
    ...process.env,
    CDK_OUTDIR: mkdtempSync(`${inject('service').outdir}-`),
    // Like the CDK's commands that use no bundles.
    CDK_CONTEXT_JSON: JSON.stringify({ stage: name, [BUNDLING_STACKS]: [] }),
  };
  const { stderr } = spawnSync(process.execPath, ['bin/app.ts'], { env, encoding: 'utf8' });
  expect(stderr).toBe(advice === undefined ? '' : `${advice}\n`);
});

describe('A stage with recipients of alarms', () => {
  test('docs/operate.md has a row for each alarm that its description links, and for no other.', () => {
    expect([...new Set(alarms.map(linkedFrom))].sort()).toEqual(Object.keys(rows).sort());
  });

  test.for(Object.entries(rows))('The row for %s has what users notice, where to look and what to do.', ([, cells]) => {
    expect(cells.filter((cell) => cell.trim() !== '')).toHaveLength(3);
  });

  test('The name of each alarm has the name of its stage, and is unique.', () => {
    const names = metricAlarms.map(({ AlarmName }) => AlarmName);
    for (const [index, name] of names.entries())
      expect(name).toMatch(new RegExp(`^Links-dev-${linkedFrom(metricAlarms[index])}(-|$)`));
    expect(new Set(names).size).toBe(names.length);
    expect(composite.AlarmName).toBe('Links-dev-users-affected');
    expect(otherComposites).toEqual([]);
  });

  test('A stage without traffic sends nothing: missing data raises no alarm, except where a reader has to poll, and no other message.', () => {
    for (const { AlarmName, MetricName, TreatMissingData, InsufficientDataActions } of metricAlarms) {
      // A reader of a stream polls even if there is nothing to read.
      const missing = MetricName === 'PolledEventCount' ? 'breaching' : 'notBreaching';
      expect([TreatMissingData, InsufficientDataActions], AlarmName).toEqual([missing, undefined]);
    }
    expect(composite.InsufficientDataActions).toBeUndefined();
  });

  test('All alarms about what visitors or callers of the API notice raise one more alarm, which also reports its end.', () => {
    const named = [...composite.AlarmRule.matchAll(/ALARM\("([^"]+)"\)/g)].map(([, name]) => name);
    expect(composite.AlarmRule).toBe(named.map((name) => `ALARM("${name}")`).join(' OR '));
    const noticed = [
      'api-errors',
      'api-slow',
      'authorizer-failures',
      'redirect-errors',
      'redirect-throttled',
      'redirect-slow',
      'visits-refused',
    ];
    expect(named).toEqual(noticed.map((name) => `Links-dev-${name}`));
    expect(metricAlarms.map(({ AlarmName }) => AlarmName)).toEqual(expect.arrayContaining(named));
    expect(composite.OKActions).toEqual(composite.AlarmActions);
  });

  test('At most five alarms undo an update, as CloudFormation allows, each of a metric, in the stacks of both APIs.', () => {
    const { api, redirect } = stacksOf(ownStage('dev', { alarmEmail, shortDomains }));
    const inThem = ofType(
      [api, redirect].map((template) => template.toJSON() as Template),
      'AWS::CloudWatch::Alarm',
    );
    const names = undoing.map((name) => alarmNameOf({ stage: 'dev' }, name));
    expect(inThem.map(({ AlarmName }) => AlarmName)).toEqual(expect.arrayContaining(names));
    expect(new Set(names).size).toBeLessThanOrEqual(5);
  });

  describe.for([
    ['api-faults', 'ApiFaults', 'Count'],
    ['authorizer-failures', 'AuthorizerFailures', 'Invocations'],
    ['redirect-errors', '5xx', 'Count'],
    ['clicks-failing', 'ClicksNotRecorded', 'Count'],
  ])('%s, which undoes updates,', ([name, failures, all]) => {
    const alarm = metricAlarms.find(({ AlarmName }) => AlarmName === `Links-dev-${name}`);
    const [{ Expression }, ...metrics] = alarm?.Metrics ?? [{ Expression: '0' }];
    /** Whether a minute with so many failures among so many calls counts towards the alarm. */
    const breaches = (failed: number, of: number): boolean => {
      const [, least, share] = /^IF\(failed >= (\d+), (\d+) \* failed \/ all, 0\)$/.exec(Expression) ?? [];
      const percent = failed >= Number(least) ? (Number(share) * failed) / of : 0;
      return percent >= alarm.Threshold;
    };

    test('goes off if the rate of failures is too high in two of five minutes.', () => {
      const measured = metrics.map(({ Id, MetricStat: { Metric, Stat, Period } }: Stated) => [
        Id,
        Metric.MetricName,
        Stat,
        Period,
      ]);
      expect(measured).toEqual([
        ['failed', failures, 'Sum', 60],
        ['all', all, all === 'Count' ? 'SampleCount' : 'Sum', 60],
      ]);
      expect(alarm).toMatchObject({ EvaluationPeriods: 5, DatapointsToAlarm: 2 });
    });

    test('ignores a single failure, however few the calls, and failures of less than 1 % of them.', () => {
      expect([breaches(1, 1), breaches(1, 20), breaches(9, 1_000), breaches(99, 10_000)]).toEqual(Array(4).fill(false));
      expect([breaches(2, 2), breaches(2, 200), breaches(10, 1_000), breaches(10_000, 10_000)]).toEqual(Array(4).fill(true));
    });
  });

  test('No other alarm undoes an update, such as those for one lost click or one refused execution.', () => {
    expect([...undoing].sort()).toEqual(['api-faults', 'authorizer-failures', 'clicks-failing', 'redirect-errors']);
  });

  test('The stack with that alarm is deployed after those of the alarms that it names.', () => {
    const { stackOf } = stacksOf(ownStage('dev', { alarmEmail, shortDomains }));
    const before = stackOf('Events').dependencies.map(({ stackName }) => stackName);
    expect(before).toEqual(expect.arrayContaining(['Links-dev-Api', 'Links-dev-Redirect']));
  });

  test('Each certificate of a short domain has an alarm, at 30 days.', () => {
    const expiring = metricAlarms.filter(({ MetricName }) => MetricName === 'DaysToExpiry');
    expect(
      expiring.map(({ AlarmName, Dimensions, Threshold, ComparisonOperator, Statistic }) => [
        AlarmName,
        Dimensions[0].Value,
        `${Statistic} ${ComparisonOperator} ${Threshold}`,
      ]),
    ).toEqual([
      ['Links-dev-certificate-expires-go.example.com', certificate('one'), 'Minimum LessThanOrEqualToThreshold 30'],
      ['Links-dev-certificate-expires-wildcard.links.example', certificate('two'), 'Minimum LessThanOrEqualToThreshold 30'],
    ]);
  });

  test("The certificate of the API's domain has an alarm, too, unless a short domain has the same.", () => {
    const expiring = (id: string) =>
      ofType(
        templatesOf({ alarmEmail, shortDomains, apiDomain: { name: 'api.links.example', certificateArn: certificate(id) } }),
        'AWS::CloudWatch::Alarm',
      )
        .filter(({ MetricName, AlarmName }) => MetricName === 'DaysToExpiry' && /api/.test(AlarmName))
        .map(({ AlarmName, Dimensions }) => [AlarmName, Dimensions[0].Value]);
    expect(expiring('three')).toEqual([['Links-dev-certificate-expires-api.links.example', certificate('three')]]);
    expect(expiring('two')).toEqual([]);
  });

  test('Each reader of a stream that must not be an hour late has an alarm: clicks, their webhooks, changes, and sweeps.', () => {
    const late = metricAlarms.filter(({ MetricName }) => MetricName === 'IteratorAge');
    expect(
      late.map(({ Dimensions: [{ Value }], Statistic, Threshold }) => [Value.Ref.slice(0, -8), Statistic, Threshold]).sort(),
    ).toEqual([
      ['countclicks', 'Maximum', 3_600_000],
      ['createdeliveries', 'Maximum', 3_600_000],
      ['recordchanges', 'Maximum', 3_600_000],
      ['sweep', 'Maximum', 3_600_000],
    ]);
  });

  test('An alarm goes off once a click has waited in the queue for one hour of the 20 that it may.', () => {
    const waiting = metricAlarms.filter(({ Namespace }) => Namespace === 'AWS/SQS');
    const ages = waiting.filter(({ MetricName }) => MetricName === 'ApproximateAgeOfOldestMessage');
    expect(ages).toMatchObject([{ AlarmName: 'Links-dev-clicks-waiting', Statistic: 'Maximum', Threshold: 3_600 }]);
    expect(ages[0].Dimensions).toEqual([
      { Name: 'QueueName', Value: { 'Fn::GetAtt': [expect.stringMatching(/^waitingclicks/), 'QueueName'] } },
    ]);
  });

  test('Each reader of a stream has an alarm for an hour in which it did not poll, which leaves no other trace.', () => {
    const mappings = watched
      .flatMap((template) => resourcesOf(template, 'AWS::Lambda::EventSourceMapping'))
      .filter(({ properties }) => 'StartingPosition' in properties);
    expect(mappings).toHaveLength(4);
    for (const { properties } of mappings) expect(properties.MetricsConfig).toEqual({ Metrics: ['EventCount'] });
    const silent = metricAlarms.filter(({ MetricName }) => MetricName === 'PolledEventCount');
    expect(silent.map(({ Dimensions: [{ Name, Value }] }) => `${Name} ${Value.Ref}`).sort()).toEqual(
      mappings.map(({ id }) => `EventSourceMappingUUID ${id}`).sort(),
    );
    for (const { Period, EvaluationPeriods, DatapointsToAlarm, ComparisonOperator, Threshold, TreatMissingData } of silent) {
      expect([Period * EvaluationPeriods, DatapointsToAlarm ?? EvaluationPeriods]).toEqual([3_600, EvaluationPeriods]);
      // No number of records is below 0: only silence is.
      expect([ComparisonOperator, Threshold, TreatMissingData]).toEqual(['LessThanThreshold', 0, 'breaching']);
    }
  });

  test('Readers of streams are counted only for these alarms.', () => {
    for (const { MetricsConfig } of ofType(templatesOf({}), 'AWS::Lambda::EventSourceMapping'))
      expect(MetricsConfig).toBeUndefined();
  });

  test('Each function that a schedule starts has an alarm for a run that failed with all of its retries.', () => {
    const scheduled = ofType(watched, 'AWS::Events::Rule').flatMap(({ Targets }) =>
      Targets.map(({ Arn }: { Arn: { 'Fn::GetAtt': [string] } }) => Arn['Fn::GetAtt'][0]),
    );
    const dropped = metricAlarms.filter(({ MetricName }) => MetricName === 'AsyncEventsDropped');
    expect(dropped.map(({ Dimensions }) => Dimensions[0].Value.Ref).sort()).toEqual([...new Set(scheduled)].sort());
    for (const { Statistic, Threshold } of dropped) expect([Statistic, Threshold]).toEqual(['Sum', 1]);
  });

  test('Visits that the gateway answers without the redirect have an alarm: those that are neither invocations nor errors.', () => {
    const { Metrics } = metricAlarms.find(({ AlarmName }) => AlarmName === 'Links-dev-visits-refused') ?? {};
    const [{ Expression }, ...metrics] = Metrics;
    const value = (visits: number, answered: number | undefined, errors: number) => {
      const fill = (given: number | undefined, other: number) => given ?? other;
      const either = (isSo: boolean, then: number, otherwise: number) => (isSo ? then : otherwise);
      return new Function('visits', 'answered', 'errors', 'FILL', 'IF', `return ${Expression}`)(
        visits,
        answered,
        errors,
        fill,
        either,
      );
    };
    expect(value(1_000, 1_000, 0)).toBe(0);
    // Errors of the function are invocations, errors of the gateway are not.
    expect(value(1_000, 1_000, 500)).toBe(0);
    expect(value(1_000, 500, 500)).toBe(0);
    expect(value(1_000, 900, 0)).toBe(10);
    expect(value(1_000, undefined, 0)).toBe(100);
    // Two metrics may put the same visit into different periods.
    expect(value(20, 15, 0)).toBe(0);
    const of = Object.fromEntries(
      metrics.map(({ Id, MetricStat: { Metric, Stat } }: Stated) => [Id, `${Metric.MetricName} ${Stat}`]),
    );
    expect(of).toEqual({ visits: 'Count SampleCount', answered: 'Invocations Sum', errors: '5xx Sum' });
  });

  test('Each queue of failures has an alarm: sweeps and senders.', () => {
    const sent = metricAlarms.filter(({ MetricName }) => MetricName === 'NumberOfMessagesSent');
    expect(sent.map(({ Dimensions }) => Dimensions[0].Value['Fn::GetAtt'][0].slice(0, -8)).sort()).toEqual([
      'failedsenders',
      'failedsweeps',
    ]);
  });

  test('Both tables and their indexes have an alarm for reads and one for writes that are throttled.', () => {
    const throttled = metricAlarms.filter(({ Namespace }) => Namespace === 'AWS/DynamoDB');
    // A metric with a table's name alone leaves out its indexes.
    const shown = (Dimensions: { Name: string; Value: { Ref: string } | string }[]) =>
      Dimensions.map(({ Name, Value }) => `${Name} ${typeof Value === 'string' ? Value : Value.Ref.slice(0, -8)}`).sort();
    expect(throttled.map(({ MetricName, Dimensions }) => [MetricName, ...shown(Dimensions)])).toEqual([
      ['ReadThrottleEvents', 'TableName links'],
      ['WriteThrottleEvents', 'TableName links'],
      ['ReadThrottleEvents', 'GlobalSecondaryIndexName gsi1', 'TableName links'],
      ['WriteThrottleEvents', 'GlobalSecondaryIndexName gsi1', 'TableName links'],
      ['ReadThrottleEvents', 'TableName activity'],
      ['WriteThrottleEvents', 'TableName activity'],
      ['ReadThrottleEvents', 'GlobalSecondaryIndexName gsi1', 'TableName activity'],
      ['WriteThrottleEvents', 'GlobalSecondaryIndexName gsi1', 'TableName activity'],
    ]);
  });

  test("The functions of the account are compared with the account's own quota.", () => {
    const { Metrics } = metricAlarms.find(({ AlarmName }) => AlarmName === 'Links-dev-concurrency');
    const [{ Expression }, ...metrics] = Metrics;
    expect(Expression).toBe('100 * claimed / SERVICE_QUOTA(running)');
    expect(metrics.map(({ Id, MetricStat }: { Id: string; MetricStat: { Metric: object } }) => [Id, MetricStat.Metric])).toEqual([
      ['claimed', { MetricName: 'ClaimedAccountConcurrency', Namespace: 'AWS/Lambda' }],
      ['running', { MetricName: 'ConcurrentExecutions', Namespace: 'AWS/Lambda' }],
    ]);
  });
});

/** The logs of the functions whose code can log that a call was denied. All functions of the API share one. */
const bundles = join(inject('service').outdir, 'bundles');
const inApi = new Set([...routes.map(({ name }) => name), 'sign-in']);
const logsWithDenials = [
  ...new Set(
    readdirSync(bundles)
      .filter((name) => !/^(console|duckdb)/.test(name))
      .filter((name) => /\.accessDenied\b/.test(readFileSync(join(bundles, name, 'index.cjs'), 'utf8')))
      .map((name) => (inApi.has(name) ? 'endpoint' : name.replaceAll('-', ''))),
  ),
];

describe('A message in a log', () => {
  const filters = ofType(watched, 'AWS::Logs::MetricFilter').map(
    ({ LogGroupName, FilterPattern, MetricTransformations: [to] }) => ({
      of: LogGroupName.Ref.slice(0, -12) as string,
      pattern: FilterPattern as string,
      metric: `${to.MetricNamespace} ${to.MetricName} ${to.MetricValue}`,
    }),
  );

  test('Each message that raises an alarm is counted, in the log of the function that writes it, by a metric with an alarm.', () => {
    const said = (...messages: (keyof typeof alarming)[]) =>
      messages.map((message) => `$.message.message = "${alarming[message]}"`);
    const one = (message: keyof typeof alarming) => `{ ${said(message)} }`;
    const reported = (status: string) => `(($.type = "platform.report") && ($.record.status = "${status}"))`;
    const died = '(($.type = "platform.report") && ($.record.status != "success"))';
    const expected = [
      ['endpoint', `{ ((${said('unexpectedError')}) || (${said('clicksNotRead')})) || ${died} }`, 'Links/dev ApiFaults 1'],
      [
        'authorize',
        `{ (${said('keyNotChecked')}) || ${reported('timeout')} || ${reported('failure')} }`,
        'Links/dev AuthorizerFailures 1',
      ],
      ...logsWithDenials.map((of) => [of, one('accessDenied'), 'Links/dev AccessDenied 1']),
      ...(
        [
          ['certificateFails', 'CertificatesFailing'],
          ['fewDomainNamesLeft', 'FewDomainNamesLeft'],
        ] as const
      ).map(([message, metric]) => ['managedomains', one(message), `Links/dev ${metric} 1`]),
      ['checkdomains', one('domainFails'), 'Links/dev DomainsFailing 1'],
      ['countclicks', `{ (${said('clickUnreadable')}) || (${said('clicksUncountable')}) }`, 'Links/dev ClicksPutAside 1'],
      ['sealclicks', `{ (${said('tailOverdue')}) || (${said('clicksNotMerged')}) }`, 'Links/dev ClicksNotSealed 1'],
      ['countgatewaykeys', one('fewGatewayKeysLeft'), 'Links/dev FewGatewayKeysLeft 1'],
      ['createdeliveries', one('clickUnreadable'), 'Links/dev ClicksPutAside 1'],
      ['createdeliveries', one('senderNotStarted'), 'Links/dev SendersNotStarted 1'],
      ['recordchanges', one('changeUnreadable'), 'Links/dev ClicksPutAside 1'],
      ['recordwaitingclicks', one('clickUnreadable'), 'Links/dev ClicksPutAside 1'],
      ['redirect', one('linkReported'), 'Links/dev LinksReported 1'],
      ['redirect', one('clickNotRecorded'), 'Links/dev ClicksNotRecorded 1'],
      ['sendwebhooks', one('receiverStopped'), 'Links/dev ReceiversStopped 1'],
      ['sendwebhooks', one('receiverBehind'), 'Links/dev ReceiversBehind 1'],
      ['startsenders', one('senderNotStarted'), 'Links/dev SendersNotStarted 1'],
    ];
    const counted = filters.map(({ of, pattern, metric }) => [of, pattern, metric]);
    expect(counted.sort()).toEqual(expected.sort());
    const watchedMetrics = metricAlarms.flatMap(({ Namespace, MetricName, Metrics = [] }) => [
      `${Namespace} ${MetricName} 1`,
      ...Metrics.flatMap(({ MetricStat }: { MetricStat?: { Metric: { Namespace: string; MetricName: string } } }) =>
        MetricStat ? [`${MetricStat.Metric.Namespace} ${MetricStat.Metric.MetricName} 1`] : [],
      ),
    ]);
    expect(watchedMetrics).toEqual(expect.arrayContaining(filters.map(({ metric }) => metric)));
    for (const message of Object.values(alarming))
      expect(
        filters.some(({ pattern }) => pattern.includes(`"${message}"`)),
        message,
      ).toBe(true);
  });

  test('Messages are counted on stages without alarms too, which costs nothing while there are none.', () => {
    expect(ofType(templatesOf({ managedDomains: true }), 'AWS::Logs::MetricFilter')).toHaveLength(filters.length - 1);
  });
});

describe('The recipients of alarms', () => {
  const own = (resource: unknown) => JSON.stringify(resource).endsWith(':Links-dev-alarms"]]}');
  const actionsOf = (templates: readonly Template[]) =>
    [...ofType(templates, 'AWS::CloudWatch::Alarm'), ...ofType(templates, 'AWS::CloudWatch::CompositeAlarm')].map(
      ({ AlarmActions }) => AlarmActions as unknown[],
    );

  test('The address gets an email for each alarm, through a topic of the stage to which only CloudWatch can publish, over TLS.', () => {
    for (const actions of actionsOf(watched)) expect(actions.map(own)).toEqual([true]);
    expect(ofType(watched, 'AWS::SNS::Topic')).toMatchObject([{ TopicName: 'Links-dev-alarms' }]);
    expect(ofType(watched, 'AWS::SNS::Subscription')).toMatchObject([{ Protocol: 'email', Endpoint: alarmEmail }]);
    const [{ PolicyDocument }] = ofType(watched, 'AWS::SNS::TopicPolicy');
    expect(PolicyDocument.Statement).toMatchObject([
      { Effect: 'Deny', Action: 'sns:Publish', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      {
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ]);
  });

  test("An operator's own topic gets each alarm, without a topic of the stage.", () => {
    const templates = templatesOf({ alarmTopicArn });
    for (const actions of actionsOf(templates)) expect(actions).toEqual([alarmTopicArn]);
    expect(ofType(templates, 'AWS::SNS::Topic')).toEqual([]);
  });

  test('An address and a topic can both receive alarms.', () => {
    for (const actions of actionsOf(templatesOf({ alarmEmail, alarmTopicArn }))) {
      expect(actions.map((action) => action === alarmTopicArn || own(action))).toEqual([true, true]);
    }
  });
});

test("The function that counts gateway keys may only list the account's keys.", () => {
  const [counting] = watched.flatMap(functionsOf).filter(({ id }) => id.startsWith('countgatewaykeys'));
  const statements = counting?.statements.filter(({ Action }) => !/^(logs|xray):/.test(String(Action)));
  expect(statements).toMatchObject([{ Effect: 'Allow', Action: 'apigateway:GET' }]);
  expect(JSON.stringify(statements?.[0]?.Resource)).toMatch(/:apigateway:.*::\/apikeys"/);
});

test('docs/cost.md states the price of alarms: for each metric that one watches, and for the one about users.', () => {
  // https://aws.amazon.com/cloudwatch/pricing/ counts the metrics of an alarm on an expression.
  const usual = ofType(templatesOf({ alarmEmail, shortDomains }), 'AWS::CloudWatch::Alarm');
  const certificates = usual.filter(({ MetricName }) => MetricName === 'DaysToExpiry').length;
  const metrics = usual.reduce((sum, { Metrics }) => sum + (Metrics ? Metrics.length - 1 : 1), 0) - certificates;
  expect(readFileSync('tools/cost/cost-page.ts', 'utf8')).toContain(`const alarmedMetrics = ${metrics};`);
});
