import { tagNameLength, tagsPerLink } from '../../lambdas/core/limits.ts';
import { foldTagName, parseTagName } from '../../lambdas/core/tag/tag.ts';
import { textOf } from './text.ts';

/**
 * Reads tag names, in the form that the service accepts: other characters become hyphens.
 *
 * @param notes gets an entry for each tag that is changed or left out.
 */
export function tagsOf(value: unknown, separator: string, notes: string[]): string[] {
  const list = listIn(value);
  const names = list ? list.map(nameOf) : textOf(value).split(separator);
  const tags = new Map<string, string>();
  for (const name of names.map((one) => one.trim()).filter(Boolean)) {
    const tag = tagName(name);
    if (tag === undefined) notes.push(`the tag "${name.slice(0, 40)}" has no letter or number, and is left out`);
    else {
      // Nobody sees a difference between two Unicode forms of the same letters.
      if (tag !== name.normalize('NFC')) notes.push(`the tag "${name.slice(0, 40)}" becomes "${tag}"`);
      tags.set(foldTagName(tag), tag);
    }
  }
  if (tags.size > tagsPerLink) notes.push(`of ${tags.size} tags, only the first ${tagsPerLink} are set`);
  return [...tags.values()].slice(0, tagsPerLink);
}

/** A list in a JSON document, or as JSON in a CSV cell; undefined if it is neither. */
function listIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  try {
    const parsed = textOf(value).startsWith('[') ? JSON.parse(textOf(value)) : undefined;
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

type Named = { readonly name?: unknown; readonly tag?: unknown };

/** In JSON, a tag is its name, or an object with a name, perhaps under `tag`. */
const nameOf = (tag: unknown): string => {
  if (typeof tag !== 'object' || tag === null) return textOf(tag);
  const { name, tag: inside } = tag as Named;
  return name === undefined && typeof inside === 'object' ? textOf((inside as Named | null)?.name) : textOf(name);
};

function tagName(text: string): string | undefined {
  const allowed = text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N} _-]+/gu, '-');
  const name = [...allowed].slice(0, tagNameLength).join('').trim();
  if (!/[\p{L}\p{N}]/u.test(name)) return undefined;
  try {
    return parseTagName(name);
  } catch {
    return undefined;
  }
}
