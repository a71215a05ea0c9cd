import type { ReactNode } from 'react';

type EntryProps = {
  /** What it is: one below the other. */
  readonly children: ReactNode;
  readonly before?: ReactNode;
  /** How it is doing, and what can be done with it. */
  readonly side?: ReactNode;
  /** `tall` if its side has no room beside it on a phone. */
  readonly className?: '' | 'low' | 'tall';
  readonly sideClass?: string;
  readonly sideTitle?: string;
};

/** An entry of a list, which is a `ul.entries`. */
export const Entry = ({ children, before, side, className = '', sideClass = '', sideTitle }: EntryProps) => (
  <li className={`entry ${className}`.trim()}>
    {before}
    <div className={className === 'low' ? 'entry-main across' : 'entry-main'}>{children}</div>
    {side && (
      <div className={`entry-side ${sideClass}`.trim()} title={sideTitle}>
        {side}
      </div>
    )}
  </li>
);
