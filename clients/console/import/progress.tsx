import { useEffect, useRef } from 'react';
import { foldTagName } from '../../../lambdas/core/tag/tag.ts';
import { countsOf, reportOf } from '../../migration/report.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { downloadCsv } from '../parts/download.ts';
import { FailureNote } from '../parts/failure.tsx';
import { useChange } from '../parts/kit/change.tsx';
import { Group } from '../parts/kit/group.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { count, counted } from '../parts/time.ts';
import { noFilter } from '../service/address.ts';
import { screenAddress } from '../service/location.ts';
import { useTags } from '../service/queries.ts';
import { forget, goOn, type Job, pause } from './job.ts';
import { reportName } from './planned.ts';

type ActiveJob = Extract<Job, { readonly kept: object }>;

const mostRefused = 50;

const headings: Record<ActiveJob['state'], string> = {
  running: 'Importing',
  pausing: 'Pausing after the current request',
  paused: 'Paused',
  failed: 'Interrupted',
  elsewhere: 'Importing in another tab',
  done: 'Done',
};

/** The progress of an import, and in the end the outcome of each row. */
export function Progress({ job, hasPasted }: { readonly job: ActiveJob; readonly hasPasted: boolean }) {
  const { state, kept, done, results, waits, failure } = job;
  const { rows, tags = [] } = kept;
  const total = rows.length;
  const { created, existing, refused } = countsOf(results);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const quarter = Math.floor((done / total) * 4);
  useEffect(() => {
    if (state === 'running' && quarter > 0) announce(`${quarter * 25} % imported`);
    else if (state !== 'running') announce(headings[state]);
  }, [state, quarter]);
  const change = useChange(undefined);
  const run = (work: () => Promise<void>) => () =>
    change.run(async () => {
      await work();
      return {};
    });
  const isActive = state === 'running' || state === 'pausing';
  return (
    <section className="stack wide-gap" aria-label="Progress">
      <h2 ref={heading} tabIndex={-1}>
        {headings[state]}: <bdi>{kept.fileName}</bdi>
      </h2>
      <p>
        To <bdi className="mono">{kept.domain}</bdi>
        {tags.length > 0 && (
          <>
            {' '}
            with the {tags.length > 1 ? 'tags' : 'tag'} <bdi>{tags.join(', ')}</bdi>
          </>
        )}
      </p>
      <progress max={total} value={done} aria-label="Rows done" />
      <p>
        {count(done)} of {counted(total, 'row')} · {count(created)} created · {count(existing)} already existed · {count(refused)}{' '}
        refused
        {waits !== undefined && ` · too many requests, next in ${waits} s`}
      </p>
      {state === 'running' && <p className="small">You can reload or close this page: the import goes on when you come back.</p>}
      {state === 'elsewhere' && <p className="small">If you close the other tab, the import goes on here.</p>}
      {failure && <FailureNote error={failure} what="The import was interrupted." permission="links:write" />}
      {change.note}
      <p className="actions">
        {isActive && (
          <Button disabled={state === 'pausing'} onClick={run(pause)}>
            Pause
          </Button>
        )}
        {(state === 'paused' || state === 'failed') && (
          <>
            <Button kind="primary" onClick={run(goOn)}>
              Resume
            </Button>
            <Button onClick={run(forget)}>End the import</Button>
          </>
        )}
        {state === 'done' && (
          <>
            {created + existing > 0 && (
              <CopyButton text={addressesOf(results)} what="short links" label="Copy short links" isPrimary={!hasPasted} />
            )}
            <Button kind={hasPasted ? 'primary' : 'plain'} onClick={run(forget)}>
              {hasPasted ? 'Continue with the pasted addresses' : 'Import another file'}
            </Button>
            <ShowLinks names={tags} domain={kept.domain} />
          </>
        )}
        {results.length > 0 && (
          <Button onClick={() => downloadCsv([reportOf(results, kept.dialect)], reportName(kept.fileName))}>
            Download report
          </Button>
        )}
      </p>
      {state === 'done' && tags.length === 0 && created > 0 && (
        <p className="small">
          These links have no tag of their own, so the list cannot show only them. The report names each one.
        </p>
      )}
      {refused > 0 && !isActive && <Refused job={job} refused={refused} />}
    </section>
  );
}

/** A line for each row, so that they fit beside the rows in a spreadsheet: empty if the row has no link. */
const addressesOf = (results: ActiveJob['results']): string => results.map(({ shortUrl }) => shortUrl).join('\n');

/** Opens the list of an import's links, which only tags distinguish from others. */
function ShowLinks({ names, domain }: { readonly names: readonly string[]; readonly domain: string }) {
  const all = useTags().data ?? [];
  const tags = names.flatMap((name) => all.find((one) => foldTagName(one.name) === foldTagName(name))?.id ?? []);
  if (tags.length === 0) return null;
  return (
    <PageLink
      className="button"
      to={{ ...screenAddress('links'), filter: { ...noFilter, domain, tags, match: tags.length > 1 ? 'all' : 'any' } }}
    >
      Show the links with {tags.length > 1 ? 'these tags' : 'this tag'}
    </PageLink>
  );
}

function Refused({ job: { results }, refused }: { readonly job: ActiveJob; readonly refused: number }) {
  return (
    <Group title={`${counted(refused, 'row')} refused`} isFirst={refused <= 5}>
      <ul className="problems">
        {results
          .filter(({ outcome }) => outcome === 'refused')
          .slice(0, mostRefused)
          .map(({ row, reason }) => (
            <li key={row.line}>
              Row {count(row.line)}
              {row.source.slug && (
                <>
                  , <bdi className="mono">{row.source.slug}</bdi>
                </>
              )}
              : {reason}.
            </li>
          ))}
        {refused > mostRefused && <li>{count(refused - mostRefused)} more are in the report.</li>}
      </ul>
    </Group>
  );
}
