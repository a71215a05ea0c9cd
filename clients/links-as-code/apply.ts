import { foldTagName } from '../../lambdas/core/tag/tag.ts';
import { inParallel } from '../../lambdas/runtime/in-parallel.ts';
import type { Schemas } from '../typescript/client.ts';
import { type Api, isProblem, maxAttempts, type TaggedLink } from './api.ts';
import { concurrency, type Observed, observe, type Progress } from './observe.ts';
import type { Plan, Step, StepOf } from './plan.ts';
import { nameOf } from './render.ts';
import { changesOf, isUnchanged, type Seen, type Settings, seenOf, type Wanted } from './settings.ts';

/** The outcome of a step, with the reason if it was refused. */
export type Result = { readonly step: Step } & (
  | { readonly outcome: 'done' | 'already done' }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'not reached' }
);

type Options = {
  readonly progress: Progress;
  /** Whether to stop after the requests that are under way. */
  readonly isStopped: () => boolean;
};

/** A step cannot be done, because somebody else has changed something since the plan. */
class Refused extends Error {}

/** The results of all steps, in the order of the plan, and the error that ended the work early, if one did. */
export type Ending = { readonly results: readonly Result[]; readonly failure: unknown };

/**
 * Carries out a plan, and nothing else. A link is changed only if it is still as the plan saw it. Steps that an earlier
 * attempt has done are recognized. If a step is refused, the others are still carried out.
 */
export async function applyPlan(api: Api, plan: Plan, { progress, isStopped }: Options): Promise<Ending> {
  const results = new Map<Step, Result>();
  const tags = tagIdsOf(api);
  const levels = Map.groupBy(plan.steps, ({ level }) => level);
  let failure: unknown;
  try {
    for (const level of [...levels.keys()].sort((one, other) => one - other)) {
      await inParallel(levels.get(level) ?? [], concurrency, async (step) => {
        if (isStopped()) return;
        results.set(step, await carryOut(api, plan, step, tags));
        if (results.size % 100 === 0) progress(`${results.size} of ${plan.steps.length} done`);
      });
    }
  } catch (error) {
    failure = error;
  }
  return { results: plan.steps.map((step) => results.get(step) ?? { step, outcome: 'not reached' }), failure };
}

async function carryOut(api: Api, plan: Plan, step: Step, tags: TagIds): Promise<Result> {
  try {
    switch (step.action) {
      case 'create-tag':
        return { step, outcome: (await tags.create(step)) ? 'done' : 'already done' };
      case 'create':
        return { step, outcome: await create(api, plan, step, tags) };
      case 'update': {
        const body = async () => bodyOf(targetOf(step), tags);
        return {
          step,
          outcome: await whileUnchanged(api, step, async ({ link, etag }) => api.updateLink(link.id, etag, await body())),
        };
      }
      case 'delete':
        return { step, outcome: await whileUnchanged(api, step, ({ link, etag }) => api.deleteLink(link.id, etag)) };
    }
  } catch (error) {
    // A refusal by the service concerns only this link. Other errors concern all steps.
    const isOwn = error instanceof Refused || isProblem(error, ...ofOneLink);
    if (isOwn) return { step, outcome: 'refused', reason: error.message };
    throw error;
  }
}

const ofOneLink = [
  'validation_failed',
  'tag_not_found',
  'slug_taken',
  'alias_limit_reached',
  'external_id_taken',
  'tag_limit_reached',
  'request_too_large',
] as const;

/** Creates a link, unless an earlier attempt or another run has created it. */
async function create(api: Api, { domain, managedBy }: Plan, step: StepOf<'create'>, tags: TagIds) {
  const { slug, ...settings } = step.wanted;
  try {
    const { externalId, url: _, ...body } = await bodyOf(settings, tags);
    await api.createLink({ ...body, url: settings.url, ...(externalId && { externalId }), domain, customSlug: slug, managedBy });
    return 'done';
  } catch (error) {
    if (!isProblem(error, 'slug_taken', 'external_id_taken')) throw error;
    const there = await api.lookUp(domain, slug);
    if (!there) throw error;
    if (stateOf(step, seenOf(there.link), managedBy) === 'done') return 'already done';
    throw new Refused(`${domain}/${slug} was created by somebody else since the plan`);
  }
}

/**
 * Changes or deletes a link as long as its settings are as the plan saw them. The entity tag also covers what the plan
 * doesn't see, such as the color of a tag. If only that has changed, it retries.
 */
