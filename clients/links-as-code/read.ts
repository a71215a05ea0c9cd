import { isAlias, isCollection, isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import type * as z from 'zod/mini';
import { canonicalHost } from '../../lambdas/core/host/host.ts';
import { contradictionIn, destinationsOf } from '../../lambdas/core/link/link.ts';
import { foldSlug } from '../../lambdas/core/link/slug.ts';
import { foldTagName } from '../../lambdas/core/tag/tag.ts';
import { check } from '../../lambdas/http/validation.ts';
import { withPermissiveSettings } from '../../lambdas/runtime/settings.ts';
import * as schema from './schema.ts';
import { type Wanted, wantedOf } from './settings.ts';

/** A mistake in a manifest. Lines and columns are counted from 1. */
export type Fault = { readonly line: number; readonly column: number; readonly message: string };

/** @throws ManifestError */
export class ManifestError extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(({ line, column, message }) => `${line}:${column}: ${message}`).join('\n'));
    this.name = 'ManifestError';
    this.faults = faults;
  }
}

/** A path in a manifest: keys and indexes, such as `links`, 3 and `tags`. */
export type Path = readonly (string | number)[];

export type ManifestLink = {
  readonly wanted: Wanted;
  readonly renamedFrom: string | undefined;
  /** Its position in the manifest, from 0. */
  readonly position: number;
};

export type Manifest = {
  readonly domain: string;
  /** The `managedBy` of its links: `owner@domain`. */
  readonly managedBy: string;
  /** Tags to create if the workspace does not have them. If a color is absent, the plan chooses one. */
  readonly tags: readonly z.output<typeof schema.tag>[];
  readonly links: readonly ManifestLink[];
  /** Makes a fault at a path. */
  readonly faultAt: (path: Path, message: string) => Fault;
};

/**
 * The parser's limit on the expansion of YAML aliases, against attacks on memory. Its default of 100 is less than one
 * alias for each link.
 */
const mostAliases = 10_000;

/** How many faults are listed. */
const mostFaults = 20;

/**
 * Reads a manifest, in YAML 1.2 or JSON. Values are in the form in which the service stores them.
 *
 * @throws ManifestError that lists what is wrong: syntax, unknown and duplicate keys, values that the service would
 * refuse, and links that don't go together. Only the service knows whether a destination is blocked.
 */
export function readManifest(text: string): Manifest {
  const { value, faultAt } = parse(text);
  const checked = withPermissiveSettings(() => check(schema.manifest, value));
  if (checked.errors) {
    throw new ManifestError(
      checked.errors.map(({ path, code, message }) => {
        const at = pathOf(path);
        const isNumber = code === 'invalid_type' && message.endsWith('string') && typeof valueAt(value, at) === 'number';
        return faultAt(
          at,
          `${nameOf(at)} ${said(code, message)}${isNumber ? ': put it in quotes' : ''}`,
          code === 'unknown_field',
        );
      }),
    );
  }
  const { owner, domain, defaults, tags = [], links } = checked.value;
  const read = {
    domain,
    managedBy: `${owner}@${domain}`,
    tags,
    links: links.map((link, position) => ({ wanted: wantedOf(link, defaults), renamedFrom: link.renamedFrom, position })),
    faultAt,
  };
  const faults = [...contradictions(read), ...duplicates(read, [defaults ?? {}, ...links])];
  if (faults.length > 0) throw new ManifestError(faults.slice(0, mostFaults));
  return read;
}

/** A document that is well-formed and has no duplicate keys. @throws ManifestError */
function parse(text: string) {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, stringKeys: true });
  const at = (offset: number, message: string): Fault => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col), message };
  };
  const bad = [...document.errors, ...document.warnings];
  if (bad.length > 0) {
    const faults = bad.map(({ code, message, pos }) =>
      at(pos[0], code === 'DUPLICATE_KEY' ? 'the key appears twice' : firstLine(message)),
    );
    throw new ManifestError(faults.slice(0, mostFaults));
  }
  const resolved = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node);
  /** The node at a path, or else the nearest one above it. With `isKey`, the key of the last part. */
  const nodeAt = (path: Path, isKey: boolean): Node | null => {
    let node = document.contents as Node | null;
    for (const [depth, part] of path.entries()) {
      const inside = resolved(node);
      if (isMap(inside)) {
        const pair = inside.items.find(({ key }) => isScalar(key) && key.value === part);
        if (!pair) return node;
        const isLast = depth === path.length - 1;
        node = ((isLast && isKey) || !pair.value ? pair.key : pair.value) as Node;
      } else if (isCollection(inside)) node = (inside.items[Number(part)] as Node | undefined) ?? node;
      else return node;
    }
    return node;
  };
  const faultAt = (path: Path, message: string, isKey = false): Fault => at(nodeAt(path, isKey)?.range?.[0] ?? 0, message);
  try {
    return { value: document.toJS({ maxAliasCount: mostAliases }) as unknown, faultAt };
  } catch (error) {
    throw new ManifestError([at(0, firstLine((error as Error).message))]);
  }
}

