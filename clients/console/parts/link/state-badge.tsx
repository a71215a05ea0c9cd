import type { Link } from '../../service/types.ts';
import { Icon } from '../icons.tsx';
import { stateMeanings, stateOf } from './state.ts';

/** The state of a link as icon, word and reason. */
export function StateBadge({ link }: { readonly link: Link }) {
  const { icon, tone, word, reason } = stateOf(link);
  return (
    <span className="state" title={stateMeanings[link.state]}>
      <span className={`state-word ${tone}`}>
        <Icon name={icon} /> {word}
      </span>
      {reason && <span className="small cut">{reason}</span>}
    </span>
  );
}
