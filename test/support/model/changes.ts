import {
  addressesOf,
  addressOf,
  type Fields,
  linkView,
  type ModelLink,
  type ModelTag,
  renamed,
  reservedBy,
  type State,
  unaliased,
} from './model.ts';

/** What `If-Match` names: the link as it was before this step, or an outdated version. */
export type Known = { readonly revision: number; readonly tags: unknown } | 'stale';

/** A change or a read that is atomic: done as a whole, or not at all. */
export type Change =
  | { readonly kind: 'create-tag'; readonly tag: ModelTag }
  | { readonly kind: 'rename-tag'; readonly tagId: string; readonly name: string; readonly folded: string }
  | { readonly kind: 'delete-tag'; readonly tagId: string }
  | { readonly kind: 'create-link'; readonly link: ModelLink }
  | {
      readonly kind: 'put-link';
      /** As it is created, if there is none with its external id. */
      readonly link: ModelLink;
      readonly customSlug: string | undefined;
    }
  | {
      readonly kind: 'update-link';
      readonly linkId: string;
      readonly fields: Fields;
      readonly tagIds?: readonly string[] | undefined;
      readonly known?: Known | undefined;
    }
  | { readonly kind: 'remove-alias'; readonly linkId: string; readonly slug: string; readonly known?: undefined }
  | { readonly kind: 'delete-link'; readonly linkId: string; readonly known?: Known | undefined }
  | { readonly kind: 'get-link'; readonly linkId: string }
  | { readonly kind: 'look-up'; readonly domain: string; readonly slug: string; readonly found?: string | undefined };

/** A requested change, and the statuses that it may have had. */
export type Asked = {
  readonly change: Change;
  readonly statuses: readonly number[];
  /** Whether it may have been done once more, before the attempt that got the response, with that response lost. */
  readonly unheard: boolean;
  /** Whether it is unknown if it was done at all. */
  readonly lost?: boolean;
  /** Whether the client sent it more than once. If not, it was done once or, if it was refused, not at all. */
  readonly repeated?: boolean;
};

type Result = { readonly state: State; readonly status: number };

const isHeld = ({ links }: State, externalId: unknown, except?: string): boolean =>
  externalId != null && Object.entries(links).some(([id, { fields }]) => id !== except && fields.externalId === externalId);

const holderOf = ({ links }: State, externalId: unknown): ModelLink | undefined =>
  Object.values(links).find(({ fields }) => fields.externalId === externalId);

/** What a replacement leaves as it is. */
const keptFields = ['id', 'shortCode', 'domain', 'shortUrl', 'aliases', 'isActive', 'hasPassword', 'clickCount', 'createdAt'];

const without = <T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([each]) => each !== key));

