import { existsSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { deleteExpired, expiriesOf } from '../../local/lifecycle.ts';
import { loadTemplate } from '../../local/template/template.ts';

test('In the template, only rankings expire.', () => {
  const template = loadTemplate(inject('service').outdir);
  const names = template.ofType('AWS::S3::Bucket').map(({ name }) => name);
  expect(expiriesOf(template)).toEqual([{ bucket: names[0], prefix: 'rankings/', days: 1 }]);
});

test('Objects are deleted at the midnight after their days; those of other prefixes and buckets stay.', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lifecycle-'));
  const put = (path: string, at: string) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'x');
    utimesSync(file, new Date(at), new Date(at));
    return () => existsSync(file);
  };
  const old = put('one/rankings/workspace=ws_1/a', '2030-05-01T00:00:01Z');
  const late = put('one/rankings/workspace=ws_1/b', '2030-05-02T00:00:01Z');
  const clicks = put('one/clicks/c', '2020-01-01T00:00:00Z');
  const other = put('two/rankings/d', '2020-01-01T00:00:00Z');
  const rules = [{ bucket: 'one', prefix: 'rankings/', days: 1 }];
  const there = () => [old(), late(), clicks(), other()];
  await deleteExpired(folder, rules, Date.parse('2030-05-02T23:59:59Z'));
  expect(there()).toEqual([true, true, true, true]);
  await deleteExpired(folder, rules, Date.parse('2030-05-03T00:00:00Z'));
  expect(there()).toEqual([false, true, true, true]);
  await deleteExpired(folder, rules, Date.parse('2030-05-04T00:00:00Z'));
  expect(there()).toEqual([false, false, true, true]);
});
