import type { ReactNode } from 'react';
import type { Address } from '../service/address.ts';
import { go, hrefOf } from '../service/location.ts';

type PlaceProps = { readonly to: Partial<Address>; readonly className?: string; readonly children: ReactNode };

/** A link to another place in the console. With a modifier, the browser opens it in another tab. */
export const Place = ({ to, className, children }: PlaceProps) => (
  <a
    href={hrefOf(to)}
    className={className}
    onClick={(event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      go(to);
    }}
  >
    {children}
  </a>
);
