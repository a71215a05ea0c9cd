import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemError } from '../../typescript/problem.ts';
import { FailureNote } from '../parts/failure.tsx';
import { Dialog } from '../parts/kit/dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { fullTime, shortTime } from '../parts/time.ts';
import { queries } from '../service/queries.ts';
import { signOut } from '../service/session.ts';
import { endSession, listSessions } from '../service/sign-in.ts';

const queryKey = ['sessions'];

/** Where the person is signed in. They end one session, or all. */
export function Sessions({ onClose }: { readonly onClose: () => void }) {
  const sessions = useQuery({ queryKey, queryFn: listSessions, staleTime: 0 });
  const [ending, setEnding] = useState<string>();
  const [error, setError] = useState<unknown>();
  const end = async (id: string) => {
    setEnding(id);
    setError(undefined);
    try {
      await endSession(id);
    } catch (caught) {
      // It has ended by itself, or the answer of an earlier attempt was lost.
      if (!(caught instanceof ProblemError && caught.status === 404)) setError(caught);
    }
    await queries.invalidateQueries({ queryKey });
    setEnding(undefined);
  };
  return (
    <Dialog title="Where you are signed in" onClose={onClose}>
      <Loaded query={sessions} what="Your sessions" permission="">
        {(list) => (
          <ul className="entries">
            {list.map(({ id, createdAt, endsAt, isCurrent }) => (
              <li key={id} className="entry">
                <div className="entry-main">
                  <span>Signed in {fullTime(createdAt)}</span>
                  <span className="small">Ends {shortTime(endsAt)}</span>
                </div>
                <div className="entry-side">
                  {isCurrent ? (
                    <span className="badge">This browser</span>
                  ) : (
                    <button
                      type="button"
                      className="button"
                      disabled={ending !== undefined}
                      aria-label={`End the session of ${fullTime(createdAt)}`}
                      onClick={() => void end(id)}
                    >
                      End
                    </button>
                  )}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {error !== undefined && <FailureNote error={error} what="The session could not be ended." />}
      <p className="small">If you do not know one of them, end it. What it may do ends within a minute.</p>
      <p className="actions">
        <button type="button" className="button" onClick={() => void signOut('everywhere')}>
          Sign out everywhere
        </button>
      </p>
    </Dialog>
  );
}
