import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bodyOf,
  changedFields,
  copiedValues,
  groups,
  merge,
  newValues,
  type Values,
  valuesOf,
} from '../../../../clients/console/link/fields/fields.ts';
import { conditionKinds } from '../../../../clients/console/link/fields/routing.ts';
import { save } from '../../../../clients/console/link/save.ts';
import type { RequestId } from '../../../../clients/console/service/changes.ts';
import { UnsureError } from '../../../../clients/console/service/failures.ts';
import type { Tagged } from '../../../../clients/console/service/settings.ts';
import type { Link } from '../../../../clients/console/service/types.ts';
import { ProblemError } from '../../../../clients/typescript/problem.ts';

const link: Link = {
  id: 'lnk_1',
  shortCode: 'spring',
  domain: 'go.example.com',
  shortUrl: 'https://go.example.com/spring',
  aliases: [],
  url: 'https://example.com/',
  title: 'Spring',
  description: null,
  image: null,
  notes: null,
  redirectType: 'TEMPORARY_302',
  isActive: true,
  isArchived: false,
  state: 'active',
  pendingVerification: false,
  cloaked: false,
  hasPassword: true,
  startsAt: null,
  expiresAt: '2031-01-01T12:34:56.789Z',
  expiredUrl: null,
  maxClicks: 5,
  clickCount: 0,
  lastClickedAt: null,
  tags: [{ id: 'tag_1', name: 'one', color: '#112233' }],
  externalId: null,
  managedBy: null,
  forwardParameters: false,
  forwardPath: false,
  hideReferrer: false,
  blockBots: false,
  confirmVisit: false,
  rules: [],
  variants: [],
  metaPixelId: null,
  googleTagId: null,
  webhookUrls: null,
  createdAt: '2026-11-21T02:53:02.788Z',
  updatedAt: '2026-11-21T02:53:02.788Z',
};

const refused = (status: number, retryAfter?: number) => new ProblemError(status, '{}', false, retryAfter);

/** Saves without waiting, and records the page's messages. */
const quickly = (values: Values, loaded: Tagged<Link>, calls: Parameters<typeof save>[2], said: string[] = []) =>
  save(
    values,
    loaded,
    calls,
    (text) => void (text !== '' && said.at(-1) !== text && said.push(text)),
    async () => {},
  );

/** A service with one link, whose entity tag is its version. `before` runs before each change is carried out. */
function serviceWith(before: (n: number, change: (fields: Partial<Link>) => void) => void = () => {}) {
  let version = 1;
  let current = link;
  let calls = 0;
  const bodies: object[] = [];
  const change = (fields: Partial<Link>) => {
    current = { ...current, ...fields };
    version++;
  };
  const now = () => ({ value: current, etag: `"${version}"` });
  return {
    bodies,
    now,
    calls: {
      get: async () => now(),
      patch: async (body: object, etag: string) => {
        before(++calls, change);
        if (etag !== `"${version}"`) throw refused(412);
        bodies.push(body);
        change(body);
        return now();
      },
    },
  };
}

const edited = (more: Values): Values => ({ ...valuesOf(link), ...more });

