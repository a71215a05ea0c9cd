import { expect, test } from 'vitest';
import { nothingKnown } from '../../../../lambdas/core/click/click.ts';
import { type Arrival, dimensionsOf } from '../../../../lambdas/core/click/dimensions.ts';
import { parseFilter } from '../../../../lambdas/core/click/filter.ts';
import { recordedAs } from '../../../../lambdas/core/click/recorded.ts';
import { knownReferrers } from '../../../../lambdas/core/click/referrers.ts';

const arrival: Arrival = {
  agent: { userAgent: '', brands: '', platform: '', mobile: '' },
  host: 'go.example.com',
  referrer: undefined,
  languages: '',
  source: 'link',
};

/** The referrer in statistics for that header. */
const namedBy = (referrer: string) => {
  const recorded = { ...nothingKnown, ...dimensionsOf({ ...arrival, referrer }, undefined) };
  return recordedAs(['referrer'], (dimension) => recorded[dimension]).referrer;
};

test.for([
  ['https://l.facebook.com/l.php?u=https%3A%2F%2Fgo.example.com', 'facebook.com'],
  ['https://lm.facebook.com/', 'facebook.com'],
  ['http://m.facebook.com/', 'facebook.com'],
  ['https://www.facebook.com/', 'facebook.com'],
  ['android-app://com.facebook.katana/', 'facebook.com'],
  ['https://t.co/abc', 'x.com'],
  ['https://twitter.com/', 'x.com'],
  ['https://mobile.twitter.com/', 'x.com'],
  ['https://x.com/', 'x.com'],
  ['android-app://com.google.android.gm/', 'mail.google.com'],
  ['https://mail.google.com/', 'mail.google.com'],
  ['android-app://com.Slack/', 'slack.com'],
  ['https://out.reddit.com/', 'reddit.com'],
  ['https://lnkd.in/', 'linkedin.com'],
  ['https://l.instagram.com/', 'instagram.com'],
  ['https://youtu.be/', 'youtube.com'],
  ['https://away.vk.com/', 'vk.com'],
  ['https://deref-gmx.net/', 'gmx.net'],
  ['android-app://com.unknown.app/', 'com.unknown.app'],
  ['https://facebook.com.example.org/', 'facebook.com.example.org'],
  ['https://m.example.org/', 'm.example.org'],
  ['', 'direct'],
])('A visitor from %s comes from %s.', ([referrer = '', name]) => {
  expect(namedBy(referrer)).toBe(name);
});

const listed = Object.entries(knownReferrers).flatMap(([name, hosts]) => hosts.map((host) => [host, name] as const));

test.for(listed)('%s belongs to %s.', ([host, name]) => {
  expect(namedBy(`https://${host}/`)).toBe(name);
  expect(namedBy(`android-app://${host}/`)).toBe(name);
  // A filter by the host is a filter by the site.
  expect(parseFilter('referrer', host.toUpperCase())).toEqual([name]);
});

test('No host belongs to two sites, and the name of each site belongs to it.', () => {
  expect(new Set(listed.map(([host]) => host)).size).toBe(listed.length);
  for (const name of Object.keys(knownReferrers)) expect(namedBy(`https://${name}/`)).toBe(name);
});
