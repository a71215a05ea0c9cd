import { type Api, apiOf } from '../../../clients/links-as-code/api.ts';
import { applyPlan } from '../../../clients/links-as-code/apply.ts';
import { observe } from '../../../clients/links-as-code/observe.ts';
import { type Plan, planOf, queryOf } from '../../../clients/links-as-code/plan.ts';
import { readManifest } from '../../../clients/links-as-code/read.ts';
import { linksClient } from '../../../clients/typescript/client.ts';
import type { Service, Workspace } from '../service/service.ts';

/** A link as a manifest has it. */
export type WrittenLink = { readonly slug: string; readonly url: string; readonly [field: string]: unknown };

/** A manifest of the workspace's domain, in JSON, which is YAML. */
export const manifestOf = (
  { domain }: Pick<Workspace, 'domain'>,
  links: readonly WrittenLink[],
  more: Record<string, unknown> = {},
): string => JSON.stringify({ owner: 'marketing', domain, ...more, links });

/** The API of a workspace. Pauses take no time. */
export const apiTo = (service: Service, { key }: Pick<Workspace, 'key'>, via: Partial<Surroundings> = {}): Api =>
  apiOf(linksClient({ baseUrl: service.baseUrl, apiKey: key, wait: async () => {}, ...via }));

type Surroundings = { readonly fetch: typeof fetch; readonly wait: () => Promise<void> };

export async function planFor(api: Api, text: string): Promise<Plan> {
  const manifest = readManifest(text);
  return planOf(manifest, await observe(api, queryOf(manifest), () => {}));
}

/** Applies a whole plan. @throws the error that ended it early */
export async function applied(api: Api, plan: Plan) {
  const { results, failure } = await applyPlan(api, plan, { progress: () => {}, isStopped: () => false });
  if (failure) throw failure;
  return results;
}

/** A command dies here, in the middle of its requests. */
export class Died extends Error {}

/**
 * A network on which a command dies at its nth request, from 0: before it is sent, or before its answer arrives. Some answers
 * before that are lost, so that the request is sent again.
 */
export function deadlyNetwork({ at, isSent, lost }: { at: number; isSent: boolean; lost: readonly number[] }): Surroundings {
  let sent = 0;
  let isDead = false;
  return {
    fetch: async (url, init) => {
      const number = sent++;
      if (isDead || (number >= at && !isSent)) {
        isDead = true;
        throw new TypeError('died');
      }
      const response = await fetch(url, init);
      if (number >= at) {
        isDead = true;
        throw new TypeError('died');
      }
      if (lost.includes(number)) {
        await response.arrayBuffer();
        throw new TypeError('the answer was lost');
      }
      return response;
    },
    wait: async () => {
      if (isDead) throw new Died();
    },
  };
}
