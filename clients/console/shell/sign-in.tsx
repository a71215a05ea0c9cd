import { useId } from 'react';
import { trimmed } from '../../../lambdas/core/invisible.ts';
import { ProblemError } from '../../typescript/problem.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icons.tsx';
import { useChange } from '../parts/kit/change.tsx';
import { apiWith } from '../service/client.ts';
import { SaidError } from '../service/failures.ts';
import { queries } from '../service/queries.ts';
import { hasSignedOut, isKeyShaped, signIn } from '../service/session.ts';
import { isOffered, otherAccountAddress, signInAddress, thisAddress } from '../service/sign-in.ts';
import type { Me } from '../service/types.ts';

/** How to sign in: with the stage's provider, if it has one, or with a key. */
export function SignIn({ isInvited }: { readonly isInvited: boolean }) {
  const form = (
    <>
      <KeyForm
        isFirst={!isOffered}
        onKey={(key, me) => {
          queries.setQueryData(['me'], me);
          signIn(key);
        }}
      />
      <p className="small">
        Ask an owner of your workspace for a key. It is kept in this tab only, until you close it or sign out.
      </p>
    </>
  );
  return (
    <main className="centred">
      <div className="sign-in">
        <h1>
          <Icon name="links" /> Links
        </h1>
        {isInvited && <p>{isOffered ? 'You are invited. Sign in to join the workspace.' : noProvider}</p>}
        {isOffered ? (
          <>
            <a className="button primary" href={signInAddress(thisAddress())}>
              Sign in
            </a>
            {hasSignedOut() && <a href={otherAccountAddress()}>Use another account</a>}
            <details>
              <summary>Use an API key</summary>
              <div className="stack">{form}</div>
            </details>
          </>
        ) : (
          form
        )}
      </div>
    </main>
  );
}

const noProvider = 'You cannot accept your invitation yet, because this service has no sign-in. Tell the person who invited you.';

type KeyFormProps = {
  readonly onKey: (key: string, me: Me) => void;
  /** Whether it is the main way to sign in. */
  readonly isFirst?: boolean;
};

/** Asks for a key, and tries it before it is used. */
export function KeyForm({ onKey, isFirst = true }: KeyFormProps) {
  const { isBusy, failure, run } = useChange(undefined);
  const id = useId();
  const submit = (form: HTMLFormElement) =>
    run(async () => {
      const key = trimmed(String(new FormData(form).get('key')));
      if (!isKeyShaped(key)) throw new SaidError('A key begins with lk_ and has 36 more letters and digits.');
      try {
        onKey(key, (await apiWith(key).GET('/api/v1/me')).data);
        return {};
      } catch (error) {
        const isRefused = error instanceof ProblemError && error.status === 401;
        throw isRefused ? new SaidError('This key is unknown, expired or revoked.') : error;
      }
    });
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <label htmlFor={id}>API key</label>
      <input
        id={id}
        name="key"
        type="password"
        className="mono"
        autoComplete="off"
        spellCheck={false}
        // The page has nothing else to do.
        // biome-ignore lint/a11y/noAutofocus: the only field of the page or of its dialog
        autoFocus={isFirst}
        aria-invalid={failure !== undefined || undefined}
        aria-describedby={`${id}-wrong`}
      />
      <p id={`${id}-wrong`} className="field-error" role="alert">
        {failure?.text}
      </p>
      <Button isSubmit kind={isFirst ? 'primary' : 'plain'} disabled={isBusy}>
        {isBusy ? 'Signing in…' : isFirst ? 'Sign in' : 'Use this key'}
      </Button>
    </form>
  );
}
