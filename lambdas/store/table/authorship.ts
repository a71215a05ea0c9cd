import { authorText } from '../../core/history/author.ts';
import { currentAuthor } from '../../runtime/author.ts';
import type { Item } from './client.ts';
import type { Expression } from './expressions.ts';

/**
 * Every write of a link, tag, template, domain, key or member says who did it. `createdBy` stays; `by` is the author of
 * the last change. The stream carries both to the history, so no request needs another write for it.
 *
 * Updates of a tag's count or a key's last use don't, because they don't change what people set.
 */

/**
 * The attributes of a new item. The request isn't among them: a link has it in its creation mark, and a key or member
 * in `changed`, because the history records their creation.
 */
export const created = () => ({ createdBy: authorText({ ...currentAuthor(), requestId: null }) });

/** The attributes of an item that replaces another. */
export const changed = (): Item => ({ by: authorText(currentAuthor()) });

/** An update that also says who did it. */
export const signed = ({ text, values, names }: Expression): Expression => ({
  text: text.startsWith('SET ') ? text.replace('SET ', 'SET #by = :author, ') : `SET #by = :author ${text}`,
  values: { ...values, ':author': authorText(currentAuthor()) },
  ...(names && { names }),
});
