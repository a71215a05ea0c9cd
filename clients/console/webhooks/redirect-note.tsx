import { redirectAdvice } from '../../../lambdas/core/webhook/webhook.ts';
import { CopyButton } from '../parts/copy.tsx';

/** Where an address redirects. It is shown as text, because the browser must not open it. */
export const RedirectNote = ({ to }: { readonly to: string }) => (
  <p className="notice warning">
    <span>
      {redirectAdvice(to)} <CopyButton text={to} what="address" />
    </span>
  </p>
);
