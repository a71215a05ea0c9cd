import type { Link } from '../../domain/link.ts';
import { all, any, type Expression, is, lacks } from '../table/conditions.ts';

/** The link still exists: it has not been replaced at its address. */
export const isStillThere = ({ id, workspaceId }: Pick<Link, 'id' | 'workspaceId'>): Expression =>
  all(is('id', id), is('workspaceId', workspaceId));

/** The link has had exactly as many caps. The item of a link that never had one omits the number. */
export const hasCapEpoch = (capEpoch: number): Expression => (capEpoch === 0 ? lacks('capEpoch') : is('capEpoch', capEpoch));

/** The link has exactly these tags, in this order. The item of a new link omits an empty list. */
export const hasTags = (tagIds: readonly string[]): Expression =>
  tagIds.length === 0 ? any(is('tagIds', tagIds), lacks('tagIds')) : is('tagIds', tagIds);

/** The link has exactly these slugs. The item of a link without aliases may omit the list. */
export const hasSlugs = ({ shortCode, aliases }: Pick<Link, 'shortCode' | 'aliases'>): Expression =>
  all(is('shortCode', shortCode), aliases.length === 0 ? any(is('aliases', aliases), lacks('aliases')) : is('aliases', aliases));
