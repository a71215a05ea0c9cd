import { expect, test } from 'vitest';
import { adviceOf, pathOf } from '../../../../clients/console/domains/path.ts';
import { isMoving, statusOf } from '../../../../clients/console/domains/status.ts';
import type { Domain } from '../../../../clients/console/service/types.ts';
import { certificateStatuses } from '../../../../lambdas/core/domain/certificate.ts';

type Certificate = NonNullable<Domain['certificate']>;

const domain = 'go.acme.example';
const validation = { type: 'CNAME', name: `_a1.${domain}`, value: '_b2.acm-validations.aws' } as const;
const traffic = { type: 'CNAME', name: domain, value: 'd-1.execute-api.eu-central-1.amazonaws.com' } as const;
const none = [] as const;
const first = [validation];
const both = [validation, traffic];

const certificateOf = (
  status: Certificate['status'],
  records: readonly (typeof both)[number][],
  wasReached = false,
): Certificate => ({
  status,
  records: [...records],
  detail: null,
  wasReached,
  checkedAt: null,
});

test.for<[Certificate['status'], readonly (typeof both)[number][], string, string | undefined]>([
  ['PENDING_OWNERSHIP', none, '○○○○', undefined],
  ['REQUESTED', none, '○○○○', 'certificate'],
  ['PENDING_VALIDATION', first, '○○○○', 'certificate'],
  ['ISSUED', first, '✓○○○', 'name'],
  ['PENDING_TRAFFIC', both, '✓✓○○', 'traffic'],
  ['ACTIVE', both, '✓✓✓✓', undefined],
  ['EXPIRING', both, '○✓✓✓', 'certificate'],
  ['WAITING', none, '○○○○', 'certificate'],
  ['WAITING', both, '✓✓○○', 'traffic'],
  ['FAILED', first, '○○○○', 'certificate'],
])(
  'A managed domain that is %s with the records %j has done the steps %s, and its next step is %s.',
  ([status, records, done, next]) => {
    const steps = pathOf({ domain, certificate: certificateOf(status, records) });
    expect(steps.map(({ isDone }) => (isDone ? '✓' : '○')).join('')).toBe(done);
    expect(steps.find(({ isNext }) => isNext)?.name).toBe(next);
  },
);

test('A certificate that expires names the record to set again, and claims nothing that will end.', () => {
  const titleOf = (records: readonly (typeof both)[number][]) =>
    pathOf({ domain, certificate: certificateOf('EXPIRING', records) })[0]?.title;
  expect(titleOf(both)).toMatch(/Add this DNS record again:$/);
  expect(titleOf([traffic])).not.toContain('record');
});

test('A domain that has had visitors has done all steps, even while its certificate waits for AWS.', () => {
  const steps = pathOf({ domain, certificate: certificateOf('WAITING', both, true) });
  expect(steps.map(({ isDone, isNext }) => isDone && !isNext)).toEqual([true, true, true, true]);
});

test('Each DNS record of a managed domain is shown at its own step.', () => {
  const [certificate, , visitors] = pathOf({
    domain,
    certificate: certificateOf('PENDING_TRAFFIC', both),
  });
  expect([certificate?.record, visitors?.record]).toEqual([validation, traffic]);
  const [onlyTraffic, , known] = pathOf({ domain, certificate: certificateOf('FAILED', [traffic]) });
  expect([onlyTraffic?.record, known?.record]).toEqual([undefined, traffic]);
});

test.for([
  ['FAILED', 'Failed', 'bad', /press Check now/],
  ['WAITING', 'Waiting', 'warning', /nothing for you to do/],
  ['EXPIRING', 'Certificate expires soon', 'warning', /Add its DNS record again/],
] as const)('A managed domain that is %s says so, even if it is active: "%s".', ([status, word, tone, advice]) => {
  const certificate = certificateOf(status, both);
  expect(statusOf({ status: 'ACTIVE', certificate })).toMatchObject({ word, tone });
  expect(adviceOf(certificate)).toMatch(advice);
});

test('A domain is polled only while it may advance by itself.', () => {
  expect(certificateStatuses.filter((status) => isMoving({ certificate: certificateOf(status, both) }))).toEqual([
    'REQUESTED',
    'PENDING_VALIDATION',
    'ISSUED',
    'PENDING_TRAFFIC',
    'WAITING',
  ]);
  expect(isMoving({ certificate: null })).toBe(false);
});

test('An unmanaged domain that waits for DNS says that its record is missing.', () => {
  expect(statusOf({ status: 'PENDING_DNS', certificate: null }).word).toBe('DNS record missing');
});
