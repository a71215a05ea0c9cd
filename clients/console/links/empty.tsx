import { useQuery } from '@tanstack/react-query';
import { Button } from '../parts/button.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { type Filter, isFiltered, listQuery, noFilter } from '../service/address.ts';
import { go, screenAddress } from '../service/location.ts';
import { servedOf } from '../service/new-links.ts';
import { useDomains, useMay } from '../service/queries.ts';
import { linkPage } from './list.ts';

type EmptyProps = {
  readonly filter: Filter;
  /** The code with which the service refused the list; undefined if there are no links. */
  readonly refused: string | undefined;
};

/** What to do if there are no links to show. */
export const Empty = ({ filter, refused }: EmptyProps) => (
  <div className="empty">
    {refused === 'too_much_to_read' ? (
      <>
        <p>There are too many clicks to sort by. Choose fewer days, or filter by a domain or by tags that fewer links have.</p>
        {filter.range !== '30d' && (
          <Button onClick={() => go({ filter: { ...filter, range: '30d' } })}>Count only 30 days</Button>
        )}
        <Button onClick={() => go({ filter: { ...filter, sort: undefined, range: '', order: 'desc' } })}>
          Show the newest links first
        </Button>
      </>
    ) : isFiltered(filter) ? (
      <>
        <p>
          {refused === undefined ? 'No links match.' : 'No links match, because a filter names something that no longer exists.'}
        </p>
        <Button onClick={() => go({ filter: noFilter })}>Clear filters</Button>
      </>
    ) : (
      <FirstStep />
    )}
  </div>
);

const archive = { ...noFilter, isArchived: true };

/** The next step of a workspace without links: its archive, a domain, or a link. */
function FirstStep() {
  const domains = useDomains();
  const archived = useQuery({
    queryKey: ['link', 'archived'],
    queryFn: async ({ signal }) => (await linkPage(listQuery(archive), undefined, signal)).links.length > 0,
  });
  const mayWrite = useMay('links:write');
  const hasDomain = !domains.data || servedOf(domains.data).length > 0;
  if (archived.isPending) return null;
  if (archived.data) {
    return (
      <>
        <p>All links are archived. They still work.</p>
        <Button kind="primary" onClick={() => go({ filter: archive })}>
          Show archived links
        </Button>
      </>
    );
  }
  if (!mayWrite) return <p>No links yet.</p>;
  return (
    <>
      <p>{hasDomain ? 'No links yet. Paste an address above, and press Shorten.' : 'Short links need a domain.'}</p>
      <PageLink to={screenAddress(hasDomain ? 'new' : 'domains')} className="button primary">
        {hasDomain ? 'New link' : 'Add a domain'}
      </PageLink>
    </>
  );
}
