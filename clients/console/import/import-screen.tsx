import { useEffect } from 'react';
import type { Me } from '../service/types.ts';
import { findImport, useJob } from './job.ts';
import { Prepare } from './prepare.tsx';
import { Progress } from './progress.tsx';

/** Brings links from other services, or from a file of this one, into the workspace. */
export function ImportScreen({ me }: { readonly me: Me }) {
  const job = useJob();
  useEffect(() => void findImport(me.workspace.id), [me.workspace.id]);
  return (
    <div className="screen">
      <h1>Import</h1>
      {'kept' in job ? <Progress job={job} /> : job.state === 'none' ? <Prepare me={me} /> : null}
    </div>
  );
}
