import { type ReactNode, useEffect, useState } from 'react';

type GroupProps = {
  readonly title: string;
  /** Opens it, because something in it is wrong. */
  readonly isWrong?: boolean;
  readonly isFirst?: boolean;
  readonly children: ReactNode;
};

/** Fields that belong together, closed until somebody opens them. */
export function Group({ title, isWrong = false, isFirst = false, children }: GroupProps) {
  const [isOpen, open] = useState(isFirst);
  useEffect(() => {
    if (isWrong) open(true);
  }, [isWrong]);
  return (
    <details className="group" open={isOpen} onToggle={(event) => open(event.currentTarget.open)}>
      <summary>{title}</summary>
      <div className="group-fields">{children}</div>
    </details>
  );
}
