import type { ReactNode } from 'react';

/**
 * The frame of every screen until it is known who is signed in. The page begins with the same HTML
 * (lambdas/site/console.ts), so that nothing moves when the script runs.
 */
export const Frame = ({ children }: { readonly children?: ReactNode }) => (
  <div className="shell">
    <div className="top" />
    <div className="body">
      {children ?? <div className="nav" />}
      <main className="content" aria-busy="true" aria-label="Loading" />
    </div>
  </div>
);