/** The possible results of a single change; mostly there is one. */
function apply(state: State, change: Change): Result[] {
  const { tags, links } = state;
  const as = (status: number, changed: Partial<State> = {}) => [{ status, state: { tags, links, ...changed } }];
  const knows = (tagIds: readonly string[]) => tagIds.every((tagId) => tags.some(({ id }) => id === tagId));
  switch (change.kind) {
    case 'create-tag':
      if (tags.some(({ folded }) => folded === change.tag.folded)) return as(409);
      return as(201, { tags: [...tags, change.tag] });
    case 'rename-tag': {
      const { tagId, name, folded } = change;
      if (!tags.some(({ id }) => id === tagId)) return as(404);
      if (tags.some((tag) => tag.id !== tagId && tag.folded === folded)) return as(409);
      return as(200, { tags: tags.map((tag) => (tag.id === tagId ? { ...tag, name, folded } : tag)) });
    }
    case 'delete-tag': {
      const { tagId } = change;
      if (!tags.some(({ id }) => id === tagId)) return as(404);
      const untagged = (link: ModelLink) => ({ ...link, tagIds: link.tagIds.filter((id) => id !== tagId) });
      return as(204, {
        tags: tags.filter(({ id }) => id !== tagId),
        links: Object.fromEntries(Object.entries(links).map(([id, link]) => [id, untagged(link)])),
      });
    }
    case 'create-link': {
      const { link } = change;
      const isTaken =
        Object.values(links).some((other) => reservedBy(other).includes(link.address)) || isHeld(state, link.fields.externalId);
      // If both apply, either may be noticed first.
      const refusals = [...(isTaken ? as(409) : []), ...(knows(link.tagIds) ? [] : as(422))];
      return refusals.length > 0 ? refusals : as(201, { links: { ...links, [String(link.fields.id)]: link } });
    }
    case 'put-link': {
      const { link, customSlug } = change;
      const unknown = knows(link.tagIds) ? [] : as(422);
      const there = holderOf(state, link.fields.externalId);
      const isReserved = (address: string, except?: unknown) =>
        Object.values(links).some((other) => other.fields.id !== except && reservedBy(other).includes(address));
      if (!there) {
        const refusals = [...(isReserved(link.address) ? as(409) : []), ...unknown];
        return refusals.length > 0 ? refusals : as(201, { links: { ...links, [String(link.fields.id)]: link } });
      }
      const { id, domain, shortCode } = there.fields;
      if (domain !== link.fields.domain) return as(409);
      const isRenamed = customSlug !== undefined && customSlug !== shortCode;
      const named = isRenamed ? renamed(there, customSlug) : there.fields;
      const isTaken = isRenamed && isReserved(addressOf(domain, customSlug), id);
      const refusals = [...(!named || isTaken ? as(409) : []), ...unknown];
      if (refusals.length > 0) return refusals;
      const kept = Object.fromEntries(keptFields.map((field) => [field, named?.[field]]));
      const { updatedAt: _, ...fields } = { ...link.fields, ...kept } as Record<string, unknown>;
      const isSame =
        JSON.stringify(link.tagIds) === JSON.stringify(there.tagIds) &&
        Object.entries(fields).every(([field, value]) => JSON.stringify(value) === JSON.stringify(there.fields[field]));
      const replaced = { ...there, tagIds: link.tagIds, fields, revision: there.revision + 1 };
      return as(200, { links: { ...links, [String(id)]: isSame ? there : replaced } });
    }
    case 'update-link': {
      const isRefused = !knows(change.tagIds ?? []);
      const results = given(state, change, (link) => {
        const { customSlug, ...settings } = change.fields;
        const isRenamed = customSlug !== undefined && customSlug !== link.fields.shortCode;
        const named = isRenamed ? renamed(link, String(customSlug)) : link.fields;
        const address = addressOf(link.fields.domain, customSlug);
        const isTaken = Object.entries(links).some(([id, other]) => id !== change.linkId && reservedBy(other).includes(address));
        // If both apply, either may be noticed first.
        const isOthers = isHeld(state, settings.externalId, change.linkId);
        const refusals = [...(!named || (isRenamed && isTaken) || isOthers ? as(409) : []), ...(isRefused ? as(422) : [])];
        if (refusals.length > 0) return refusals;
        const isSame = Object.keys(settings).length === 0 && !isRenamed && !change.tagIds;
        const { updatedAt: _, ...fields } = named as Fields;
        const tagIds = [...new Set(change.tagIds ?? link.tagIds)];
        const updated = { ...link, tagIds, fields: { ...fields, ...settings }, revision: link.revision + 1 };
        return as(200, { links: { ...links, [change.linkId]: isSame ? link : updated } });
      });
      // The function reads the link before the tags, so the link may have been deleted or changed since.
      return isRefused && change.known !== 'stale' ? [...results, ...as(422)] : results;
    }
    case 'remove-alias':
      return given(state, change, (link) => {
        const fields = unaliased(link, change.slug);
        const isShown = String(link.fields.shortCode).toLowerCase() === change.slug.toLowerCase();
        if (!fields) return as(isShown ? 409 : 404);
        const { updatedAt: _, ...known } = fields;
        return as(204, { links: { ...links, [change.linkId]: { ...link, fields: known, revision: link.revision + 1 } } });
      });
    case 'delete-link':
      return given(state, change, () => as(204, { links: without(links, change.linkId) }));
    case 'get-link':
      return as(links[change.linkId] ? 200 : 404);
    case 'look-up': {
      const address = addressOf(change.domain, change.slug);
      const there = Object.values(links).find((link) => addressesOf(link).includes(address));
      // Finding a different link is as wrong as finding none.
      return as(there?.fields.id === change.found ? 200 : 500);
    }
  }
}

/** The results of a change to a link, if it exists and `If-Match` still applies; else 404 or 412. */
function given(
  state: State,
  { linkId, known }: { linkId: string; known?: Known | undefined },
  done: (link: ModelLink) => Result[],
): Result[] {
  const link = state.links[linkId];
  if (!link) return [{ status: 404, state }];
  if (known === undefined) return done(link);
  if (known === 'stale' || known.revision !== link.revision) return [{ status: 412, state }];
  // Tags are not part of the link's item: the function reads them separately, and they may have changed in between.
  const isSame = JSON.stringify(known.tags) === JSON.stringify(linkView(state, link).tags);
  return isSame ? done(link) : [{ status: 412, state }, ...done(link)];
}