/** The first line of a parser's message. Too many levels make JavaScript's own error of the call stack. */
const firstLine = (text: string): string =>
  text.includes('call stack') ? 'it is nested too deeply' : (text.split('\n')[0] ?? '');

/** The parts of a JSON Pointer (RFC 6901). */
const pathOf = (pointer: string): Path =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((inside: unknown, part) => (inside as Record<string, unknown> | null | undefined)?.[part], value);

/** `links/3/url` becomes `links[3].url`, and an empty path becomes "the manifest". */
const nameOf = (path: Path): string =>
  path.map((part, depth) => (/^\d+$/.test(String(part)) ? `[${part}]` : `${depth > 0 ? '.' : ''}${part}`)).join('') ||
  'the manifest';

const said = (code: string, message: string): string => (code === 'unknown_field' ? 'is not a field of a manifest' : message);

/** Settings that don't go together, and destinations on the manifest's own domain, which would be loops. */
function* contradictions({ links, domain, faultAt }: Manifest): Generator<Fault> {
  for (const { wanted, position } of links) {
    const at = (pointer: string, message: string): Fault => {
      // The field `customSlug` of requests is `slug` here.
      const path = ['links', position, ...pathOf(pointer === '/customSlug' ? '/slug' : pointer)];
      return faultAt(path, `${nameOf(path)} ${message}`);
    };
    // Tags have other names here, and no rule is about them.
    const { tags: _, slug: customSlug, ...settings } = wanted;
    const found = contradictionIn({ ...settings, customSlug });
    if (found) yield at(found.path, found.message);
    for (const { path, url } of destinationsOf(settings))
      if (canonicalHost(new URL(url).hostname) === domain) yield at(path, 'must not point to a short domain of this service');
  }
}

/** Faults for identifiers that appear twice. @param sent the defaults, and then the links, as they were written */
function* duplicates(
  { tags, links, faultAt }: Manifest,
  sent: readonly { readonly tags?: readonly string[] | undefined }[],
): Generator<Fault> {
  const repeated = (what: string) => {
    const first = new Map<string, Path>();
    return function* (key: string, shown: string, path: Path): Generator<Fault> {
      const before = first.get(key);
      if (before) yield faultAt(path, `${what} "${shown}" appears twice: first in line ${faultAt(before, '').line}`);
      else first.set(key, path);
    };
  };
  const tag = repeated('the tag');
  for (const [position, { name }] of tags.entries()) yield* tag(foldTagName(name), name, ['tags', position, 'name']);
  const slug = repeated('the slug');
  const externalId = repeated('the externalId');
  for (const { wanted, position } of links) {
    yield* slug(foldSlug(wanted.slug), wanted.slug, ['links', position, 'slug']);
    if (wanted.externalId !== null) yield* externalId(wanted.externalId, wanted.externalId, ['links', position, 'externalId']);
  }
  const renamed = repeated('renamedFrom');
  const positions = new Map(links.map(({ wanted, position }) => [foldSlug(wanted.slug), position]));
  for (const { renamedFrom, position } of links) {
    if (renamedFrom === undefined) continue;
    const path = ['links', position, 'renamedFrom'];
    yield* renamed(foldSlug(renamedFrom), renamedFrom, path);
    const other = positions.get(foldSlug(renamedFrom));
    if (other !== undefined) {
      const { line } = faultAt(['links', other, 'slug'], '');
      yield faultAt(path, `renamedFrom "${renamedFrom}" is the slug of the link in line ${line}, so no link can leave it`);
    }
  }
  for (const [count, { tags = [] }] of sent.entries()) {
    const tagOfLink = repeated('the tag');
    const owner = count === 0 ? ['defaults'] : ['links', count - 1];
    for (const [at, name] of tags.entries()) yield* tagOfLink(foldTagName(name), name, [...owner, 'tags', at]);
  }
}