describe('A form', () => {
  test('It sends only the fields that differ.', () => {
    expect(changedFields(valuesOf(link), valuesOf(link))).toEqual([]);
    const values = edited({ title: ' Summer ', maxClicks: '', tagIds: [], password: null, expiresAt: '' });
    const names = changedFields(values, valuesOf(link));
    expect(bodyOf(values, names)).toEqual({ title: 'Summer', maxClicks: null, tagIds: [], password: null, expiresAt: null });
  });

  test('It never shows a password, and sends an entered one unchanged.', () => {
    expect(valuesOf(link).password).toBe('');
    expect(bodyOf(edited({ password: ' a b ' }), ['password'])).toEqual({ password: ' a b ' });
  });

  test('It has each field and each condition that the API accepts for a link.', () => {
    const { schemas } = JSON.parse(readFileSync('openapi.json', 'utf8')).components;
    const names = groups.flatMap(({ fields }) => fields.map(({ name }) => name));
    // Tags are chosen by their ids, the UTM fields of the form change the destination itself, and the menu archives a link.
    const apart = /^(tagNames|utm.*|isArchived)$/;
    const taken = Object.keys(schemas.UpdateLinkRequest.properties).filter((name) => !apart.test(name));
    expect(names.toSorted()).toEqual(taken.toSorted());
    const conditions = Object.keys(schemas.RuleConditionsRequest.properties);
    expect(Object.keys(conditionKinds).toSorted()).toEqual(conditions.toSorted());
  });

  test('It sends any rules and variants back as they were, with the unknown fields of a newer API.', () => {
    const text = fc.string({ maxLength: 8 }).filter((name) => name !== '' && name !== '__proto__');
    const more = fc.dictionary(
      text.map((name) => `new-${name}`),
      fc.jsonValue(),
    );
    const conditions = fc
      .tuple(
        fc.record(
          {
            country: fc.array(fc.constantFrom('DE', 'AT')),
            language: fc.array(fc.constantFrom('de', 'pt-br')),
            after: fc.constant('2031-01-01T12:34:56.789Z'),
            query: fc.dictionary(text, fc.string()),
          },
          { requiredKeys: [] },
        ),
        more,
      )
      .map(([known, unknown]) => ({ ...known, ...unknown }));
    const rule = fc.tuple(conditions, fc.webUrl(), more).map(([wanted, url, rest]) => ({ if: wanted, url, ...rest }));
    const variant = fc.tuple(text, fc.webUrl(), fc.nat(1_000), more).map(([id, url, weight, rest]) => ({
      id: id.trim(),
      url,
      weight,
      ...rest,
    }));
    fc.assert(
      fc.property(fc.array(rule), fc.array(variant), (rules, variants) => {
        const values = valuesOf({ ...link, rules, variants });
        expect(bodyOf(values, ['rules', 'variants'])).toEqual({ rules, variants });
      }),
      { numRuns: 20 },
    );
  });

  test('A copy has all values that two links can share.', () => {
    const copied = copiedValues({
      ...link,
      externalId: 'cms:1',
      managedBy: 'a@go.example.com',
      rules: [{ if: { os: ['ios'] }, url: 'https://b/' }],
    });
    expect(copied).toMatchObject({ title: 'Spring', maxClicks: '5', tagIds: ['tag_1'], rules: [{ url: 'https://b/' }] });
    expect(copied).toMatchObject({ customSlug: '', externalId: '', managedBy: '', password: '' });
  });

  test('A new link has only what was entered.', () => {
    const values = { ...newValues('https://example.com/'), title: 'New' };
    expect(bodyOf(values, changedFields(values, newValues('')))).toEqual({ url: 'https://example.com/', title: 'New' });
  });
});

