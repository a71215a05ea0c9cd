import { nameOf } from '../../core/member/profile.ts';
import { isKept } from '../table/expiry.ts';
import { memberKey } from '../table/keys.ts';
import { getItems } from '../table/reads.ts';
import { toMember } from './items.ts';

/**
 * The names of members by their ids, or else their email addresses, marked if unverified. Members whose items are gone
 * are missing. One call; none for no ids.
 */
export async function memberNames(workspaceId: string, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const distinct = [...new Set(ids)];
  const items = distinct.length === 0 ? [] : await getItems(distinct.map((id) => memberKey(workspaceId, id)));
  const members = items.flatMap((item) => (item && isKept(item) ? toMember(item) : []));
  return new Map(members.map((member) => [member.id, nameOf(member)]));
}
