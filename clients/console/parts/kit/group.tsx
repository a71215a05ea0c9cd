import { type ReactNode, useEffect, useState } from 'react';

type GroupProps = {
  readonly title: ReactNode;
  /** Shown beside the title while it is closed, such as a summary of its content. */
  readonly summary?: string;
  /** Opens it, because something in it is wrong. */
  readonly isWrong?: boolean;
  readonly isFirst?: boolean;
  readonly children: ReactNode;
};

/** A group of things, such as fields, closed until somebody opens it. */
export function Group({ title, summary = '', isWrong = false, isFirst = false, children }: GroupProps) {
  const [isOpen, open] = useState(isFirst);
  useEffect(() => {
    if (isWrong) open(true);
  }, [isWrong]);
  return (
    <details className="group" open={isOpen} onToggle={(event) => open(event.currentTarget.open)}>
      <summary>
        {title}
        {!isOpen && summary !== '' && <span className="small group-summary">{summary}</span>}
      </summary>
      <div className="group-fields">{children}</div>
    </details>
  );
}
