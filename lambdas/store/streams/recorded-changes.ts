import { authorIn } from '../../core/history/author.ts';
import {
  type Changes,
  changesBetween,
  domainFields,
  keyFields,
  keyGain,
  linkFields,
  linkLoss,
  memberFields,
  memberGain,
  tagFields,
  templateHistoryFields,
} from '../../core/history/history.ts';
import type { Link } from '../../core/link/link.ts';
import { toApiKey } from '../api-keys/items.ts';
import { toDomain } from '../domains/domains.ts';
import { creationIn, type Happening } from '../history/history.ts';
import { isLink, toLink } from '../links/links.ts';
import { toMember } from '../members/items.ts';
import type { Item } from '../table/client.ts';
import { maybeText, text } from '../table/fields.ts';
import { toKey, workspaceOfPart } from '../table/keys.ts';
import { toTag } from '../tags/tags.ts';
import { toTemplate } from '../templates/templates.ts';

/** An item before and after a change. */
export type Changed = { readonly before: Item; readonly after: Item };

type What = Pick<Happening, 'action' | 'subjectId' | 'workspaceId' | 'changes'> &
  Pick<Partial<Happening>, 'partition' | 'address' | 'creation' | 'disabledAt'>;

/**
 * The change of a link, tag, template, domain, key or member, from its item before and after, or the creation of a key
 * or member. Undefined for all other changes, and for those that the history leaves out: of counts, of the last use of
 * a key, and of what only the service or the operator sees.
 *
 * @throws BrokenItem if an image cannot be read
 */
export function happeningOf(changed: Changed, at: string): Happening | undefined {
  const author = authorIn(maybeText(changed.after, 'by') ?? '');
  if (author.actor.type === 'service') return undefined;
  const what = whatOf(changed);
  return what && { ...what, at, author };
}

/** An event of a link, for webhooks. */
export type LinkEvent = { readonly type: 'link.created' | 'link.updated' | 'link.deleted'; readonly link: Link };

/**
 * The event of a record, for webhooks: a link was created, or changed in a way that the history records. Undefined if
 * the record is not about a link, or if nothing has changed that its workspace can see. A deleted link is returned as
 * it was before.
 *
 * @param before empty if the item is new.
 * @throws BrokenItem if an image cannot be read
 */
export function linkEventOf({ before, after }: Changed): LinkEvent | undefined {
  if (after.sk !== 'LINK') return undefined;
  const isNew = !isLink(before) || (isLink(after) && before.id !== after.id);
  if (isNew) return isLink(after) ? { type: 'link.created', link: toLink(after) } : undefined;
  const action = happeningOf({ before, after }, '')?.action;
  if (action === 'link.updated') return { type: action, link: toLink(after) };
  if (action === 'link.deleted') return { type: action, link: toLink(before) };
  return undefined;
}

function whatOf({ before, after }: Changed): What | undefined {
  const [kind] = text(after, 'sk').split('#');
  switch (kind) {
    case 'LINK':
      return linkChange(before, after);
    case 'TAG':
      return ifAny(changesBetween(tagFields(toTag(before)), tagFields(toTag(after))), {
        action: 'tag.updated',
        subjectId: text(after, 'id'),
        workspaceId: workspaceOfPart(toKey(after)),
      });
    case 'TEMPLATE':
      return ifAny(changesBetween(templateHistoryFields(toTemplate(before)), templateHistoryFields(toTemplate(after))), {
        action: 'template.updated',
        subjectId: text(after, 'id'),
        workspaceId: workspaceOfPart(toKey(after)),
      });
    case 'DOMAIN': {
      const [old, domain] = [toDomain(before), toDomain(after)];
      return ifAny(changesBetween(domainFields(old), domainFields(domain)), {
        action: 'domain.updated',
        subjectId: domain.host,
        partition: domain.domainId,
        workspaceId: domain.workspaceId,
      });
    }
    case 'KEY':
      return keyChange(before, after);
    case 'MEMBER':
      return memberChange(before, after);
    default:
      return undefined;
  }
}

const ifAny = (changes: Changes, what: Omit<What, 'changes'>): What | undefined =>
  Object.keys(changes).length > 0 ? { ...what, changes } : undefined;

/**
 * A key's change, or its creation if `before` is empty. Keys of sign-ins come and go all the time, and are left out.
 */
function keyChange(before: Item, after: Item): What | undefined {
  const key = toApiKey(after);
  if (key.signIn) return undefined;
  const whose = { subjectId: key.id, workspaceId: key.workspaceId };
  if (before.pk === undefined) return { ...whose, action: 'key.created', changes: keyGain(key) };
  const old = toApiKey(before);
  const action = key.revokedAt && !old.revokedAt ? 'key.revoked' : 'key.updated';
  return ifAny(changesBetween(keyFields(old), keyFields(key)), { ...whose, action });
}

/** A member's change, or that somebody was invited or let in. Sign-ins are left out. */
function memberChange(before: Item, after: Item): What | undefined {
  const member = toMember(after);
  const { id: subjectId, workspaceId, state } = member;
  if (before.pk === undefined) {
    return {
      subjectId,
      workspaceId,
      action: state === 'invited' ? 'member.invited' : 'member.joined',
      changes: memberGain(member),
    };
  }
  const old = toMember(before);
  const isJoining = old.state === 'invited' && state !== 'removed' && state !== 'invited';
  const action = state === 'removed' ? 'member.removed' : isJoining ? 'member.joined' : 'member.updated';
  return ifAny(changesBetween(memberFields(old), memberFields(member)), { subjectId, workspaceId, action });
}

/**
 * A link's change. A deletion replaces the link with a tombstone, which says who deleted it. If a new link replaces a
 * tombstone, that isn't a change of either.
 */
function linkChange(before: Item, after: Item): What | undefined {
  if (!isLink(before)) return undefined;
  const old = toLink(before);
  const whose = { subjectId: old.id, workspaceId: old.workspaceId };
  if (!isLink(after)) {
    const known = { changes: linkLoss(old), creation: creationIn(before), disabledAt: old.disabledAt };
    return { ...whose, action: 'link.deleted', ...known };
  }
  const link = toLink(after);
  const { domain, shortCode } = link;
  const updated = { ...whose, address: { domain, shortCode } };
  if (link.clickEpoch !== old.clickEpoch) return { ...updated, action: 'link.clicks_erased', changes: {} };
  return ifAny(changesBetween(linkFields(old), linkFields(link)), { ...updated, action: 'link.updated' });
}
