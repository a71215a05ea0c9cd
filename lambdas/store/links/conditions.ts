import type { Link } from '../../core/link/link.ts';
import { all, any, type Expression, is, isAtRevision, lacks } from '../table/expressions.ts';

/** The link still exists: it has not been replaced at its address. */
export const isStillThere = ({ id, workspaceId }: Pick<Link, 'id' | 'workspaceId'>): Expression =>
  all(is('id', id), is('workspaceId', workspaceId));

/** The link still exists and, if `asRead`, its settings have not changed. */
export const isUnchanged = (link: Link, asRead: boolean): Expression =>
  asRead ? all(isStillThere(link), isAtRevision(link.revision)) : isStillThere(link);

/** A setting still has the value that was read. An item may omit null and an empty list. */
export const isAsRead = (field: string, value: unknown): Expression => {
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
  return isEmpty ? any(lacks(field), is(field, value)) : is(field, value);
};

/** The link is still at this generation of its cap. The item of a link that never had a cap omits the number. */
export const hasGeneration = (generation: number): Expression =>
  generation === 0 ? lacks('capGeneration') : is('capGeneration', generation);

/** The link still has this epoch of clicks. The item of a link whose clicks were never erased omits the number. */
export const hasClickEpoch = (clickEpoch: number): Expression =>
  clickEpoch === 0 ? lacks('clickEpoch') : is('clickEpoch', clickEpoch);

/** The link has exactly these tags, in this order. The item of a new link omits an empty list. */
export const hasTags = (tagIds: readonly string[]): Expression =>
  tagIds.length === 0 ? any(is('tagIds', tagIds), lacks('tagIds')) : is('tagIds', tagIds);

/** The link has exactly these slugs. The item of a link without aliases may omit the list. */
export const hasSlugs = ({ shortCode, aliases }: Pick<Link, 'shortCode' | 'aliases'>): Expression =>
  all(is('shortCode', shortCode), aliases.length === 0 ? any(is('aliases', aliases), lacks('aliases')) : is('aliases', aliases));
