import { locationInId } from '../domain/ids.ts';
import type { Link } from '../domain/link.ts';
import { linkKey } from './keys.ts';
import { toLink } from './links.ts';
import { ConditionFailed, updateItem } from './writes.ts';

/**
 * Disables a link that was read, or enables it again, whatever its workspace has set. One that is disabled stays so since when it was.
 *
 * @returns the link as it then is; undefined where it is gone.
 */
export async function setDisabled({ id }: Link, isDisabled: boolean): Promise<Link | undefined> {
  const update = isDisabled
    ? { text: 'SET #disabledAt = if_not_exists(#disabledAt, :now)', values: { ':now': new Date().toISOString() } }
    : { text: 'REMOVE #disabledAt' };
  try {
    return toLink(await updateItem(linkKey(locationInId(id) ?? ''), update, { text: '#id = :id', values: { ':id': id } }));
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}
