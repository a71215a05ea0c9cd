import { useState } from 'react';
import { shownEmail } from '../../../lambdas/core/member/profile.ts';
import { FailureNote } from '../parts/failure.tsx';
import { changeAccount, dropInvitation, openWorkspace } from '../service/session.ts';
import { type Accepted, acceptInvitation, type SignedIn } from '../service/sign-in.ts';

/** Asks somebody who has opened an invitation whether they accept it. Nobody joins a workspace by opening an address. */
export function Invitation({ secret, signedIn }: { readonly secret: string; readonly signedIn: SignedIn }) {
  const [isBusy, setBusy] = useState(false);
  const [accepted, setAccepted] = useState<Accepted>();
  const [error, setError] = useState<unknown>();
  const email = shownEmail(signedIn.person);
  const accept = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const result = await acceptInvitation(secret);
      if (result.state === 'pending') return setAccepted(result);
      dropInvitation();
      openWorkspace(result.workspaceId);
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="centred">
      <h1>You are invited</h1>
      {accepted ? (
        <>
          <p role="status">An owner of the workspace has to approve you. Come back when they have.</p>
          <Choices>
            <button type="button" className="button primary" onClick={dropInvitation}>
              Continue
            </button>
          </Choices>
        </>
      ) : (
        <>
          <p>
            Join the workspace as <bdi>{email}</bdi>?
          </p>
          {error !== undefined && <FailureNote error={error} />}
          <Choices>
            <button type="button" className="button primary" disabled={isBusy} onClick={() => void accept()}>
              {isBusy ? 'Joining…' : 'Join'}
            </button>
            <button type="button" className="button" onClick={dropInvitation}>
              Not now
            </button>
            <button type="button" className="button" onClick={() => void changeAccount()}>
              Use another account
            </button>
          </Choices>
        </>
      )}
    </main>
  );
}

const Choices = ({ children }: { readonly children: React.ReactNode }) => <p className="actions">{children}</p>;
