import { useState } from 'react';
import { shownEmail } from '../../../lambdas/core/member/profile.ts';
import { Button } from '../parts/button.tsx';
import { useChange } from '../parts/kit/change.tsx';
import { changeAccount, dropInvitation, openWorkspace } from '../service/session.ts';
import { type Accepted, acceptInvitation, type SignedIn } from '../service/sign-in.ts';

/**
 * Asks somebody who has opened an invitation whether they accept it. Nobody joins a workspace by opening an address.
 */
export function Invitation({ secret, signedIn }: { readonly secret: string; readonly signedIn: SignedIn }) {
  const [accepted, setAccepted] = useState<Accepted>();
  const { isBusy, note, run } = useChange(undefined);
  const accept = () =>
    run(async () => {
      const result = await acceptInvitation(secret);
      if (result.state === 'pending') setAccepted(result);
      else {
        dropInvitation();
        openWorkspace(result.workspaceId);
      }
      return {};
    });
  return (
    <main className="centred">
      <h1>You are invited</h1>
      {accepted ? (
        <>
          <p role="status">An owner of the workspace has to approve you. Come back when they have.</p>
          <p className="actions">
            <Button kind="primary" onClick={dropInvitation}>
              Continue
            </Button>
          </p>
        </>
      ) : (
        <>
          <p>
            Join the workspace as <bdi>{shownEmail(signedIn.person)}</bdi>?
          </p>
          {note}
          <p className="actions">
            <Button kind="primary" disabled={isBusy} onClick={accept}>
              {isBusy ? 'Joining…' : 'Join'}
            </Button>
            <Button onClick={dropInvitation}>Not now</Button>
            <Button onClick={changeAccount}>Use another account</Button>
          </p>
        </>
      )}
    </main>
  );
}
