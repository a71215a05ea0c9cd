import type { ReactNode } from 'react';
import { statusOf } from '../domains/status.ts';
import { useMembers } from '../members/list.ts';
import { shortAddress } from '../parts/actions.ts';
import type { IconName } from '../parts/icon-paths.ts';
import { Icon } from '../parts/icons.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { counted, shortTime } from '../parts/time.ts';
import { noFilter } from '../service/address.ts';
import { screenAddress } from '../service/location.ts';
import { useDomains, useMay } from '../service/queries.ts';
import { isOffered } from '../service/sign-in.ts';
import type { Link } from '../service/types.ts';
import { type Kind, kinds, soonDays, useTroubled } from './queries.ts';

const words: Readonly<Record<Kind, (link: Link) => string>> = {
  blocked: () => 'destination blocked',
  disabled: () => 'stopped by the operator',
  used_up: () => 'click limit reached',
  soon: ({ expiresAt }) => `expires ${shortTime(expiresAt ?? '')}`,
};
const manyWords: Readonly<Record<Kind, string>> = {
  blocked: 'destination blocked',
  disabled: 'stopped by the operator',
  used_up: 'click limit reached',
  soon: `expire within ${soonDays} days`,
};

/** At most this many links of a kind are named. */
const mostNamed = 3;

type Item = { readonly key: string; readonly icon: IconName; readonly what: ReactNode; readonly why: string };

/** What does not work, or soon will not, and where to fix it. */
export function Attention() {
  const maySeeDomains = useMay('domains:read');
  const domains = useDomains(maySeeDomains);
  const members = useMembers(useMay('members:write') && isOffered);
  const troubled = useTroubled();
  const ofDomains = (domains.data ?? []).flatMap((domain): Item[] => {
    const { icon, tone, word } = statusOf(domain);
    if (tone === 'good') return [];
    const to = { ...screenAddress('domains'), item: domain.domain };
    return [{ key: domain.domain, icon, what: <PageLink to={to}>{domain.domain}</PageLink>, why: word }];
  });
  const waiting = (members.data ?? []).filter(({ state }) => state === 'pending').length;
  const ofMembers: readonly Item[] =
    waiting === 0
      ? []
      : [
          {
            key: 'members',
            icon: 'members',
            what: <PageLink to={screenAddress('members')}>{counted(waiting, 'person', 'people')}</PageLink>,
            why: 'waiting for approval',
          },
        ];
  const items = [...ofDomains, ...ofMembers, ...(troubled.data ?? []).flatMap(itemsOf)];
  const isLoading = domains.isLoading || members.isLoading || troubled.isLoading;
  const hasFailed = domains.error !== null || members.error !== null || troubled.error !== null;
  const isWhole = !hasFailed && maySeeDomains && troubled.data?.every(({ isAll }) => isAll);
  const found = items.length === 0 ? 'Nothing' : 'No more';
  return (
    <section className="stats-panel" aria-labelledby="home-attention" aria-busy={isLoading}>
      <h2 id="home-attention">Needs attention</h2>
      <ul className="home-list">
        {items.map(({ key, icon, what, why }) => (
          <li key={key}>
            <Icon name={icon} />
            <span className="cut">{what}</span>
            <span className="small">{why}</span>
          </li>
        ))}
      </ul>
      {isLoading ? (
        <p className="small">Looking…</p>
      ) : !isWhole ? (
        <p className="small">{found} so far. Some checks failed, so this list may not be complete.</p>
      ) : (
        items.length === 0 && <p className="small">Nothing right now.</p>
      )}
    </section>
  );
}

/** A few links by name, many by their number. If a search has not covered all links, the text says "at least". */
function itemsOf({
  kind,
  links,
  isAll,
}: {
  readonly kind: Kind;
  readonly links: readonly Link[];
  readonly isAll: boolean;
}): Item[] {
  const icon = kind === 'soon' ? 'clock' : 'stop';
  if (links.length <= mostNamed && isAll) {
    return links.map((link) => ({
      key: link.id,
      icon,
      what: <PageLink to={{ ...screenAddress('links'), linkId: link.id }}>{link.title ?? shortAddress(link.shortUrl)}</PageLink>,
      why: words[kind](link),
    }));
  }
  if (links.length === 0) return [];
  const text = `${isAll ? '' : 'At least '}${counted(links.length, 'link')}`;
  const to = { ...screenAddress('links'), filter: { ...noFilter, ...kinds[kind] } };
  return [{ key: kind, icon, what: <PageLink to={to}>{text}</PageLink>, why: manyWords[kind] }];
}
