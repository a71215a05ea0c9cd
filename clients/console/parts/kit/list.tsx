import type { ReactNode } from 'react';
import { Button } from '../button.tsx';

type EmptyProps = {
  /** Says that there is nothing, and what it would be for. */
  readonly text: string;
  /** A button for the next step. */
  readonly children?: ReactNode;
};

/** An empty list or statistic. */
export const Empty = ({ text, children }: EmptyProps) => (
  <div className="empty">
    <p>{text}</p>
    {children}
  </div>
);

type EntriesProps = {
  /** What to say if there are none. */
  readonly none: string;
  readonly children: readonly ReactNode[];
};

/** A list of entries. */
export const Entries = ({ none, children }: EntriesProps) =>
  children.length === 0 ? <Empty text={none} /> : <ul className="entries">{children}</ul>;

type ListHeadProps = {
  readonly title: string;
  /** The button that adds something to the list; false without the permission. */
  readonly action: string | false;
  readonly onAction: () => void;
};

/** The head of a screen with a list. */
export const ListHead = ({ title, action, onAction }: ListHeadProps) => (
  <div className="screen-head">
    <h1>{title}</h1>
    {action && (
      <Button kind="primary" onClick={onAction}>
        {action}
      </Button>
    )}
  </div>
);
