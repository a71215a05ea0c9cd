import { newRequestToken } from '../../domain/ids.ts';
import type { Link } from '../../domain/link.ts';
import { linkKeyOf } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { ConditionFailed, transact, updating } from '../table/writes.ts';
import { toLink } from './links.ts';

/**
 * Disables a link that was read, or enables it again, whatever its workspace has set. One that is disabled stays so since when it was. It is a
 * transaction for its token's sake: retried after a lost answer, it does not undo what another operator has done since.
 *
 * @returns the link as it then is; undefined where it is gone.
 */
export async function setDisabled({ id }: Link, isDisabled: boolean): Promise<Link | undefined> {
  const key = linkKeyOf(id);
  const update = isDisabled
    ? { text: 'SET #disabledAt = if_not_exists(#disabledAt, :now)', values: { ':now': new Date().toISOString() } }
    : { text: 'REMOVE #disabledAt' };
  try {
    await transact([updating(key, update, { text: '#id = :id', values: { ':id': id } })], newRequestToken());
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
  const item = await getItem(key);
  return item?.id === id ? toLink(item) : undefined;
}
