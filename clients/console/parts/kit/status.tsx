import type { ReactNode } from 'react';
import { Icon } from '../icons.tsx';
import type { StatusWords } from './status-words.ts';

type StatusProps = StatusWords & {
  /** Whether screen readers announce changes. */
  readonly isLive?: boolean;
  readonly className?: string;
  readonly children?: ReactNode;
};

/** A status with its icon and word. */
export const Status = ({ icon, tone, word, isLive = false, className = '', children }: StatusProps) => (
  <span className={`state-word ${tone} ${className}`.trim()} role={isLive ? 'status' : undefined}>
    <Icon name={icon} /> {word}
    {children}
  </span>
);
