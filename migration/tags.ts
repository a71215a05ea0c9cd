import { tagsPerLink } from '../lambdas/domain/limits.ts';
import { foldTagName, parseTagName } from '../lambdas/domain/tag.ts';
import { textOf } from './fields.ts';

/** The names of tags as the service takes them: what may not be in one becomes a hyphen. */
export function tagsOf(value: unknown, separator: string, notes: string[]): string[] {
  const list = listIn(value);
  const names = list ? list.map(nameOf) : textOf(value).split(separator);
  const tags = new Map<string, string>();
  for (const name of names.map((one) => one.trim()).filter(Boolean)) {
    const tag = tagName(name);
    if (tag === undefined) notes.push(`the tag "${name.slice(0, 40)}" has no letter or number, and is left out`);
    else {
      if (tag !== name) notes.push(`the tag "${name.slice(0, 40)}" becomes "${tag}"`);
      tags.set(foldTagName(tag), tag);
    }
  }
  if (tags.size > tagsPerLink) notes.push(`of ${tags.size} tags the first ${tagsPerLink} are put on`);
  return [...tags.values()].slice(0, tagsPerLink);
}

/** A list in a JSON document, or in a cell as JSON; undefined where it is neither. */
function listIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  try {
    const parsed = textOf(value).startsWith('[') ? JSON.parse(textOf(value)) : undefined;
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** A tag in JSON is its name, or an object that has one. */
const nameOf = (tag: unknown): string => textOf(typeof tag === 'object' && tag !== null ? (tag as { name?: unknown }).name : tag);

function tagName(text: string): string | undefined {
  const allowed = text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N} _-]+/gu, '-');
  const name = [...allowed].slice(0, 64).join('').trim();
  if (!/[\p{L}\p{N}]/u.test(name)) return undefined;
  try {
    return parseTagName(name);
  } catch {
    return undefined;
  }
}
