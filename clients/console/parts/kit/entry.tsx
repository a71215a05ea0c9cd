import type { ReactNode } from 'react';

type EntryProps = {
  /** Its texts, one below the other. */
  readonly children: ReactNode;
  readonly before?: ReactNode;
  /** Its status and actions. */
  readonly side?: ReactNode;
  /** `tall` if its side does not fit beside it on a phone. */
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
