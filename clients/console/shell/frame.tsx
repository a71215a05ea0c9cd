import type { ReactNode } from 'react';

/**
 * What is around every screen, until it is known who looks. The page begins with the same (lambdas/site/console.ts), so that
 * nothing moves when the script is there.
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
