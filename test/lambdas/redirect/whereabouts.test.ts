import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { countryOf, readWhereabouts } from '../../../lambdas/redirect/whereabouts.ts';
import { countryTableOf } from '../../../lib/countries/country-table.ts';
import { countryFromInEnvironment } from '../../../lib/stages/environment.ts';
import type { SettingsInput } from '../../../lib/stages/settings.ts';
import { ownStage } from '../../support/stacks/stages.ts';

const configure = (countryFrom: SettingsInput['countryFrom']) => {
  const { COUNTRY_FROM = '' } = countryFromInEnvironment(ownStage('dev', { countryFrom }).settings);
  vi.stubEnv('COUNTRY_FROM', COUNTRY_FROM);
};
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The address and the country of a visit. */
const seen = (sourceIp: string, headers: Record<string, string> = {}) => {
  const whereabouts = readWhereabouts(sourceIp, headers);
  return [whereabouts.sourceIp, countryOf(whereabouts)];
};

const secret = 'a secret of the stage';
const named = { 'cloudfront-viewer-country': 'DE', 'cloudfront-viewer-address': '198.51.100.7:46532', 'x-origin': secret };

describe('A visit through a network', () => {
  beforeEach(() => {
    configure({
      countryHeader: 'CloudFront-Viewer-Country',
      addressHeader: 'CloudFront-Viewer-Address',
      secretHeader: 'X-Origin',
      secretSha256: [sha256('the next secret').toUpperCase(), sha256(secret)],
    });
  });

  test("With the secret, address and country are those of the network's headers.", () => {
    expect(seen('192.0.2.1', named)).toEqual(['198.51.100.7', 'DE']);
    expect(seen('192.0.2.1', { ...named, 'x-origin': 'the next secret' })).toEqual(['198.51.100.7', 'DE']);
  });

  test.for([undefined, '', 'another secret', `${secret} `, `${secret},${secret}`, sha256(secret)])(
    'Without the secret, both headers are ignored: %j.',
    (sent) => {
      const { 'x-origin': _, ...headers } = named;
      expect(seen('192.0.2.1', { ...headers, ...(sent !== undefined && { 'x-origin': sent }) })).toEqual([
        '192.0.2.1',
        undefined,
      ]);
    },
  );

  test.for([
    ['198.51.100.7', '198.51.100.7'],
    ['198.51.100.7:46532', '198.51.100.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]:46532', '2001:db8::7'],
    ['2001:db8:0:0:0:0:0:7:46532', '2001:db8:0:0:0:0:0:7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['', '192.0.2.1'],
    ['unknown', '192.0.2.1'],
    ['198.51.100.7, 203.0.113.9', '192.0.2.1'],
    ['198.51.100.7:port', '192.0.2.1'],
  ] as const)('The network names the address %j, and the visitor has %s.', ([sent, address]) => {
    expect(seen('192.0.2.1', { ...named, 'cloudfront-viewer-address': sent })[0]).toBe(address);
  });

  test.for([
    ['de', 'DE'],
    ['XX', undefined],
    ['T1', undefined],
    ['DE,FR', undefined],
    ['', undefined],
  ] as const)('The network names the country %j, which is %j.', ([sent, country]) => {
    expect(seen('192.0.2.1', { ...named, 'cloudfront-viewer-country': sent })[1]).toBe(country);
  });
});

test('With the setting off, no header is honoured.', () => {
  configure('off');
  expect(seen('192.0.2.1', named)).toEqual(['192.0.2.1', undefined]);
});

test('With a data set, the country is looked up by the address, in any form, and no header is honoured.', () => {
  const folder = mkdtempSync(join(tmpdir(), 'whereabouts-'));
  const file = join(folder, 'countries.csv');
  writeFileSync(file, '192.0.2.0,192.0.2.255,FR\n2001:db8::,2001:db8:ffff:ffff:ffff:ffff:ffff:ffff,JP\n');
  configure({ files: [file] });
  vi.stubEnv('LAMBDA_TASK_ROOT', folder);
  // The table is missing only after a faulty deployment. The click is then not recorded, which raises an alarm.
  expect(() => seen('192.0.2.1')).toThrow(/countries\.bin/);
  writeFileSync(join(folder, 'countries.bin'), countryTableOf([file]));
  expect(seen('192.0.2.1', named)).toEqual(['192.0.2.1', 'FR']);
  expect(seen('::ffff:192.0.2.1')[1]).toBe('FR');
  expect(seen('2001:db8:7::1')).toEqual(['2001:db8:7::1', 'JP']);
  rmSync(folder, { recursive: true });
  // It is read once.
  expect(seen('192.0.3.1')).toEqual(['192.0.3.1', undefined]);
  expect(seen('no address')).toEqual(['no address', undefined]);
});
