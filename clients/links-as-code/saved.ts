import * as z from 'zod/mini';
import { countsOf, type Plan } from './plan.ts';

// A plan in a file. It contains the settings of links, but no API key: you need a key to apply it.

/** The version of the format. Plans of other versions are refused. */
const version = 1;

const saved = z.strictObject({
  linksPlan: z.literal(version),
  service: z.string(),
  domain: z.string(),
  managedBy: z.string(),
  counts: z.record(z.string(), z.int()),
  steps: z.array(
    z.discriminatedUnion('action', [
      z.strictObject({ level: z.int(), action: z.literal('create-tag'), name: z.string(), color: z.string() }),
      z.strictObject({
        level: z.int(),
        action: z.literal('create'),
        slug: z.string(),
        wanted: z.looseObject({ url: z.string() }),
      }),
      z.strictObject({
        level: z.int(),
        action: z.literal('update'),
        slug: z.string(),
        id: z.string(),
        seen: z.looseObject({ url: z.string() }),
        changes: z.record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() })),
      }),
      z.strictObject({
        level: z.int(),
        action: z.literal('delete'),
        slug: z.string(),
        id: z.string(),
        seen: z.looseObject({ url: z.string() }),
      }),
    ]),
  ),
});

/** A plan as it is saved. @param service the URL of its service: on another service, it would do something else */
export const savedPlan = (plan: Plan, service: string): object => ({
  linksPlan: version,
  service,
  domain: plan.domain,
  managedBy: plan.managedBy,
  counts: countsOf(plan),
  steps: plan.steps,
});

/**
 * The plan in a file; undefined if it is something else, such as a manifest.
 *
 * @throws Error if the plan was damaged, or is of another version or for another service.
 */
export function planIn(text: string, service: string): Plan | undefined {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || !('linksPlan' in value)) return undefined;
  if (value.linksPlan !== version)
    throw new Error(`this is a plan of version ${value.linksPlan}, but this command needs version ${version}: plan again`);
  const read = z.safeParse(saved, value);
  if (!read.success) throw new Error('the plan is damaged: plan again');
  if (read.data.service !== service) throw new Error(`the plan is for ${read.data.service}, not for ${service}`);
  const { domain, managedBy, steps } = read.data;
  return { domain, managedBy, steps } as unknown as Plan;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
