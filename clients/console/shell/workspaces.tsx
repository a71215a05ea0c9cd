import { shownEmail } from '../../../lambdas/core/member/profile.ts';
import { Button } from '../parts/button.tsx';
import { FailureNote } from '../parts/failure.tsx';
import { useAddress } from '../service/location.ts';
import { changeAccount, openWorkspace, signOut, startSession } from '../service/session.ts';
import type { SignedIn } from '../service/sign-in.ts';
import { activeIn } from './workspace-name.tsx';

/** For somebody who is signed in but may not see the address: what they can see, or whom to ask. */
export function NoWorkspace({ signedIn }: { readonly signedIn: SignedIn }) {
  const { workspaceId } = useAddress();
  const { email } = signedIn.person;
  const active = activeIn(signedIn);
  const pending = signedIn.workspaces.filter(({ state }) => state === 'pending');
  return (
    <main className="centred">
      <h1>{active.length === 0 ? 'No workspace yet' : 'Another workspace'}</h1>
      {active.length > 0 ? (
        <p>You are not a member of the workspace at this address. Ask one of its owners for an invitation.</p>
      ) : (
        pending.length === 0 && (
          <p>
            Ask an owner of a workspace to invite <bdi>{email}</bdi>.
          </p>
        )
      )}
      {pending.map(({ id, name }) => (
        <p key={id}>
          An owner of <bdi>{name}</bdi> has to approve you first.
        </p>
      ))}
      {workspaceId !== undefined && active.length === 0 && (
        <p className="small">You are signed in as {shownEmail(signedIn.person)}.</p>
      )}
      <WaysOn workspaces={active} />
    </main>
  );
}

/** For somebody who is no longer a member of the workspace. */
export const Removed = ({ from, signedIn }: { readonly from: string; readonly signedIn: SignedIn }) => (
  <main className="centred">
    <h1>You are no longer a member</h1>
    <p>
      You were removed from <bdi>{from}</bdi>, you left it, or it was deleted. Changes that you had not saved are lost. To come
      back, ask an owner for an invitation.
    </p>
    <WaysOn workspaces={activeIn(signedIn)} />
  </main>
);

/** Where somebody can go who may not see the address. */
const WaysOn = ({ workspaces }: Pick<SignedIn, 'workspaces'>) => (
  <p className="actions">
    {workspaces.map(({ id, name }) => (
      <Button key={id} kind="primary" onClick={() => openWorkspace(id)}>
        Open {name}
      </Button>
    ))}
    {workspaces.length === 0 && <Button onClick={startSession}>Check again</Button>}
    <Button onClick={changeAccount}>Use another account</Button>
    <Button onClick={signOut}>Sign out</Button>
  </p>
);

/** Shown if it could not be found out who is signed in. */
export const NotStarted = ({ failure }: { readonly failure: unknown }) => (
  <main className="centred">
    <FailureNote error={failure} what="Could not check whether you are signed in." onRetry={() => void startSession()} />
  </main>
);
