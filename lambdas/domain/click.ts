import { newClickId } from './ids.ts';
import type { Link } from './link.ts';

/** A counted visit. */
export type Click = {
  readonly id: string;
  readonly linkId: string;
  readonly workspaceId: string;
  readonly at: string;
};

export const newClick = ({ id, workspaceId }: Link, now: number): Click => ({
  id: newClickId(),
  linkId: id,
  workspaceId,
  at: new Date(now).toISOString(),
});
