import type { Link } from '../core/link/link.ts';
import { toLink } from '../store/links/links.ts';
import { signed } from '../store/table/authorship.ts';
import { commit } from '../store/table/commit.ts';
import { is, set, unlessSet } from '../store/table/expressions.ts';
import { linkKeyOf } from '../store/table/keys.ts';
import { getItem } from '../store/table/reads.ts';
import { updating } from '../store/table/writes.ts';

/**
 * Disables a link, or enables it again, whatever its workspace has set. Disabling a disabled link keeps the time when
 * it was first disabled. It is a transaction so that its token makes it idempotent: retried after a lost response, it
 * does not undo what another operator has done since.
 *
 * @returns the changed link; undefined if it is gone.
 */
export async function setDisabled({ id }: Link, isDisabled: boolean): Promise<Link | undefined> {
  const key = linkKeyOf(id);
  const update = signed(set({ disabledAt: isDisabled ? unlessSet(new Date().toISOString()) : null }));
  if ((await commit({ link: updating(key, update, is('id', id)) })).failed) return undefined;
  const item = await getItem(key);
  return item?.id === id ? toLink(item) : undefined;
}
