import type { Item } from './client.ts';

/**
 * These functions read one attribute of an item. If it is absent or null, they return `otherwise`.
 *
 * They throw an Error if the attribute has the wrong type, or if it is missing and has no default. It names the kind of
 * the item and the attribute, but no value, which may be a secret.
 */

export function text(item: Item, name: string, otherwise?: string): string {
  const value = item[name] ?? otherwise;
  return typeof value === 'string' ? value : broken(item, name, 'a text');
}

export const maybeText = (item: Item, name: string): string | undefined => (has(item, name) ? text(item, name) : undefined);

export function number(item: Item, name: string, otherwise?: number): number {
  const value = item[name] ?? otherwise;
  return typeof value === 'number' ? value : broken(item, name, 'a number');
}

export const maybeNumber = (item: Item, name: string): number | undefined => (has(item, name) ? number(item, name) : undefined);

export function flag(item: Item, name: string, otherwise?: boolean): boolean {
  const value = item[name] ?? otherwise;
  return typeof value === 'boolean' ? value : broken(item, name, 'true or false');
}

export const maybeFlag = (item: Item, name: string): boolean | undefined => (has(item, name) ? flag(item, name) : undefined);

/** One of the known texts. */
export function oneOf<T extends string>(item: Item, name: string, known: readonly T[], otherwise?: T): T {
  const value = item[name] ?? otherwise;
  return known.find((one) => one === value) ?? broken(item, name, 'one of the texts that are known');
}

/** The known texts of a list. A newer version of the service may have written others. */
export const knownOf = <T extends string>(item: Item, name: string, known: readonly T[]): T[] =>
  texts(item, name).flatMap((value) => known.find((one) => one === value) ?? []);

export function texts(item: Item, name: string, otherwise?: readonly string[]): string[] {
  const value = item[name] ?? otherwise;
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : broken(item, name, 'a list of texts');
}

/** A set of texts, empty if it is absent. DynamoDB does not store empty sets. */
export function textSet(item: Item, name: string): ReadonlySet<string> {
  const value = item[name] ?? new Set();
  return value instanceof Set && [...value].every((one) => typeof one === 'string')
    ? value
    : broken(item, name, 'a set of texts');
}

/** Bytes, none if they are absent. */
export function bytes(item: Item, name: string): Uint8Array {
  const value = item[name] ?? new Uint8Array();
  return value instanceof Uint8Array ? value : broken(item, name, 'bytes');
}

/** A map of numbers, empty if it is absent. */
export function numbers(item: Item, name: string): Readonly<Record<string, number>> {
  const value = item[name] ?? {};
  return isMapOfNumbers(value) ? value : broken(item, name, 'a map of numbers');
}

/** A map as it is. */
export function map(item: Item, name: string): Item {
  const value = item[name];
  return isMap(value) ? value : broken(item, name, 'a map');
}

/** A map, whose attributes these functions can read in turn; undefined if it is absent or null. */
export function maybeMap(item: Item, name: string): Item | undefined {
  if (!has(item, name)) return undefined;
  const value = item[name];
  return isMap(value) ? { ...value, [owner]: `${kindOf(item)} ${name}` } : broken(item, name, 'a map');
}

/** The maps of a list, whose attributes these functions can read in turn; empty if it is absent. */
export function maps(item: Item, name: string): Item[] {
  const value = item[name] ?? [];
  return Array.isArray(value) && value.every(isMap)
    ? value.map((one) => ({ ...one, [owner]: `${kindOf(item)} ${name}` }))
    : broken(item, name, 'a list of maps');
}

/** The fields without those that are undefined. */
export const defined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

const has = (item: Item, name: string): boolean => item[name] !== undefined && item[name] !== null;

const isMap = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Set);

const isMapOfNumbers = (value: unknown): value is Record<string, number> =>
  isMap(value) && Object.values(value).every((one) => typeof one === 'number');

/** The name of the errors of these functions. */
export const brokenItem = 'BrokenItem';

/** The item and attribute that a map was read from, for error messages. */
const owner = Symbol('owner');

/** The kind of an item: the beginnings of its keys, as in the list in `tables.ts`. */
function kindOf(item: Item & { readonly [owner]?: string }): string {
  const start = (key: unknown) => String(key).split('#', 1)[0];
  return item[owner] ?? `${start(item.pk)} ${start(item.sk)}`;
}

function broken(item: Item, name: string, expected: string): never {
  const error = new Error(`the item ${kindOf(item)} is broken: its attribute ${name} must be ${expected}`);
  throw Object.assign(error, { name: brokenItem });
}
