import type { MouseEvent, ReactNode } from 'react';
import type { Address } from '../service/address.ts';
import { go, hrefOf } from '../service/location.ts';

type PageLinkProps = {
  readonly to: Partial<Address>;
  readonly className?: string;
  readonly title?: string;
  /** Its accessible name, if other links have the same text. */
  readonly label?: string;
  readonly isCurrent?: boolean;
  readonly tabIndex?: number;
  readonly children: ReactNode;
  /** Called before the page goes there. */
  readonly onGo?: () => void;
};

/** A link to another address of the console, which may be opened in another tab. */
export function PageLink({ to, className, title, label, isCurrent, tabIndex, children, onGo }: PageLinkProps) {
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onGo?.();
    go(to);
  };
  return (
    <a
      href={hrefOf(to)}
      className={className}
      title={title}
      aria-label={label}
      aria-current={isCurrent ? 'true' : undefined}
      tabIndex={tabIndex}
      onClick={open}
    >
      {children}
    </a>
  );
}
