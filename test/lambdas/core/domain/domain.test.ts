import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkOwnership,
  checkTarget,
  ownershipRecord,
  type Seen,
  targetRecord,
  toLastCheck,
} from '../../../../lambdas/core/domain/domain.ts';

const target = 'links.example.net';

describe('The ownership of a domain', () => {
  const record = ownershipRecord('go.example.com', 'abc');
  const noAlias = { values: [] };

  test('The exact TXT value proves the ownership, whatever other values there are.', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.nat(), (others, at) => {
        expect(
          checkOwnership(record, noAlias, { values: others.toSpliced(at % (others.length + 1), 0, record.value) }).failure,
        ).toBeUndefined();
        fc.pre(!others.includes(record.value));
        expect(checkOwnership(record, noAlias, { values: others }).failure).toMatchObject({ code: 'ownership_not_proven' });
      }),
    );
  });

  test.for([
    [{ values: [] }, 'there is no such record'],
    [{ values: ['links-verification=abd', 'v=spf1'] }, 'found "links-verification=abd", "v=spf1"'],
    [{ values: ['1', '2', '3', '4', '5'] }, 'found "1", "2", "3" and 2 more'],
    [{ values: ['\u001b[31m\n\ud800ä'] }, 'found "?[31m???"'],
    [{ values: ['x'.repeat(101)] }, `found "${'x'.repeat(100)}…"`],
    [{ failure: 'ETIMEOUT' }, 'the DNS did not answer (ETIMEOUT)'],
  ] as [Seen, string][])('%j does not prove the ownership, and the message says so.', ([seen, text]) => {
    expect(checkOwnership(record, noAlias, seen).failure?.message).toBe(
      `the TXT record _links.go.example.com must be "links-verification=abc"; ${text}`,
    );
  });

  test.for([
    [{ values: ['elsewhere.example'] }, 'itself, not a CNAME; found "elsewhere.example"'],
    [{ failure: 'ETIMEOUT' }, 'the DNS did not answer (ETIMEOUT)'],
  ] as [Seen, string][])('No TXT value proves the ownership while the name has %j as its CNAME.', ([alias, text]) => {
    const { failure } = checkOwnership(record, alias, { values: [record.value] });
    expect(failure).toMatchObject({ code: 'ownership_not_proven', message: expect.stringContaining(text) });
  });
});

describe('The target of a domain', () => {
  const record = targetRecord('go.example.com', target);
  const none = { values: [] };
  const failed = { failure: 'ESERVFAIL' };
  const values = (...list: string[]) => ({ values: list });

  test.for([
    ['by its CNAME', values(target), none, none],
    ['by its CNAME in any case and with a trailing dot', values('LINKS.example.NET.'), none, none],
    ['by its CNAME, even if the addresses cannot be found', values(target), failed, failed],
    ["by the target's addresses", none, values('192.0.2.1'), values('192.0.2.1', '192.0.2.2')],
    ["by a CNAME to another name with the target's addresses", values('other.example'), values('192.0.2.1'), values('192.0.2.1')],
  ] as const)('A domain points here %s.', ([, cname, addresses, ofTarget]) => {
    expect(checkTarget(record, cname, addresses, ofTarget).failure).toBeUndefined();
  });

  test.for([
    ['if it has no record', none, none, none, 'there is no such record'],
    ['if neither name has an address', values('other.example'), none, none, 'found "other.example"'],
    ['by another CNAME', values('other.example'), values('192.0.2.9'), values('192.0.2.1'), 'found "other.example"'],
    [
      "if one address is not the target's",
      none,
      values('192.0.2.1', '192.0.2.9'),
      values('192.0.2.1'),
      'found "192.0.2.1", "192.0.2.9"',
    ],
    ['if the target has no address', none, values('192.0.2.1'), none, 'found "192.0.2.1"'],
    ['if the DNS does not answer', failed, failed, values('192.0.2.1'), 'the DNS did not answer (ESERVFAIL)'],
  ] as const)('A domain does not point here %s.', ([, cname, addresses, ofTarget, text]) => {
    expect(checkTarget(record, cname, addresses, ofTarget).failure).toEqual({
      code: 'dns_not_pointed',
      message: `the CNAME record go.example.com must be ${target}; ${text}`,
    });
  });
});

describe('The record of a check', () => {
  const wanted = targetRecord('go.example.com', target);
  const at = '2030-01-02T03:04:05.678Z';

  test('Whatever the DNS answers, at most five values are kept, each of at most 100 printable ASCII characters and an ellipsis.', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 300 })), (values) => {
        const { seen } = toLastCheck({ failure: undefined, wanted, seen: { values } }, at);
        expect(seen?.length).toBe(Math.min(5, values.length));
        for (const value of seen ?? []) expect(value).toMatch(/^[\x20-\x7e]{0,100}…?$/);
      }),
    );
  });

  test('The record has the addresses if there is no CNAME, and null if the DNS does not answer.', () => {
    const seenBy = (...answers: [Seen, Seen, Seen]) => toLastCheck(checkTarget(wanted, ...answers), at);
    const [none, failed] = [{ values: [] }, { failure: 'ESERVFAIL' }];
    expect(seenBy({ values: ['other.example'] }, none, none)).toEqual({ at, wanted, seen: ['other.example'] });
    expect(seenBy(none, { values: ['192.0.2.1'] }, { values: ['192.0.2.1'] }).seen).toEqual(['192.0.2.1']);
    expect(seenBy({ values: [target] }, none, none).seen).toEqual([target]);
    expect(seenBy(none, none, none).seen).toEqual([]);
    expect(seenBy(failed, failed, none).seen).toBeNull();
  });
});
