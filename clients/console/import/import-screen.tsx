import { useEffect, useRef } from 'react';
import { usePasted } from '../service/pasted.ts';
import type { Me } from '../service/types.ts';
import { findImport, forget, useJob } from './job.ts';
import { Prepare } from './prepare.tsx';
import { Progress } from './progress.tsx';

/** Imports links from other services, or from this one's export, into the workspace. */
export function ImportScreen({ me }: { readonly me: Me }) {
  const job = useJob();
  const pasted = usePasted();
  useEffect(() => void findImport(me.workspace.id), [me.workspace.id]);
  // Pasted addresses replace a finished import, unless it ended while they waited: then nobody has seen its report.
  const hasWaited = useRef(false);
  if (pasted === undefined) hasWaited.current = false;
  else if ('kept' in job && job.state !== 'done') hasWaited.current = true;
  const givesWay = pasted !== undefined && job.state === 'done' && !hasWaited.current;
  useEffect(() => {
    if (givesWay) forget().catch(() => {});
  }, [givesWay]);
  return (
    <div className="screen">
      <h1>Import</h1>
      {'kept' in job && pasted !== undefined && (
        <p className="notice" role="status">
          The addresses that you pasted will open here when you end this import.
        </p>
      )}
      {'kept' in job ? (
        <Progress job={job} hasPasted={pasted !== undefined} />
      ) : job.state === 'none' ? (
        <Prepare me={me} />
      ) : null}
    </div>
  );
}
