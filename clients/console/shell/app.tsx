import { useEffect } from 'react';
import { ProblemError } from '../../typescript/problem.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FailureNote } from '../parts/failure.tsx';
import { go, useAddress } from '../service/location.ts';
import { queries, useMe } from '../service/queries.ts';
import { signIn, signOut, useSession } from '../service/session.ts';
import type { Me } from '../service/types.ts';
import { Shell } from './shell.tsx';
import { KeyForm, SignIn } from './sign-in.tsx';

/** The sign-in, or what the key gives access to. */
export function App() {
  const { key, hasEnded } = useSession();
  if (key === undefined) return <SignIn />;
  return (
    <>
      <Workspace />
      {hasEnded && <SignInAgain />}
    </>
  );
}

/** Asks for another key above the page, which keeps everything that is being written. */
const SignInAgain = () => (
  <Dialog title="Your session has ended" onClose={() => {}} isClosable={false}>
    <p>Sign in again to go on. What you have entered is still here.</p>
    <KeyForm
      onKey={(key, me) => {
        const before = queries.getQueryData<Me>(['me']);
        signIn(key);
        if (before !== undefined && before.workspace.id !== me.workspace.id) location.reload();
        else void queries.invalidateQueries();
      }}
    />
    <button type="button" className="link-button" onClick={signOut}>
      Sign out
    </button>
  </Dialog>
);

function Workspace() {
  const me = useMe();
  const { workspaceId } = useAddress();
  const own = me.data?.workspace.id;
  useEffect(() => {
    if (own !== undefined && workspaceId === undefined) go({ workspaceId: own }, 'replace');
  }, [own, workspaceId]);
  if (me.isError && !me.data) {
    const isGone = me.error instanceof ProblemError && me.error.status === 404;
    return (
      <main className="centred">
        <FailureNote
          error={me.error}
          what={isGone ? 'This workspace no longer exists.' : 'This workspace could not be opened.'}
          onRetry={() => void me.refetch()}
        />
        <button type="button" className="button" onClick={signOut}>
          Sign out
        </button>
      </main>
    );
  }
  // Before the first answer there is nothing to show, and a spinner for a moment would only flicker.
  if (!me.data || workspaceId === undefined) return <main aria-busy="true" aria-label="Loading" />;
  if (workspaceId !== own) return <OtherWorkspace me={me.data} />;
  return <Shell me={me.data} />;
}

const OtherWorkspace = ({ me }: { readonly me: Me }) => (
  <main className="centred">
    <h1>Another workspace</h1>
    <p>
      This address is of another workspace than your key, which opens <bdi>{me.workspace.name}</bdi>.
    </p>
    <p className="actions">
      <button
        type="button"
        className="button primary"
        onClick={() => go({ workspaceId: me.workspace.id, linkId: undefined }, 'replace')}
      >
        Open {me.workspace.name}
      </button>
      <button type="button" className="button" onClick={signOut}>
        Sign in with another key
      </button>
    </p>
  </main>
);
