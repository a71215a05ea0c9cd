import type { Link } from '../../service/types.ts';
import { Status } from '../kit/status.tsx';
import { stateMeanings, stateOf } from './state.ts';

/** The state of a link as icon, word and reason, and whether it is archived. */
export function StateBadge({ link }: { readonly link: Link }) {
  const { reason, ...words } = stateOf(link);
  return (
    <span className="state" title={stateMeanings[link.state]}>
      <Status {...words} />
      {link.isArchived && <span className="badge">Archived</span>}
      {reason && <span className="small cut">{reason}</span>}
    </span>
  );
}
