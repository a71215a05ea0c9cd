import { useQuery } from '@tanstack/react-query';
import { Button } from '../parts/button.tsx';
import { useChange } from '../parts/kit/change.tsx';
import { Dialog } from '../parts/kit/dialog.tsx';
import { Entry } from '../parts/kit/entry.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { fullTime, shortTime } from '../parts/time.ts';
import { deleteSurely } from '../service/patience.ts';
import { queries } from '../service/queries.ts';
import { signOut } from '../service/session.ts';
import { endSession, listSessions } from '../service/sign-in.ts';

const queryKey = ['sessions'];

/** Where the person is signed in. They can end one session, or all. */
export function Sessions({ onClose }: { readonly onClose: () => void }) {
  const sessions = useQuery({ queryKey, queryFn: listSessions, staleTime: 0 });
  const { isBusy, note, run } = useChange(undefined);
  const end = (id: string) =>
    run(async (say) => {
      await deleteSurely(() => endSession(id), say);
      await queries.invalidateQueries({ queryKey });
      return {};
    });
  return (
    <Dialog title="Where you are signed in" onClose={onClose}>
      <Loaded query={sessions} what="Your sessions" permission="">
        {(list) => (
          <ul className="entries">
            {list.map(({ id, createdAt, endsAt, isCurrent }) => (
              <Entry
                key={id}
                side={
                  isCurrent ? (
                    <span className="badge">This browser</span>
                  ) : (
                    <Button disabled={isBusy} aria-label={`End the session of ${fullTime(createdAt)}`} onClick={() => end(id)}>
                      End
                    </Button>
                  )
                }
              >
                <span>Signed in {fullTime(createdAt)}</span>
                <span className="small">Ends {shortTime(endsAt)}</span>
              </Entry>
            ))}
          </ul>
        )}
      </Loaded>
      {note}
      <p className="small">End any that you don’t recognise. It stops working within a minute.</p>
      <p className="actions">
        <Button onClick={() => signOut('everywhere')}>Sign out everywhere</Button>
      </p>
    </Dialog>
  );
}