describe('Saving', () => {
  test('A save changes the version that was loaded.', async () => {
    const service = serviceWith();
    await save(edited({ title: 'Summer', expiresAt: '' }), service.now(), service.calls);
    expect(service.now().value).toMatchObject({ title: 'Summer', expiresAt: null });
  });

  test('If somebody else has changed other fields, both changes stay.', async () => {
    const service = serviceWith((n, change) => n === 1 && change({ notes: 'theirs' }));
    const saved = await save(edited({ title: 'Summer' }), service.now(), service.calls);
    expect(saved.kind).toBe('saved');
    expect(service.now().value).toMatchObject({ title: 'Summer', notes: 'theirs' });
    expect(service.bodies).toEqual([{ title: 'Summer' }]);
  });

  test('If both have changed the same field, nothing is written, and the person has to choose.', async () => {
    const service = serviceWith((n, change) => n === 1 && change({ title: 'Autumn', notes: 'theirs' }));
    const saved = await save(edited({ title: 'Summer' }), service.now(), service.calls);
    expect(saved).toMatchObject({
      kind: 'clash',
      clashes: [{ name: 'title', before: 'Spring', mine: 'Summer', theirs: 'Autumn' }],
    });
    expect(saved.kind === 'clash' && saved.values).toMatchObject({ title: 'Summer', notes: 'theirs' });
    expect(service.bodies).toEqual([]);
  });

  test('If both want the same, there is no clash.', async () => {
    const service = serviceWith((n, change) => n === 1 && change({ title: 'Summer' }));
    expect((await save(edited({ title: 'Summer' }), service.now(), service.calls)).kind).toBe('saved');
  });

  test('A change whose answer is lost is found, and Undo knows the ids of all its requests.', async () => {
    const service = serviceWith();
    let isLost = false;
    const sent: unknown[] = [];
    const lossy = {
      ...service.calls,
      patch: async (body: object, etag: string, headers?: RequestId) => {
        sent.push(headers?.['X-Amzn-RequestId']);
        const version = await service.calls.patch(body, etag);
        if (isLost) return version;
        isLost = true;
        throw new TypeError('Failed to fetch');
      },
    };
    const said: string[] = [];
    const saved = await quickly(edited({ title: 'Summer' }), service.now(), lossy, said);
    expect(said).toEqual(['Checking whether it was saved…']);
    expect(service.now().value.title).toBe('Summer');
    expect(saved.kind === 'saved' && [...saved.made.requests]).toEqual(sent);
    expect(new Set(sent).size).toBe(2);
  });

  test('A destination that the service has normalised does not clash with the one that was entered.', async () => {
    const service = serviceWith();
    let isLost = false;
    const lossy = {
      ...service.calls,
      patch: async (body: object, etag: string) => {
        const { url, ...rest } = body as { url?: string };
        const version = await service.calls.patch({ ...rest, ...(url && { url: new URL(url).href }) }, etag);
        if (isLost) return version;
        isLost = true;
        throw new TypeError('Failed to fetch');
      },
    };
    expect((await quickly(edited({ url: 'HTTPS://Example.com' }), service.now(), lossy)).kind).toBe('saved');
    expect(service.now().value.url).toBe('https://example.com/');
  });

  test('A throttled change is retried after the wait, which is counted down.', async () => {
    const service = serviceWith((n) => {
      if (n === 1) throw refused(429, 2);
    });
    const said: string[] = [];
    expect((await quickly(edited({ title: 'Summer' }), service.now(), service.calls, said)).kind).toBe('saved');
    expect(said).toEqual(['Too many requests. Next try in 2 s.', 'Too many requests. Next try in 1 s.']);
  });

  test('Without an answer, the page says that the outcome is unknown, and the same change can be sent again.', async () => {
    const service = serviceWith();
    const silent = {
      get: async () => {
        throw refused(503);
      },
      patch: async () => {
        throw refused(503);
      },
    };
    await expect(quickly(edited({ title: 'Summer' }), service.now(), silent)).rejects.toBeInstanceOf(UnsureError);
    expect((await quickly(edited({ title: 'Summer' }), service.now(), service.calls)).kind).toBe('saved');
  });

  test('A save that is overtaken each time fails with the conflict in the end.', async () => {
    const service = serviceWith((n, change) => change({ notes: String(n) }));
    await expect(quickly(edited({ title: 'Summer' }), service.now(), service.calls)).rejects.toMatchObject({ status: 412 });
  });
});

test('Only fields that both have changed to different values are a clash.', () => {
  const before = valuesOf(link);
  const { values, clashes } = merge(
    edited({ title: 'A', notes: 'same' }),
    before,
    edited({ title: 'B', notes: 'same', url: 'https://b/' }),
  );
  expect(clashes).toEqual([{ name: 'title', before: 'Spring', mine: 'A', theirs: 'B' }]);
  expect(values).toMatchObject({ title: 'A', notes: 'same', url: 'https://b/' });
});
