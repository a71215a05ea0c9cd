import { useEffect, useState } from 'react';
import { clicksOf, clicksOfLinks, clicksText, type LinkFilter, linkIds, linksText } from '../../migration/export.ts';
import { Button } from '../parts/button.tsx';
import { downloadCsv } from '../parts/download.ts';
import { FailureNote } from '../parts/failure.tsx';
import { Dialog } from '../parts/kit/dialog.tsx';
import { toast } from '../parts/toasts.tsx';
import { patientApi } from '../service/client.ts';
import { useMe } from '../service/queries.ts';
import { type Counts, doneText, keptText, progressText } from './words.ts';

export type Wanted = {
  readonly what: 'links' | 'clicks';
  /** Which links; undefined for all. */
  readonly filter: (() => Promise<LinkFilter>) | undefined;
};

/** How often the page shows the progress. */
const shownEveryMs = 100;

/** Collects what is to be exported, page by page, and saves it as a file. Closing it ends the export. */
export function ExportDialog({ wanted, onClose }: { readonly wanted: Wanted; readonly onClose: () => void }) {
  const [written, setWritten] = useState<Counts>({ count: 0, links: 0 });
  const [waits, setWaits] = useState('');
  const [failed, setFailed] = useState<unknown>();
  const [attempt, again] = useState(0);
  const { what, filter } = wanted;
  const days = useMe().data?.limits.clickDays;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt exports everything again
  useEffect(() => {
    const stopping = new AbortController();
    setFailed(undefined);
    setWritten({ count: 0, links: 0 });
    let shownAt = 0;
    collect(
      wanted,
      (counts) => {
        if (Date.now() - shownAt < shownEveryMs) return;
        shownAt = Date.now();
        setWritten(counts);
        setWaits('');
      },
      (seconds) => setWaits(` · next request in ${seconds} s`),
      stopping.signal,
    ).then(
      ({ texts, counts }) => {
        if (stopping.signal.aborted) return;
        downloadCsv(texts, `${what} ${new Date().toISOString().slice(0, 10)}.csv`);
        toast(doneText(what, counts, days), { tone: 'good' });
        onClose();
      },
      (error: unknown) => stopping.signal.aborted || setFailed(error),
    );
    return () => stopping.abort();
  }, [attempt]);

  return (
    <Dialog title={`Export ${filter ? `the ${what} as shown` : `all ${what}`}`} onClose={onClose}>
      {failed !== undefined ? (
        <FailureNote
          error={failed}
          what="The export is not complete."
          permission={what === 'links' ? 'links:read' : 'stats:read'}
          onRetry={() => again(attempt + 1)}
        />
      ) : (
        <p role="status">
          {progressText(what, written)}
          {waits}
        </p>
      )}
      {what === 'clicks' && days !== undefined && <p className="small">{keptText(days)}</p>}
      <p className="actions end">
        <Button onClick={onClose}>Cancel</Button>
      </p>
    </Dialog>
  );
}

async function collect(
  { what, filter }: Wanted,
  onCount: (counts: Counts) => void,
  onWait: (seconds: number) => void,
  signal: AbortSignal,
): Promise<{ readonly texts: readonly string[]; readonly counts: Counts }> {
  const client = patientApi({ onWait, signal });
  const query = filter === undefined ? {} : { archived: 'false' as const, ...(await filter()) };
  const links = new Set<string>();
  let counts: Counts = { count: 0, links: 0 };
  const wrote = () => {
    counts = { count: counts.count + 1, links: links.size };
    onCount(counts);
  };
  const texts =
    what === 'links'
      ? linksText(client, query, 'csv', wrote)
      : clicksText(filter ? clicksOfLinks(client, linkIds(client, query)) : clicksOf(client, {}), 'csv', ({ linkId }) => {
          links.add(linkId);
          wrote();
        });
  // In parts, so that a long export is not one long string.
  const parts: string[] = [];
  for await (const text of texts) parts.push(text);
  return { texts: parts, counts };
}
