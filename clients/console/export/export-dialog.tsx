import { useEffect, useState } from 'react';
import { clicksText, linkIds, linksText } from '../../migration/export.ts';
import { Dialog } from '../parts/dialog.tsx';
import { download } from '../parts/download.ts';
import { FailureNote } from '../parts/failure.tsx';
import { counted } from '../parts/time.ts';
import { toast } from '../parts/toasts.tsx';
import { type Filter, listQuery } from '../service/address.ts';
import { patientApi } from '../service/client.ts';

export type Wanted = {
  readonly what: 'links' | 'clicks';
  /** Of which links; undefined for all. */
  readonly filter: Filter | undefined;
};

/** How often the page shows how far it is. */
const shownEveryMs = 100;

/** Collects what is to be exported, page by page, and saves it as a file. Closing it ends the export. */
export function ExportDialog({ wanted, onClose }: { readonly wanted: Wanted; readonly onClose: () => void }) {
  const [written, setWritten] = useState(0);
  const [waits, setWaits] = useState('');
  const [failed, setFailed] = useState<unknown>();
  const [attempt, again] = useState(0);
  const { what, filter } = wanted;
  const one = what === 'links' ? 'link' : 'click';

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt starts anew
  useEffect(() => {
    const stopping = new AbortController();
    setFailed(undefined);
    setWritten(0);
    let shownAt = 0;
    collect(
      wanted,
      (count) => {
        if (Date.now() - shownAt < shownEveryMs) return;
        shownAt = Date.now();
        setWritten(count);
        setWaits('');
      },
      (seconds) => setWaits(` · next request in ${seconds} s`),
      stopping.signal,
    ).then(
      ({ blob, count }) => {
        if (stopping.signal.aborted) return;
        download(blob, `${what} ${new Date().toISOString().slice(0, 10)}.csv`);
        toast(`${counted(count, one)} exported.`, { tone: 'good' });
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
          {counted(written, one)} so far{waits}
        </p>
      )}
      <p className="actions end">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
}

async function collect(
  { what, filter }: Wanted,
  onCount: (count: number) => void,
  onWait: (seconds: number) => void,
  signal: AbortSignal,
): Promise<{ readonly blob: Blob; readonly count: number }> {
  const client = patientApi({ onWait, signal });
  const query = filter === undefined ? {} : listQuery(filter);
  let count = 0;
  const counts = () => onCount(++count);
  const texts =
    what === 'links'
      ? linksText(client, query, 'csv', counts)
      : clicksText(client, linkIds(client, query), { format: 'csv' }, counts);
  // As parts of a blob, so that a long export is not one long string.
  const parts: string[] = [];
  for await (const text of texts) parts.push(text);
  return { blob: new Blob(parts, { type: 'text/csv' }), count };
}
