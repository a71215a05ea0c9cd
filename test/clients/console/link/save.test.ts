import { describe, expect, test } from 'vitest';
import { bodyOf, changedFields, merge, newValues, type Values, valuesOf } from '../../../../clients/console/link/fields.ts';
import { save } from '../../../../clients/console/link/save.ts';
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

const refused = (status: number) => new ProblemError(status, '{}', false);

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
  const now = () => ({ link: current, etag: `"${version}"` });
  return {
    bodies,
    now,
    calls: {
      get: async () => now(),
      patch: async (_id: string, body: object, etag: string) => {
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
  test('It sends only what differs, so that nothing else changes, whatever the API has besides.', () => {
    expect(changedFields(valuesOf(link), valuesOf(link))).toEqual([]);
    const values = edited({ title: ' Summer ', maxClicks: '', tagIds: [], password: null, expiresAt: '' });
    const names = changedFields(values, valuesOf(link));
    expect(bodyOf(values, names)).toEqual({ title: 'Summer', maxClicks: null, tagIds: [], password: null, expiresAt: null });
  });

  test('A password is never shown, and stays as it is unless somebody sets or removes it.', () => {
    expect(valuesOf(link).password).toBe('');
    expect(bodyOf(edited({ password: ' a b ' }), ['password'])).toEqual({ password: ' a b ' });
  });

  test('A new link has only what was entered.', () => {
    const values = { ...newValues('https://example.com/'), title: 'New' };
    expect(bodyOf(values, changedFields(values, newValues('')))).toEqual({ url: 'https://example.com/', title: 'New' });
  });
});

describe('Saving', () => {
  test('It changes the version that was loaded, and can be undone to the millisecond.', async () => {
    const service = serviceWith();
    const saved = await save(edited({ title: 'Summer', expiresAt: '' }), service.now(), service.calls);
    expect(service.now().link).toMatchObject({ title: 'Summer', expiresAt: null });
    if (saved.kind === 'saved') await saved.undo();
    expect(service.bodies.at(-1)).toEqual({ title: 'Spring', expiresAt: link.expiresAt });
  });

  test('If somebody else has changed other fields, both changes stay.', async () => {
    const service = serviceWith((n, change) => n === 1 && change({ notes: 'theirs' }));
    const saved = await save(edited({ title: 'Summer' }), service.now(), service.calls);
    expect(saved.kind).toBe('saved');
    expect(service.now().link).toMatchObject({ title: 'Summer', notes: 'theirs' });
    expect(service.bodies).toEqual([{ title: 'Summer' }]);
  });

  test('If both have changed the same field, nothing is written, and somebody has to choose.', async () => {
    const service = serviceWith((n, change) => n === 1 && change({ title: 'Autumn', notes: 'theirs' }));
    const saved = await save(edited({ title: 'Summer' }), service.now(), service.calls);
    expect(saved).toMatchObject({ kind: 'clash', clashes: [{ name: 'title', mine: 'Summer', theirs: 'Autumn' }] });
    expect(saved.kind === 'clash' && saved.values).toMatchObject({ title: 'Summer', notes: 'theirs' });
    expect(service.bodies).toEqual([]);
  });

  test('If both want the same, there is no clash.', async () => {
    const service = serviceWith((n, change) => n === 1 && change({ title: 'Summer' }));
    expect((await save(edited({ title: 'Summer' }), service.now(), service.calls)).kind).toBe('saved');
  });

  test('A change whose answer is lost is found, and is not made twice; Undo still knows what was there.', async () => {
    const service = serviceWith();
    let isLost = false;
    const lossy = {
      ...service.calls,
      patch: async (id: string, body: object, etag: string) => {
        const version = await service.calls.patch(id, body, etag);
        if (isLost) return version;
        isLost = true;
        throw new TypeError('Failed to fetch');
      },
    };
    let unsure = 0;
    const saved = await save(edited({ title: 'Summer' }), service.now(), lossy, () => unsure++);
    expect(unsure).toBe(1);
    expect(service.bodies).toEqual([{ title: 'Summer' }, {}]);
    if (saved.kind === 'saved') await saved.undo();
    expect(service.now().link.title).toBe('Spring');
  });

  test('Somebody who is always overtaken gets the error in the end.', async () => {
    const service = serviceWith((n, change) => change({ notes: String(n) }));
    await expect(save(edited({ title: 'Summer' }), service.now(), service.calls)).rejects.toMatchObject({ status: 412 });
  });
});

test('Only fields that both have changed, and differently, are a clash.', () => {
  const before = valuesOf(link);
  const { values, clashes } = merge(
    edited({ title: 'A', notes: 'same' }),
    before,
    edited({ title: 'B', notes: 'same', url: 'https://b/' }),
  );
  expect(clashes).toEqual([{ name: 'title', mine: 'A', theirs: 'B' }]);
  expect(values).toMatchObject({ title: 'A', notes: 'same', url: 'https://b/' });
});
