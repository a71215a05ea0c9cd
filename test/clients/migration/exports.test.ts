import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { bodyOf } from '../../../clients/migration/chunks.ts';
import { type FormatName, formats } from '../../../clients/migration/formats.ts';
import { type PlanOptions, planOf } from '../../../clients/migration/plan.ts';
import { rowsOf } from '../../../clients/migration/read.ts';
import { countryFromInEnvironment } from '../../../lib/stages/environment.ts';
import { localStage } from '../../../lib/stages/stages.ts';
import { callEndpoint } from '../../support/http/invoke.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { curl, startVisits } from '../../support/things/visit.ts';

// The files have the shape that the named repository's code writes at the named commit: its columns, members, types and
// dates, with data of our own. The expected `Location`s are what that service's redirect would send.

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const iphone = {
  ...curl,
  'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
};
const android = { ...curl, 'user-agent': 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/130.0 Mobile Safari/537.36' };
const inAustria = { ...curl, 'x-country': 'AT', 'x-origin-secret': 'laptop' };

type Export = {
  readonly from: FormatName;
  readonly file: string;
  readonly sourceDomain?: string;
  readonly options?: PlanOptions;
  /** Visits of its addresses, and the other service's answers. */
  readonly answers: readonly (readonly [path: string, status: number, location: string | undefined, headers?: object])[];
  /** The reasons of refused rows, in their order. */
  readonly refused?: readonly string[];
  /** Differences from the other service, in the order of the rows. */
  readonly notes?: readonly string[];
};

const startUrl = 'https://docs.example.org/start';
const passedOn = (names: string) => `parameters of a visit are passed on, but do not replace ${names} of its URL`;

const exported: readonly Export[] = [
  {
    from: 'dub',
    file: 'dubinc-dub-b6ac239.json',
    answers: [
      ['/guides/v1.2/start', 302, `${startUrl}?utm_source=print&lang=en`],
      ['/guides/v1.2/start?a=1', 302, `${startUrl}?utm_source=print&lang=en&a=1`],
      ['/app', 302, 'https://www.example.org/app'],
      ['/app', 302, 'https://apps.example.org/ios?ref=go', iphone],
      ['/app?a=1', 302, 'https://apps.example.org/android?a=1', android],
      ['/app', 302, 'https://www.example.org/de/app', inAustria],
      ['/app', 302, 'https://apps.example.org/ios?ref=go', { ...inAustria, ...iphone }],
      ['/over', 302, 'https://www.example.org/next'],
    ],
    refused: ['it has a password there, but would be open to everybody here', 'it is the root of its domain, which has no slug'],
    notes: ['"trackConversion" is not imported', passedOn('utm_source, lang')],
  },
  {
    from: 'dub',
    file: 'dubinc-dub-python-0046e8e.json',
    answers: [
      ['/gone', 404, undefined],
      ['/test/v2.0', 302, 'https://www.example.org/a'],
    ],
    notes: ['"rewrite" is not imported', '"testVariants" is not imported'],
  },
  {
    from: 'dub',
    file: 'dubinc-dub-0bd62aa.csv',
    answers: [
      ['/guides/v1.2/start', 302, `${startUrl}?utm_source=print&lang=en`],
      ['/notes.txt', 302, 'https://www.example.org/a,b?q=%22x%22#top'],
    ],
    refused: ['it has no slug'],
    notes: ['the tag "2025, autumn" becomes "2025- autumn"', passedOn('utm_source, lang'), passedOn('q')],
  },
  {
    from: 'shlink',
    file: 'shlinkio-shlink-02e48ae.json',
    options: { forwardPath: true },
    answers: [
      ['/guides/v1.2/start', 302, `${startUrl}?lang=en`],
      ['/guides/v1.2/start/more/page.html?a=1', 302, `${startUrl}/more/page.html?lang=en&a=1`],
      ['/quiet?a=1', 302, 'https://www.example.org/quiet/'],
      ['/app', 302, 'https://www.example.org/app'],
      ['/app/more', 302, 'https://apps.example.org/ios/more', iphone],
      ['/app', 302, 'https://apps.example.org/android', android],
    ],
    refused: ['it has reached its visit limit there'],
    notes: [
      passedOn('lang'),
      'the rule to https://apps.example.org/office is not imported: conditions of the type "ip-address" are not supported',
    ],
  },
  {
    from: 'shlink',
    file: 'shlinkio-shlink-web-component-0a59043.csv',
    answers: [['/guides/v1.2/start?a=1', 302, `${startUrl}?lang=en&a=1`]],
    refused: [expect.stringContaining('only A-Z, a-z, 0-9')],
    notes: [passedOn('lang')],
  },
  {
    from: 'kutt',
    file: 'thedevs-network-kutt-c8f9648.json',
    answers: [
      ['/Start_1', 302, `${startUrl}?lang=en#top`],
      ['/Start_1?a=1', 302, `${startUrl}?lang=en#top`],
    ],
    refused: ['it has a password there, but would be open to everybody here', 'it is banned there'],
  },
  {
    from: 'kutt',
    file: 'thedevs-network-kutt-0c310cc.json',
    sourceDomain: 'kutt.acme.example',
    answers: [['/start', 302, startUrl]],
    refused: ['it is on another domain, go.acme.example'],
  },
  {
    // For a link on the default domain, only `link.url` says the domain.
    from: 'kutt',
    file: 'thedevs-network-kutt-0c310cc.json',
    sourceDomain: 'go.acme.example',
    answers: [['/start', 302, 'https://docs.example.org/other']],
    refused: ['it is on another domain, kutt.acme.example'],
  },
  {
    from: 'yourls',
    file: 'YOURLS-YOURLS-00b96fd.json',
    answers: [
      ['/start?a=1', 301, `${startUrl}?lang=en&n=1`],
      ['/3', 301, 'https://www.example.org/a%20b'],
    ],
  },
  {
    from: 'yourls',
    file: 'GautamGupta-YOURLS-Import-Export-00f50ef.csv',
    answers: [
      ['/start', 301, `${startUrl}?a=1,2`],
      ['/3', 301, 'https://www.example.org/?q=%22x%22'],
    ],
  },
];

describe.for(exported)('The export $file', ({ from, file, sourceDomain, options, answers, refused = [], notes = [] }) => {
  test('Every address that is imported answers as at the other service, and the report names everything else.', async () => {
    const text = readFileSync(join(import.meta.dirname, '../../data/migration', file));
    const planned = planOf(rowsOf(text, formats[from]), formats[from], sourceDomain, options);
    expect(planned.flatMap(({ reason }) => reason ?? [])).toEqual(refused);
    expect(planned.flatMap(({ link, notes: said }) => (link ? said : []))).toEqual(notes);
    const entries = planned.flatMap(({ link }, position) => (link ? [{ position, link, leftOut: '' }] : []));
    vi.stubEnv('COUNTRIES', 'known');
    vi.stubEnv('COUNTRY_FROM', countryFromInEnvironment(localStage(3000).settings).COUNTRY_FROM ?? '');
    const { workspaceId, domain } = await store.newWorkspace();
    for (const name of new Set(planned.flatMap(({ link }) => link?.tags ?? []))) {
      await callEndpoint('create-tag', { workspaceId, body: { name, color: '#336699' } });
    }
    const created = await callEndpoint('bulk-create-links', {
      workspaceId,
      body: { domain: domain.host, links: bodyOf(entries) },
    });
    expect(created.body.failed).toEqual([]);
    const visit = await startVisits();
    for (const [path, status, location, headers = curl] of answers) {
      const answer = await visit({ host: domain.host, path, headers: { ...headers } });
      expect([path, answer.statusCode, answer.headers.Location]).toEqual([path, status, location]);
    }
  });
});
