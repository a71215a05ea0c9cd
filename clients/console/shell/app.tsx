import { lazy, Suspense, useEffect } from 'react';
import { ProblemError } from '../../typescript/problem.ts';
import { Button } from '../parts/button.tsx';
import { FailureNote } from '../parts/failure.tsx';
import { Dialog } from '../parts/kit/dialog.tsx';
import { go, root, useAddress } from '../service/location.ts';
import { queries, useMe } from '../service/queries.ts';
import { signIn, signInElsewhere, signOut, tellOtherTabs, useSession } from '../service/session.ts';
import { isOffered, signInAddress } from '../service/sign-in.ts';
import type { Me } from '../service/types.ts';
import { Frame } from './frame.tsx';
import { Navigation } from './navigation.tsx';
import { Shell } from './shell.tsx';
import { KeyForm, SignIn } from './sign-in.tsx';

// Few people ever see these.
const NotStarted = lazy(async () => ({ default: (await import('./workspaces.tsx')).NotStarted }));
const NoWorkspace = lazy(async () => ({ default: (await import('./workspaces.tsx')).NoWorkspace }));
const Removed = lazy(async () => ({ default: (await import('./workspaces.tsx')).Removed }));
const Invitation = lazy(async () => ({ default: (await import('./invitation.tsx')).Invitation }));

/** The sign-in, or the workspace of the key or the person. */
export const App = () => (
  <Suspense fallback={<Frame />}>
    <Shown />
  </Suspense>
);

function Shown() {
  const { key, signedIn, workspaceId, isStarting, failure, hasEnded, removedFrom, invitation } = useSession();
  if (isStarting) return <Frame />;
  if (new URLSearchParams(location.search).has('signed-in')) return <SignedInHere />;
  if (failure !== undefined && key === undefined) return <NotStarted failure={failure} />;
  if (invitation !== undefined && signedIn) return <Invitation secret={invitation} signedIn={signedIn} />;
  // Somebody with a key may also be invited, and joins as a person.
  const isInvited = invitation !== undefined;
  if (signedIn === undefined && (key === undefined || (isInvited && isOffered))) return <SignIn isInvited={isInvited} />;
  if (removedFrom !== undefined && signedIn) return <Removed from={removedFrom} signedIn={signedIn} />;
  if (key === undefined && signedIn && workspaceId === undefined) return <NoWorkspace signedIn={signedIn} />;
  return (
    <>
      <Workspace />
      {hasEnded && (signedIn ? <PersonAgain /> : <KeyAgain />)}
    </>
  );
}

const ended = { title: 'Your session has ended', onClose: () => {}, isClosable: false };

/** Asks for another key above the page, which keeps all unsaved input. */
const KeyAgain = () => (
  <Dialog {...ended}>
    <p>Sign in again to continue. What you have entered is still here.</p>
    <KeyForm
      onKey={(key, me) => {
        const before = queries.getQueryData<Me>(['me'])?.workspace.id;
        if (before !== undefined && before !== me.workspace.id) return signInElsewhere(key, me.workspace.id);
        signIn(key);
        void queries.invalidateQueries();
      }}
    />
    <Button kind="link" onClick={signOut}>
      Sign out
    </Button>
  </Dialog>
);

/** The same with the provider, in a new tab: this page would lose unsaved input. */
const PersonAgain = () => (
  <Dialog {...ended}>
    <p>Sign in again in a new tab, then come back to continue. What you have entered is still here.</p>
    <p className="actions">
      <a className="button primary" href={signInAddress('/console?signed-in=1')} target="_blank" rel="noopener">
        Sign in
      </a>
      <Button onClick={signOut}>Sign out</Button>
    </p>
  </Dialog>
);

/** The tab in which somebody has signed in again. The waiting tab continues by itself. */
function SignedInHere() {
  const { signedIn } = useSession();
  useEffect(() => {
    if (!signedIn) return;
    tellOtherTabs();
    // Browsers allow this only for tabs that a script has opened; otherwise the person closes it.
    window.close();
  }, [signedIn]);
  return (
    <main className="centred">
      <h1>{signedIn ? 'You are signed in' : 'You are not signed in'}</h1>
      <p>{signedIn ? 'Go back to the tab that you came from. This one can be closed.' : 'Go back, and sign in again.'}</p>
      <p className="actions">
        <a className="button" href={`${root}/console`}>
          Open the console here
        </a>
      </p>
    </main>
  );
}

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
        <Button onClick={signOut}>Sign out</Button>
      </main>
    );
  }
  // Before the first answer, there is nothing more to show, and a spinner would only flicker.
  if (!me.data || workspaceId === undefined) {
    return (
      <Frame>
        <Navigation />
      </Frame>
    );
  }
  if (workspaceId !== own) return <OtherWorkspace me={me.data} />;
  return <Shell me={me.data} />;
}

const OtherWorkspace = ({ me }: { readonly me: Me }) => (
  <main className="centred">
    <h1>Another workspace</h1>
    <p>
      This address belongs to another workspace. Your key opens <bdi>{me.workspace.name}</bdi>.
    </p>
    <p className="actions">
      <Button kind="primary" onClick={() => go({ workspaceId: me.workspace.id, linkId: undefined }, 'replace')}>
        Open {me.workspace.name}
      </Button>
      <Button onClick={signOut}>Sign in with another key</Button>
    </p>
  </main>
);
