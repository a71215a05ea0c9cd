import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Domain, domainDefaults } from '../../../lambdas/core/domain/domain.ts';
import { listedError } from '../../../lambdas/core/host/listed-hosts.ts';
import { slugToTry } from '../../../lambdas/core/link/creation.ts';
import { blockedError, shortDomainError } from '../../../lambdas/core/link/destination.ts';
import {
  type Created,
  type EntryResults,
  type ImportEntry,
  notWritten,
  slugTaken,
  urlRefused,
} from '../../../lambdas/core/link/import.ts';
import { locationOf, newLinkId } from '../../../lambdas/core/link/location.ts';
import { importResponse, largestResponse } from '../../../lambdas/views/import.ts';
import { anyCharacter } from '../../support/run/any-character.ts';
import { runs } from '../../support/run/proof.ts';

const domain: Domain = {
  host: 'go.example.com',
  domainId: 'dom_a',
  workspaceId: 'ws_a',
  status: 'ACTIVE',
  createdAt: '',
  verifiedAt: '',
  token: null,
  wantsClicks: false,
  hooksVersion: 0,
  ...domainDefaults,
  revision: 0,
};
const createdAt = '2030-01-01T00:00:00.000Z';
const origin = 'https://{domain}';
const creation = { requestId: 'req_a', salt: 'salt', createdAt };

/** The link of an entry, at the first slug. */
function createdAs(entry: ImportEntry): Created {
  const shortCode = slugToTry(creation, entry, 0, new Set());
  return { id: newLinkId(locationOf(domain.domainId, shortCode)), shortCode };
}

const shortDomain = urlRefused(shortDomainError());
const blocked = urlRefused(blockedError());
const listed = urlRefused(listedError(), '/variants/9/url');

