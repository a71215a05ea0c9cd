import type { ReactNode } from 'react';
import { IconButton } from '../button.tsx';

export const Dot = ({ color }: { readonly color: string }) => <span className="dot" style={{ background: color }} />;

type ChipProps = {
  readonly color?: string | undefined;
  readonly children: ReactNode;
  /** The name of the button that removes it. */
  readonly remove?: string;
  readonly onRemove?: () => unknown;
};

/** A value that was chosen, such as a tag, with a button that removes it. */
export const Chip = ({ color, children, remove, onRemove }: ChipProps) => (
  <span className={onRemove ? 'chip' : 'chip plain'}>
    {color && <Dot color={color} />}
    <bdi>{children}</bdi>
    {onRemove && remove && <IconButton icon="close" label={remove} className="" onClick={onRemove} />}
  </span>
);
