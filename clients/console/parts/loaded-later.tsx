import { type ReactNode, Suspense } from 'react';

/** What is in it may be loaded when somebody opens it. Screen readers, and whoever waits for the page, learn that it comes. */
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