/** What a change reads, and what it may write, as names of single things. */
function touched(state: State, change: Change): { readonly reads: string[]; readonly writes: string[] } {
  const nameOf = (tagId: string) => `name ${state.tags.find(({ id }) => id === tagId)?.folded}`;
  const tagsOf = (linkId: string) => state.links[linkId]?.tagIds ?? [];
  const external = (...ids: unknown[]) => ids.flatMap((id) => (id == null ? [] : `external ${id}`));
  switch (change.kind) {
    case 'create-tag':
      return { reads: [], writes: [`name ${change.tag.folded}`] };
    case 'rename-tag':
      return { reads: [], writes: [change.tagId, nameOf(change.tagId), `name ${change.folded}`] };
    case 'delete-tag':
      return { reads: [], writes: [change.tagId, nameOf(change.tagId)] };
    case 'create-link':
      return {
        reads: [...change.link.tagIds],
        writes: [change.link.address, String(change.link.fields.id), ...external(change.link.fields.externalId)],
      };
    case 'put-link': {
      const { link } = change;
      const there = holderOf(state, link.fields.externalId);
      return {
        reads: [...link.tagIds],
        writes: [link.address, String(link.fields.id), String(there?.fields.id), ...external(link.fields.externalId)],
      };
    }
    case 'update-link': {
      const { customSlug, externalId } = change.fields;
      const ids = externalId === undefined ? [] : external(externalId, state.links[change.linkId]?.fields.externalId);
      const domain = state.links[change.linkId]?.fields.domain;
      return {
        reads: [...(change.tagIds ?? []), ...(change.known ? tagsOf(change.linkId) : [])],
        writes: [change.linkId, ...ids, ...(customSlug === undefined ? [] : [addressOf(domain, customSlug)])],
      };
    }
    case 'remove-alias':
      return {
        reads: [],
        writes: [change.linkId, addressOf(state.links[change.linkId]?.fields.domain, change.slug)],
      };
    case 'delete-link': {
      const link = state.links[change.linkId];
      return {
        reads: change.known ? [...tagsOf(change.linkId)] : [],
        writes: [change.linkId, ...external(link?.fields.externalId), ...(link ? reservedBy(link) : [])],
      };
    }
    case 'get-link':
      return { reads: [change.linkId], writes: [] };
    case 'look-up':
      return { reads: [addressOf(change.domain, change.slug)], writes: [] };
  }
}

/**
 * Groups changes so that no group reads or writes what another one writes. Then the order of the groups does not
 * matter.
 */
function groupsOf(state: State, asked: readonly Asked[]): Asked[][] {
  const entries = asked.map((one) => ({ one, ...touched(state, one.change) }));
  const groups: (typeof entries)[] = [];
  for (const entry of entries) {
    const isNear = (other: (typeof entries)[number]) =>
      other.writes.some((name) => entry.writes.includes(name) || entry.reads.includes(name)) ||
      other.reads.some((name) => entry.writes.includes(name));
    const near = groups.filter((group) => group.some(isNear));
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push([...near.flat(), entry]);
  }
  return groups.map((group) => group.map(({ one }) => one));
}

/** All states that concurrent changes can lead to, in any order that fits their responses. */
export function outcomesOf(state: State, asked: readonly Asked[]): State[] {
  let states = [state];
  for (const group of groupsOf(state, asked)) states = distinct(states.flatMap((one) => inEveryOrder(one, group, new Map())));
  return states;
}

const distinct = (states: readonly State[]): State[] => [...new Map(states.map((one) => [JSON.stringify(one), one])).values()];

/** Tries every order. The same state with the same remaining changes has the same outcomes, so `seen` caches them. */
function inEveryOrder(state: State, asked: readonly Asked[], seen: Map<string, State[]>): State[] {
  if (asked.length === 0) return [state];
  const name = JSON.stringify([state, asked]);
  const before = seen.get(name);
  if (before) return before;
  const found = asked.flatMap((one, index) => {
    const others = asked.filter((_, other) => other !== index);
    const results = apply(state, one.change);
    const done = results.filter(({ status }) => status < 300);
    const last = one.lost ? [...done, { state }] : results.filter(({ status }) => one.statuses.includes(status));
    return [
      ...last.flatMap((result) => inEveryOrder(result.state, others, seen)),
      ...(one.unheard ? done : []).flatMap((result) => inEveryOrder(result.state, [...others, { ...one, unheard: false }], seen)),
    ];
  });
  const outcomes = distinct(found);
  seen.set(name, outcomes);
  return outcomes;
}