async function whileUnchanged(
  api: Api,
  step: StepOf<'update' | 'delete'>,
  write: (link: TaggedLink) => Promise<void>,
): Promise<'done' | 'already done'> {
  let outcome: 'done' | 'already done' = 'already done';
  for (let attempts = 0; ; attempts++) {
    const found = await api.getLink(step.id);
    const state = stateOf(step, found && seenOf(found.link));
    if (state === 'done') return outcome;
    if (!found || state !== 'open') throw new Refused(state);
    // From now on, the step may have been done here, although the response was lost.
    outcome = 'done';
    try {
      await write(found);
      return outcome;
    } catch (error) {
      const hasChanged = isProblem(error, 'precondition_failed', 'not_found');
      if (!hasChanged) throw error;
      if (attempts === maxAttempts) throw new Refused('the link keeps changing: try again later');
    }
  }
}

/**
 * Whether a step is open or done, or else why it cannot be done any more.
 *
 * @param now the settings of the link with the step's id, or, for a creation, of the link at its address.
 */
function stateOf(step: Step, now: Seen | undefined, managedBy?: string): 'open' | 'done' | (string & {}) {
  switch (step.action) {
    case 'create-tag':
      return 'open';
    case 'create':
      if (!now) return 'open';
      return Object.keys(changesOf({ ...step.wanted, managedBy: managedBy ?? null }, now)).length === 0
        ? 'done'
        : 'a link was created there since the plan';
    case 'update': {
      if (!now) return 'the link was deleted since the plan';
      if (isUnchanged(step.seen, now)) return 'open';
      return isUnchanged({ ...step.seen, ...targetOf(step) }, now) ? 'done' : differing(step.seen, now);
    }
    case 'delete':
      if (!now) return 'done';
      return isUnchanged(step.seen, now) ? 'open' : differing(step.seen, now);
  }
}

/** The settings that a step changes, with their new values. */
const targetOf = ({ changes }: StepOf<'update'>): Partial<Settings> =>
  Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to]));

const differing = (seen: Seen, now: Seen): string =>
  `somebody has changed the link since the plan: ${Object.keys(changesOf(now, seen)).join(', ')}`;

/**
 * Compares a saved plan with what exists, before anything is written.
 *
 * @returns the steps that cannot be done any more, with the reasons. Steps that are already done are left out.
 */
export async function refusalsOf(api: Api, plan: Plan, progress: Progress): Promise<Result[]> {
  const created = plan.steps.filter((step) => step.action === 'create');
  const observed = await observe(api, { ...plan, slugs: created.map(({ slug }) => slug), externalIds: [] }, progress);
  const links = new Map(observed.managed.map((link) => [link.id, link]));
  const results = await inParallel(plan.steps, concurrency, async (step): Promise<Result | undefined> => {
    if (step.action === 'create-tag') return undefined;
    const link = step.action === 'create' ? linkAt(observed, step) : (links.get(step.id) ?? (await api.getLink(step.id))?.link);
    const state = stateOf(step, link && seenOf(link), plan.managedBy);
    return state === 'open' || state === 'done' ? undefined : { step, outcome: 'refused', reason: state };
  });
  return results.filter((result) => result !== undefined);
}

const linkAt = ({ bySlug }: Observed, { slug }: StepOf<'create'>) => bySlug.get(slug.toLowerCase());

/** Settings as the body of a request, with the ids of their tags. `slug` becomes `customSlug`. */
async function bodyOf({ slug, tags, ...settings }: Partial<Wanted>, known: TagIds): Promise<Schemas['UpdateLinkRequest']> {
  return {
    ...settings,
    ...(slug !== undefined && { customSlug: slug }),
    ...(tags && { tagIds: await known.idsOf(tags) }),
  } as Schemas['UpdateLinkRequest'];
}

/** The ids of the workspace's tags. They are read when the first one is needed. */
function tagIdsOf(api: Api) {
  const read = async () => new Map((await api.listTags()).map(({ id, name }) => [foldTagName(name), id]));
  let known: ReturnType<typeof read> | undefined;
  return {
    /** Creates a tag. @returns whether it did not exist */
    async create({ name, color }: StepOf<'create-tag'>): Promise<boolean> {
      known ??= read();
      if ((await known).has(foldTagName(name))) return false;
      try {
        const { id } = await api.createTag(name, color);
        (await known).set(foldTagName(name), id);
        return true;
      } catch (error) {
        // Somebody else, or an attempt whose response was lost, has created it meanwhile.
        if (!isProblem(error, 'tag_name_taken')) throw error;
        known = read();
        return false;
      }
    },
    async idsOf(names: readonly string[]): Promise<string[]> {
      known ??= read();
      const ids = await known;
      return names.map((name) => {
        const id = ids.get(foldTagName(name));
        if (id === undefined) throw new Refused(`the tag "${name}" does not exist any more`);
        return id;
      });
    },
  };
}

type TagIds = ReturnType<typeof tagIdsOf>;

/** The refused steps, a line each. */
export const refusedLines = (results: readonly Result[]): string[] =>
  results.flatMap((result) => (result.outcome === 'refused' ? `${nameOf(result.step)}: ${result.reason}` : []));