/** A request, its valid entries and their outcomes, in all mixtures. */
const someImport = fc
  .array(
    fc.record({
      sent: fc.oneof(fc.record({ url: fc.string({ unit: anyCharacter }), customSlug: fc.jsonValue() }), fc.jsonValue()),
      good: fc.boolean(),
      url: fc.webUrl(),
      customSlug: fc.option(fc.stringMatching(/^[A-Za-z0-9_.-]{1,95}\/[A-Za-z0-9_.-]{1,94}$/), { nil: undefined }),
      title: fc.option(fc.string({ unit: anyCharacter, maxLength: 256 }), { nil: undefined }),
      redirectType: fc.constantFrom('PERMANENT_301', 'TEMPORARY_302', undefined),
      failure: fc.constantFrom(slugTaken, notWritten, undefined, shortDomain, blocked, listed),
      // The longest messages quote the first 128 characters of an unknown field's name.
      unknownField: fc.string({
        unit: fc.constantFrom('\0', '\u0001', '"', '\\', '~0', '\ud800', 'é', '中', '😀'),
        maxLength: 128,
      }),
      created: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  .map((parts) => {
    const sent: unknown[] = parts.map((part) => part.sent);
    const entries: ImportEntry[] = [];
    const outcomes: EntryResults = {};
    const failures: EntryResults = {};
    parts.forEach(({ good, url, customSlug, title, redirectType, failure, unknownField, created }, index) => {
      const entry = { index, url, customSlug, title, redirectType };
      if (good) entries.push(entry);
      if (good && created) outcomes[index] = createdAs(entry);
      else if (good && failure) outcomes[index] = failure;
      else if (!good) {
        failures[index] = { code: 'unknown_field', message: `${unknownField.slice(0, 128)} is not a field of this request` };
      }
    });
    return { sent, entries, failures, outcomes: { ...outcomes, ...failures } };
  });

const bytesOf = (answer: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(answer)));

describe('The response to an import', () => {
  test('The response has each link once, created or failed, in the order of the request, and its counts add up.', () => {
    fc.assert(
      fc.property(someImport, fc.constantFrom('ACTIVE', 'PENDING_DNS'), ({ sent, entries, outcomes }, status) => {
        const answer = importResponse(sent, entries, { domain: { ...domain, status }, createdAt, outcomes }, origin);
        const made = entries.filter(({ index }) => 'id' in (outcomes[index] ?? {}));
        expect(answer.links.map(({ id }) => id)).toEqual(made.map(({ index }) => (outcomes[index] as { id: string }).id));
        expect(answer.failed.map(({ index }) => index)).toEqual(
          sent.map((_, index) => index).filter((index) => !made.some((entry) => entry.index === index)),
        );
        expect(answer.created).toBe(answer.links.length);
        expect(answer.activeCount + answer.pendingCount).toBe(answer.created);
        expect(answer[status === 'ACTIVE' ? 'pendingCount' : 'activeCount']).toBe(0);
        expect(answer.links.every(({ pendingVerification }) => pendingVerification === (status !== 'ACTIVE'))).toBe(true);
        for (const { index, url, customSlug } of answer.failed) {
          const raw = sent[index] as { url?: unknown; customSlug?: unknown } | null;
          expect(url).toBe(typeof raw?.url === 'string' ? raw.url : null);
          expect(customSlug).toBe(typeof raw?.customSlug === 'string' ? raw.customSlug : null);
        }
      }),
    );
  });

  test('The response is never larger than the size that is computed before the first write.', () => {
    fc.assert(
      fc.property(someImport, ({ sent, entries, failures, outcomes }) => {
        fc.pre(sent.length > 0);
        const answer = importResponse(sent, entries, { domain, createdAt, outcomes }, origin);
        expect(bytesOf(answer)).toBeLessThanOrEqual(largestResponse(sent, entries, failures, domain, origin));
      }),
      { numRuns: runs(300) },
    );
  });

  test.for([
    ['only control characters', '\u0001'.repeat(128)],
    ['only halves of surrogate pairs', '\udfff'.repeat(128)],
    ['only quotes', '"'.repeat(128)],
  ] as const)('The computed size suffices if a thousand links fail because of a field named with %s.', ([, field]) => {
    const sent = Array.from({ length: 1000 }, () => ({ [field]: 1 }));
    const failure = { code: 'unknown_field', message: `${field} is not a field of this request` };
    const outcomes = Object.fromEntries(sent.map((_, index) => [index, failure]));
    const answer = importResponse(sent, [], { domain, createdAt, outcomes }, origin);
    expect(bytesOf(answer)).toBeLessThanOrEqual(largestResponse(sent, [], outcomes, domain, origin));
  });

  test.for([
    ['their slugs are taken', slugTaken],
    ['they lead to a short domain', shortDomain],
    ['they lead to a blocked host', blocked],
    ['they lead to a listed host', listed],
    ['the table is too slow', notWritten],
  ] as const)(
    'The computed size suffices if long URLs, which parsing would shorten, are returned as sent because %s.',
    ([, failure]) => {
      const url = `https://example.org/${'a/../'.repeat(400)}`;
      const sent = Array.from({ length: 100 }, () => ({ url, customSlug: 'Launch' }));
      const entries = sent.map(({ customSlug }, index) => ({ index, url: new URL(url).href, customSlug }));
      const outcomes = Object.fromEntries(sent.map((_, index) => [index, failure]));
      const answer = importResponse(sent, entries, { domain, createdAt, outcomes }, origin);
      expect(bytesOf(answer)).toBeLessThanOrEqual(largestResponse(sent, entries, {}, domain, origin));
    },
  );

  test.for([
    [1_000, 2_048],
    [400, 8_000],
  ] as const)(
    '%i links with destinations of %i characters and the longest titles fit into a response.',
    ([length, characters]) => {
      const url = 'https://example.org/'.padEnd(characters, 'a');
      const entries = Array.from({ length }, (_, index) => ({
        index,
        url,
        title: '"'.repeat(256),
        customSlug: `${index}`.padEnd(64, 'a'),
      }));
      expect(largestResponse(entries, entries, {}, domain, origin)).toBeLessThan(5_000_000);
    },
  );

  test('The response has the whole link, with defaults for the fields that were not sent.', () => {
    const entries: ImportEntry[] = [
      { index: 0, url: 'https://example.org/' },
      { index: 1, url: 'https://example.org/', customSlug: 'Launch', title: 'L', redirectType: 'PERMANENT_301' },
    ];
    const outcomes = Object.fromEntries(entries.map((entry) => [entry.index, createdAs(entry)]));
    const { links } = importResponse(entries, entries, { domain, createdAt, outcomes }, origin);
    expect(links[0]).toMatchObject({
      title: null,
      redirectType: 'TEMPORARY_302',
      isActive: true,
      tags: [],
      clickCount: 0,
      createdAt,
    });
    expect(links[1]).toMatchObject({
      shortCode: 'Launch',
      shortUrl: 'https://go.example.com/Launch',
      title: 'L',
      redirectType: 'PERMANENT_301',
    });
  });
});
