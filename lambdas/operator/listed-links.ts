import { destinationHost } from '../core/link/destination.ts';
import { destinationsOf } from '../core/link/link.ts';
import type { Report } from '../core/report/report.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { listDomains } from '../store/domains/domains.ts';
import { listLinks } from '../store/links/list.ts';
import { reportIdOf } from '../store/reports/report-ids.ts';
import { listWorkspaces } from '../store/workspaces/workspaces.ts';
import { readWholeList } from './listed-hosts.ts';
import { fileReport } from './reports.ts';

/** A link or a domain, with its destinations. */
type Leading = Pick<Report, 'domain' | 'linkId' | 'slug'> & { readonly urls: readonly string[] };

/** How many links and domains were checked, and how many of them lead to hosts on the list. */
export type Rescan = { readonly links: number; readonly domains: number; readonly listed: number };

/** How many reports are filed at a time. */
const atOnce = 16;

/**
 * Looks for links and domains that lead to a host on the list of harmful ones, and reports each to the operator, once
 * for each name on the list. Nothing is blocked, because harmless sites may share such a host.
 *
 * It reads the list once, and every link, 100 at a time.
 *
 * @param now in milliseconds since 1970.
 * @param onWorkspace called before each workspace.
 */
export async function reportListedLinks(now: number, onWorkspace: (workspaceId: string) => void): Promise<Rescan> {
  const found = { links: 0, domains: 0, listed: 0 };
  const createdAt = new Date(now).toISOString();
  const nameFor = await readWholeList();
  const look = (leading: readonly Leading[]) =>
    inParallel(leading, atOnce, async ({ urls, ...about }) => {
      const byName = new Map<string, string>();
      for (const url of urls) {
        const name = nameFor(destinationHost(url));
        if (name !== undefined && !byName.has(name)) byName.set(name, url);
      }
      if (byName.size > 0) found.listed++;
      for (const [reason, url] of byName) {
        const id = reportIdOf('listed', about.linkId ?? about.domain, reason);
        await fileReport({ id, kind: 'listed', ...about, url, reason, createdAt });
      }
    });
  for (const { id } of await listWorkspaces()) {
    onWorkspace(id);
    const domains = await listDomains(id);
    found.domains += domains.length;
    await look(
      domains.map((domain) => ({
        domain: domain.host,
        linkId: null,
        slug: null,
        urls: 'rootUrl' in domain ? [domain.rootUrl, domain.notFoundUrl, domain.expiredUrl].filter((url) => url !== null) : [],
      })),
    );
    let after: string | undefined;
    do {
      const { links, next } = await listLinks(id, { archived: 'any' }, { limit: 100, after });
      found.links += links.length;
      await look(
        links.map(({ link }) => ({
          domain: link.domain,
          linkId: link.id,
          slug: link.shortCode,
          urls: destinationsOf(link).map(({ url }) => url),
        })),
      );
      after = next;
    } while (after !== undefined);
  }
  return found;
}
