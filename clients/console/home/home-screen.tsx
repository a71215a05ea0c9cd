import { useState } from 'react';
import { shortAddress } from '../parts/actions.ts';
import { FailureNote } from '../parts/failure.tsx';
import { ClickLine } from '../parts/link/click-line.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { count, shortTime } from '../parts/time.ts';
import { noFilter } from '../service/address.ts';
import { screenAddress } from '../service/location.ts';
import { useMay } from '../service/queries.ts';
import type { Me } from '../service/types.ts';
import { linkBars, Panel } from '../statistics/bars.tsx';
import { Change } from '../statistics/figures.tsx';
import { type Asked, useAsked, useStats, useStatsBefore, useTopLinks } from '../statistics/queries.ts';
import { plainView } from '../statistics/view.ts';
import { comparedName } from '../statistics/words.ts';
import { Attention } from './attention.tsx';
import { Checklist } from './checklist.tsx';
import { useNewest } from './queries.ts';

const mostShown = 5;
const view = plainView;

/** How the workspace is doing, at a glance. Its numbers are those of the statistics. */
export function HomeScreen({ me }: { readonly me: Me }) {
  const newest = useNewest();
  const links = newest.data?.pages.flatMap((page) => page.links) ?? [];
  const maySee = useMay('stats:read');
  // The 30 days with which the statistics begin, up to when somebody opened this screen.
  const [now] = useState(Date.now);
  const asked = useAsked(view, now);
  const isNew = newest.data !== undefined && !newest.hasNextPage;
  return (
    <section className="screen" aria-label="Home">
      <h1>
        <bdi>{me.workspace.name}</bdi>
      </h1>
      {isNew && (
        <Checklist
          workspaceId={me.workspace.id}
          links={links.length}
          hasClicks={links.some(({ clickCount }) => clickCount > 0)}
        />
      )}
      {maySee && <Clicks asked={asked} />}
      <div className="home-columns">
        {maySee && <Best asked={asked} />}
        <div className="home-side">
          <Attention />
          <section className="stats-panel" aria-labelledby="home-newest">
            <h2 id="home-newest">Newest links</h2>
            {newest.error && <FailureNote error={newest.error} permission="links:read" onRetry={() => void newest.refetch()} />}
            {newest.data && links.length === 0 && <p className="small">None yet.</p>}
            <ul className="home-list">
              {links.slice(0, mostShown).map((link) => (
                <li key={link.id}>
                  <PageLink to={{ ...screenAddress('links'), linkId: link.id }} className="cut">
                    <bdi>{link.title ?? shortAddress(link.shortUrl)}</bdi>
                  </PageLink>
                  <bdi className="cut small">{shortAddress(link.url)}</bdi>
                  <span className="small">{shortTime(link.createdAt)}</span>
                </li>
              ))}
            </ul>
            <p>
              <PageLink to={screenAddress('links')}>All links</PageLink>
            </p>
          </section>
        </div>
      </div>
    </section>
  );
}

type PartProps = { readonly asked: Asked };

function Clicks({ asked }: PartProps) {
  const stats = useStats(view, asked, []);
  const { data: before } = useStatsBefore(view, asked);
  return (
    <section className="stats-panel" aria-labelledby="home-clicks">
      <div className="screen-head">
        <h2 id="home-clicks">Clicks in the last 30 days</h2>
        <PageLink to={screenAddress('statistics')}>Statistics</PageLink>
      </div>
      {stats.error && !stats.data ? (
        <FailureNote error={stats.error} permission="stats:read" onRetry={() => void stats.refetch()} />
      ) : (
        <div className="home-clicks" aria-busy={stats.isPending}>
          <div className="figure">
            <span className="figure-value">{stats.data ? count(stats.data.total) : '–'}</span>
            {stats.data && before && asked.before ? (
              <Change
                now={stats.data.total}
                before={before.total}
                compared={`compared with ${comparedName(asked.before, asked.zone)}`}
              />
            ) : (
              <span className="figure-change" />
            )}
          </div>
          <ClickLine clicks={stats.data?.series.map(({ clicks }) => clicks) ?? []} />
        </div>
      )}
    </section>
  );
}

function Best({ asked }: PartProps) {
  const top = useTopLinks(view, asked);
  const stats = useStats(view, asked, []);
  const links = top.data?.pages[0]?.links.slice(0, mostShown) ?? [];
  const isEmpty = top.data !== undefined && links.length === 0;
  return (
    <Panel
      title="Top links"
      bars={linkBars(links, view, asked.before !== undefined)}
      total={stats.data?.total ?? 0}
      more={
        isEmpty ? (
          <span className="small">No clicks yet.</span>
        ) : (
          <PageLink to={{ ...screenAddress('links'), filter: { ...noFilter, sort: 'clicks', range: '30d' } }}>
            All links by clicks
          </PageLink>
        )
      }
    />
  );
}
