import { useSyncExternalStore } from 'react';
import { failureOf } from '../service/failures.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy.tsx';
import { Icon } from './icons.tsx';

/** Whether the browser has a network. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      window.addEventListener('online', listener);
      window.addEventListener('offline', listener);
      return () => {
        window.removeEventListener('online', listener);
        window.removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine,
  );

type FailureProps = {
  readonly error: unknown;
  /** What failed, such as "The links could not be loaded." */
  readonly what?: string;
  readonly permission?: string;
  readonly onRetry?: () => void;
};

/** Says that something could not be loaded or saved, why, and what to do. */
export function FailureNote({ error, what, permission, onRetry }: FailureProps) {
  const { text, mayWorkLater, requestId } = failureOf(error, useOnline(), permission);
  return (
    <div className="notice bad" role="alert">
      <p>
        <Icon name="alert" /> {what} {text}
      </p>
      {requestId && (
        <p className="small">
          Request {requestId} <CopyButton text={requestId} what="request id" />
        </p>
      )}
      {mayWorkLater && onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
