import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { rowDimensions } from '../../../lambdas/core/click/click.ts';
import { merged, nothing, rowsOf, sealed, withDatabase } from '../../support/things/log-rows.ts';
import { newRow } from '../../support/things/rows.ts';

const linkId = 'lnk_AAAAAAAAAAAAAAAAAAAAAAAAAAAA';
/** A visitor's click on the 2nd, at this time. */
const click = (id: string, time: string, visitor?: string, more = {}) =>
  newRow({ id, linkId, at: `2030-01-02T${time}.999Z`, ...(visitor !== undefined && { visitor }), ...more });

test('A file has each field of a row in a column of its own, and times to the second.', async () => {
  const row = {
    ...newRow({ epoch: 1_900_000_000, visitor: 'v1', at: '2030-01-02T03:04:05.678Z' }),
    ...Object.fromEntries(rowDimensions.map((dimension) => [dimension, `${dimension}'s "value", 你好\n`])),
  };
  await withDatabase(async (database) => {
    const [read] = await rowsOf(database, await sealed(database, [row]));
    expect(read).toEqual({
      id: row.id,
      visitor: 'v1',
      shard: row.shard,
      sequence_number: row.sequenceNumber,
      clicked_at: '2030-01-02T03:04:05.000Z',
      link_id: row.linkId,
      host: row.host,
      epoch: 1_900_000_000,
      country: row.country,
      referrer: row.referrer,
      device: row.device,
      browser: row.browser,
      os: row.os,
      language: row.language,
      source: row.source,
      variant: row.variant,
      slug: row.slug,
      path: row.path,
      utm_source: row.utmSource,
      utm_medium: row.utmMedium,
      utm_campaign: row.utmCampaign,
      is_unique: true,
    });
    expect(Object.keys(read ?? {})).toHaveLength(9 + rowDimensions.length);
  });
});

test('Merging removes ids, hashes, shards and sequence numbers, and nothing else.', async () => {
  await withDatabase(async (database) => {
    const [one, two] = [await sealed(database, [click('b', '12:00:00', 'v1')]), await sealed(database, [click('a', '11:00:00')])];
    const before = await rowsOf(database, two, one);
    const after = await rowsOf(database, await merged(database, [one, two]));
    expect(after).toEqual(before.map(({ id, visitor, shard, sequence_number, ...kept }) => kept));
    // Again, with a merged file.
    const late = await sealed(database, [click('c', '10:00:00')]);
    const again = await merged(database, [await merged(database, [one, two]), late]);
    expect((await rowsOf(database, again)).map(({ clicked_at }) => clicked_at)).toEqual([
      '2030-01-02T10:00:00.000Z',
      '2030-01-02T11:00:00.000Z',
      '2030-01-02T12:00:00.000Z',
    ]);
    const types = 'SELECT name, type, converted_type, logical_type FROM parquet_schema($path) WHERE name = $name';
    const typeIn = (path: string) => database.run(types, { path, name: 'clicked_at' });
    expect(await typeIn(again)).toEqual(await typeIn(one));
  });
});

test('A file is sorted by time.', async () => {
  await withDatabase(async (database) => {
    const rows = ['12:00:00', '09:00:00', '10:00:00'].map((time, index) => click(`c${index}`, time));
    const times = (await rowsOf(database, await sealed(database, rows))).map(({ clicked_at }) => clicked_at);
    expect(times).toEqual(times.toSorted());
    expect(times).toHaveLength(3);
  });
});

const uniqueIn = async (...args: Parameters<typeof sealed>) =>
  (await rowsOf(args[0], await sealed(...args))).filter(({ is_unique }) => is_unique).map(({ id }) => id);

test('The first click of a visitor on a link, epoch and day is unique: by time, then by id.', async () => {
  await withDatabase(async (database) => {
    const other = 'lnk_BBBBBBBBBBBBBBBBBBBBBBBBBBBB';
    const rows = [
      click('b', '12:00:00', 'v1'),
      click('a', '12:00:00', 'v1'),
      click('c', '13:00:00', 'v1'),
      click('d', '14:00:00', 'v2'),
      click('e', '15:00:00', 'v1', { linkId: other }),
      click('f', '16:00:00', 'v1', { epoch: 7 }),
      click('g', '17:00:00', 'v1', { at: '2030-01-03T00:00:00.000Z' }),
      click('h', '18:00:00'),
      click('i', '19:00:00'),
    ];
    expect(await uniqueIn(database, rows)).toEqual(['a', 'd', 'e', 'f', 'g']);
  });
});

test('A late click is not unique if a sealed file has one of the same day, even a later one.', async () => {
  await withDatabase(async (database) => {
    const known = [await sealed(database, [click('m', '12:00:00', 'v1')])];
    expect(await uniqueIn(database, [click('a', '01:00:00', 'v1'), click('b', '02:00:00', 'v2')], known)).toEqual(['b']);
    // On another day, the same visitor is unique again.
    expect(await uniqueIn(database, [click('c', '01:00:00', 'v1', { at: '2030-01-03T01:00:00.000Z' })], known)).toEqual(['c']);
  });
});

test('A click that is delivered twice is in one file, once, and counts as unique once.', async () => {
  await withDatabase(async (database) => {
    const [a, b, c] = [click('a', '12:00:00', 'v1'), click('b', '13:00:00', 'v2'), click('c', '14:00:00', 'v1')];
    const first = await sealed(database, [b, a, b, a]);
    const second = await sealed(database, [a, c, c, b], [first]);
    expect((await rowsOf(database, first, second)).map(({ id, is_unique }) => [id, is_unique])).toEqual([
      ['a', true],
      ['b', true],
      ['c', false],
    ]);
  });
});

test('Sealing and merging delete erased and expired clicks.', async () => {
  const erasures = new Map([[linkId, 2]]);
  const rows = [
    click('a', '10:00:00', 'v1', { epoch: 1 }),
    click('b', '10:00:01', 'v1', { epoch: 2 }),
    click('c', '10:00:02', 'v1', { epoch: 1, linkId: 'lnk_BBBBBBBBBBBBBBBBBBBBBBBBBBBB' }),
    click('d', '09:59:59', 'v1', { epoch: 3 }),
  ];
  const leftOut = { erasures, keptFrom: '2030-01-02T10:00:00.000Z' };
  await withDatabase(async (database) => {
    const path = await sealed(database, rows, [], leftOut);
    expect((await rowsOf(database, path)).map(({ id }) => id)).toEqual(['b', 'c']);
    const all = await sealed(database, rows);
    const times = (await rowsOf(database, await merged(database, [all], leftOut))).map(({ clicked_at }) => clicked_at);
    expect(times).toEqual(['2030-01-02T10:00:01.000Z', '2030-01-02T10:00:02.000Z']);
    // A file of no rows still replaces others.
    const none = await merged(database, [all], { ...leftOut, keptFrom: '2031-01-01T00:00:00.000Z' });
    expect(await rowsOf(database, none)).toEqual([]);
    expect(await rowsOf(database, await merged(database, [none, all], nothing))).toHaveLength(4);
  });
});

test('A file that is damaged or missing is an error.', async () => {
  await withDatabase(async (database) => {
    const broken = database.newPath();
    await writeFile(broken, 'PAR1 and nothing else');
    await expect(sealed(database, [click('a', '10:00:00')], [broken])).rejects.toThrow('magic bytes');
    await expect(merged(database, [broken])).rejects.toThrow('magic bytes');
    await expect(merged(database, [database.newPath()])).rejects.toThrow('No files found');
  });
});
