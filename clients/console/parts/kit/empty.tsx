import type { ReactNode } from 'react';

type EmptyProps = {
  /** That there is nothing, and what it would be for. */
  readonly text: string;
  /** A button for the next step. */
  readonly children?: ReactNode;
};

/** A list or a statistic without anything. */
export const Empty = ({ text, children }: EmptyProps) => (
  <div className="empty">
    <p>{text}</p>
    {children}
  </div>
);
