import { redirectAdvice } from '../../../lambdas/core/webhook/webhook.ts';
import { CopyButton } from '../parts/copy.tsx';

/** Where an address redirects to, which a browser may not visit: what it says is text. */
export const RedirectNote = ({ to }: { readonly to: string }) => (
  <p className="notice warning">
    <span>
      {redirectAdvice(to)} <CopyButton text={to} what="address" />
    </span>
  </p>
);
