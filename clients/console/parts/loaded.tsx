import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { FailureNote } from './failure.tsx';

type LoadedProps<T> = {
  readonly query: UseQueryResult<T>;
  /** What it is, such as "The domains". */
  readonly what: string;
  readonly permission: string;
  readonly children: (data: T) => ReactNode;
};

/** Shows what a query has loaded, or its error. */
export function Loaded<T>({ query, what, permission, children }: LoadedProps<T>) {
  const { data, error, refetch } = query;
  return (
    <>
      {error !== null && (
        <FailureNote error={error} what={`${what} could not be loaded.`} permission={permission} onRetry={() => void refetch()} />
      )}
      {data !== undefined ? (
        <div className="stack wide-gap">{children(data)}</div>
      ) : (
        error === null && <div className="later" role="status" aria-label="Loading" />
      )}
    </>
  );
}

/** Its content may be loaded only when somebody opens it. Screen readers and tests learn that it is loading. */
export const LoadedLater = ({ children }: { readonly children: ReactNode }) => (
  <Suspense
    fallback={
      <span className="hidden" role="status" aria-busy="true">
        Loading…
      </span>
    }
  >
    {children}
  </Suspense>
);
