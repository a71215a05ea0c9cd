import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { bodyOf } from '../../../clients/migration/chunks.ts';
import { type FormatName, formats } from '../../../clients/migration/formats.ts';
import { type PlanOptions, planOf } from '../../../clients/migration/plan.ts';
import { rowsOf } from '../../../clients/migration/read.ts';
import { callEndpoint } from '../../support/http/invoke.ts';
import { runs } from '../../support/run/proof.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { curl, startVisits } from '../../support/things/visit.ts';

// The answers of other services, rewritten from their code at these commits. None of them keeps the order of
// parameters, so their `Location`s are compared without it.

/** A visit of an address: its query, and its path behind the slug. */
type Asked = { readonly query: string; readonly behind: string };

type Rival = {
  readonly from: FormatName;
  /** The row of a link in its export. */
  readonly row: (slug: string, url: string, index: number) => object;
  /** The `Location` that it sends to a visitor. */
  readonly location: (url: string, asked: Asked) => URL;
  readonly status: number;
  readonly options?: PlanOptions;
};

/** Sets each parameter of a query in the destination's, which replaces one of the same name. */
function withParameters(url: string, query: string): URL {
  const made = new URL(url);
  for (const [name, value] of new URLSearchParams(query)) made.searchParams.set(name, value);
  return made;
}

const domain = 's.acme.example';

const rivals: readonly Rival[] = [
  // dubinc/dub at 0434ad6228c951c11ecf1a9ce906d52da4e5c249, apps/web/lib/middleware/utils/get-final-url.ts
  {
    from: 'dub',
    row: (key, url) => ({ domain, key, url, shortLink: `https://${domain}/${key}`, tags: [] }),
    location: (url, { query }) => withParameters(url, query),
    status: 302,
  },
  // shlinkio/shlink at 1ed6458b39dad70b41a76fdc46f4bec195c0caea, ShortUrlRedirectionBuilder.php; and at
  // 02e48ae665952a633b1cf370b6eae6cf23e3c2ba, ExtraPathRedirectMiddleware.php, which drops slashes at the end. A destination
  // that ends in a slash gets two of them there, and one here: docs/import.md says so
  {
    from: 'shlink',
    row: (shortCode, longUrl, index) => ({
      shortCode,
      longUrl,
      shortUrl: `https://${domain}/${shortCode}`,
      ...(index % 2 === 0 && { forwardQuery: index % 4 === 0 }),
    }),
    location: (url, { query, behind }) => {
      const made = withParameters(url, query);
      if (behind !== '') made.pathname = `${made.pathname.replace(/\/$/, '')}/${behind}`;
      return made;
    },
    status: 302,
    options: { forwardPath: true },
  },
  // thedevs-network/kutt at 0c310ccb53ea4676f90a738e69531897cee1d925, server/handlers/links.handler.js (redirect)
  {
    from: 'kutt',
    row: (address, target) => ({ address, target, link: `https://${domain}/${address}`, domain, password: false, banned: false }),
    location: (url) => new URL(url),
    status: 302,
  },
  // YOURLS/YOURLS, includes/functions.php (yourls_redirect_shorturl, since 1.7.3)
  {
    from: 'yourls',
    row: (keyword, url) => ({ keyword, url, title: '', timestamp: '2024-02-03 04:05:06', ip: '192.0.2.1', clicks: '1' }),
    location: (url) => new URL(url),
    status: 301,
  },
];

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

/** The plan for the rows of an export. */
const plannedOf = ({ from, options }: Rival, rows: readonly object[]) =>
  planOf(rowsOf(Buffer.from(JSON.stringify(rows)), formats[from]), formats[from], undefined, options);

/** Imports rows, and returns their plans and how to visit the links. */
async function imported(rival: Rival, rows: readonly object[]) {
  const { workspaceId, domain: own } = await store.newWorkspace();
  const planned = plannedOf(rival, rows);
  const entries = planned.flatMap(({ link }, position) => (link ? [{ position, link, leftOut: '' }] : []));
  const { body } = await callEndpoint('bulk-create-links', { workspaceId, body: { domain: own.host, links: bodyOf(entries) } });
  expect(body.failed).toEqual([]);
  const visit = await startVisits();
  const open = (path: string) => visit({ host: own.host, path, headers: curl });
  return { planned, open };
}

/** Slugs with slashes and dots. */
const slug = fc
  .array(fc.stringMatching(/^[a-zA-Z0-9_-]{1,6}(\.[a-z0-9]{2,4})?$/), { minLength: 1, maxLength: 4 })
  .map((parts) => `s-${parts.join('/')}`)
  .filter((text) => !/\.svg$/i.test(text));
const parameter = (names: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...names), fc.stringMatching(/^[a-z0-9~%ü+&=.-]{0,6}$/))
    .map(([name, value]): [string, string] => [name, value]);
const parameters = (...names: string[]) =>
  fc
    .uniqueArray(parameter(names), { selector: ([name]) => name, maxLength: 3 })
    .map((pairs) => new URLSearchParams(pairs).toString());
const url = fc
  .tuple(
    fc.constantFrom('https://example.org', 'http://www.example.net:8080', 'https://EXAMPLE.com'),
    fc.webPath(),
    parameters('utm_source', 'own', 'x y'),
    fc.constantFrom('', '#part'),
  )
  .map(([origin, path, query, hash]) => `${origin}${path}${query && `?${query}`}${hash}`);
const asked = fc.record({
  query: parameters('utm_medium', 'a', 'b c'),
  behind: fc.constantFrom('', '', 'more', 'more/path.html'),
});

/** The parts that two addresses must have in common. */
const partsOf = ({ origin, pathname, hash, searchParams }: URL) => [origin, pathname, hash, [...searchParams].sort()];

describe.for(rivals)('The links of $from', (rival) => {
  test("Every imported address answers with the Location that the other service's code would send.", async () => {
    const links = fc.uniqueArray(fc.record({ slug, url, asked }), {
      selector: (link) => link.slug.toLowerCase(),
      minLength: 12,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(links, async (all) => {
        const rows = all.map((link, index) => rival.row(link.slug, link.url, index));
        const { planned, open } = await imported(rival, rows);
        expect(planned.map(({ reason }) => reason)).toEqual(all.map(() => undefined));
        for (const [index, link] of all.entries()) {
          const takesPath = planned[index]?.link?.own?.forwardPath === true;
          // A path that is a link of its own is another address.
          const behind = takesPath && !all.some((other) => other.slug.startsWith(`${link.slug}/`)) ? link.asked.behind : '';
          const query = (rows[index] as { forwardQuery?: boolean }).forwardQuery === false ? '' : link.asked.query;
          const wanted = rival.location(link.url, { query, behind });
          const answer = await open(`/${link.slug}${behind && `/${behind}`}?${link.asked.query}`);
          expect([answer.statusCode, partsOf(new URL(String(answer.headers.Location)))]).toEqual([rival.status, partsOf(wanted)]);
        }
      }),
      { numRuns: runs(3) },
    );
  });

  test('Slugs with Unicode, or with another meaning in a path here, are refused with the reason.', () => {
    const slugs = ['café', 'a.q', 'a/../b', '.well-known/a', 'api', 'x'.repeat(191)];
    const planned = plannedOf(
      rival,
      slugs.map((one, index) => rival.row(one, 'https://example.org/', index)),
    );
    expect(planned.map(({ link, reason }) => link ?? reason)).toEqual(
      ['only A-Z', 'must not end in', 'have no part', 'have no part', 'is reserved', '1 to 190'].map((text) =>
        expect.stringContaining(text),
      ),
    );
  });
});
