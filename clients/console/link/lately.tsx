import { useQuery } from '@tanstack/react-query';
import { actorName } from '../parts/actor.ts';
import { Button } from '../parts/button.tsx';
import { ClickLine } from '../parts/link/click-line.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { count, counted, fullTime, ownZone, shortTime } from '../parts/time.ts';
import { api } from '../service/client.ts';
import { addressAbout } from '../service/location.ts';
import { useMay } from '../service/queries.ts';
import type { Link } from '../service/types.ts';
import { labelOf } from './fields/fields.ts';

// A link's recent activity: its clicks of 30 days, and its last change.

/** The clicks of the last 30 days, for people who may see them. */
function useRecentClicks(link: Link) {
  const may = useMay('stats:read');
  const query = useQuery({
    queryKey: ['link', link.id, 'recent clicks'],
    queryFn: async ({ signal }) => {
      // The API's default range is these 30 days.
      const params = { path: { id: link.id }, query: { interval: 'day', timezone: ownZone() } } as const;
      return (await api.GET('/api/v1/links/{id}/stats', { params, signal })).data;
    },
    staleTime: 60_000,
    enabled: may,
  });
  return { may, ...query };
}

/** The link's click count and last click. */
export function Figures({ link }: { readonly link: Link }) {
  const { may, data } = useRecentClicks(link);
  const { clickCount, lastClickedAt } = link;
  return (
    <dl className="panel-figures">
      <div>
        <dt>Clicks</dt>
        <dd>{count(clickCount)}</dd>
      </div>
      {may && (
        <div>
          <dt>Last 30 days</dt>
          <dd>{data ? count(data.total) : '–'}</dd>
        </div>
      )}
      <div>
        <dt>Last click</dt>
        <dd title={lastClickedAt ? fullTime(lastClickedAt) : undefined}>
          {lastClickedAt ? shortTime(lastClickedAt) : 'None yet'}
        </dd>
      </div>
    </dl>
  );
}

/** The clicks of a link in the last 30 days, as a line. Its statistics have the numbers as a table. */
export function RecentClicks({ link }: { readonly link: Link }) {
  const { may, data, error, refetch } = useRecentClicks(link);
  if (!may) return null;
  return (
    <section className="recent" aria-label="Last 30 days">
      <p className="recent-head">
        <span>Last 30 days</span>
        <PageLink to={addressAbout('statistics', link.id)}>Statistics</PageLink>
      </p>
      {error && !data ? (
        <p className="small" role="alert">
          Clicks could not be loaded.{' '}
          <Button kind="link" onClick={refetch}>
            Try again
          </Button>
        </p>
      ) : data?.total === 0 ? (
        <p className="small">{link.clickCount === 0 ? 'No clicks yet.' : 'No clicks in this time.'}</p>
      ) : (
        <ClickLine clicks={data?.series.map(({ clicks }) => clicks) ?? []} />
      )}
    </section>
  );
}

/** Who changed the link last, and what. */
export function LastChange({ link }: { readonly link: Link }) {
  const may = useMay('history:read');
  const { data } = useQuery({
    queryKey: ['last change', link.id],
    queryFn: async ({ signal }) => {
      const params = { path: { id: link.id }, query: { limit: 1 } };
      return (await api.GET('/api/v1/links/{id}/history', { params, signal })).data;
    },
    enabled: may,
  });
  const entry = data?.entries[0];
  if (!entry) return null;
  const { action, changes, at } = entry;
  const names = Object.keys(changes).map((name) => `“${labelOf(name)}”`);
  const what =
    action === 'link.created'
      ? 'created it'
      : action === 'link.clicks_erased'
        ? 'erased its clicks'
        : names.length === 1 && changes.isArchived
          ? changes.isArchived.to === true
            ? 'archived it'
            : 'took it out of the archive'
          : names.length === 1 && changes.isActive
            ? `switched it ${changes.isActive.to === true ? 'on' : 'off'}`
            : names.length > 2
              ? `changed ${counted(names.length, 'field')}`
              : `changed ${names.join(' and ') || 'it'}`;
  return (
    <p className="small last-change">
      <bdi>{actorName(entry)}</bdi> {what} <time title={fullTime(at)}>{shortTime(at)}</time> ·{' '}
      <PageLink to={addressAbout('history', link.id)}>History</PageLink>
    </p>
  );
}
