import { setTimeout as wait } from 'node:timers/promises';
import { type LinksClient, type LinksClientOptions, linksClient } from '../typescript/client.ts';
import type { Trial } from './steps.ts';
import { type Visit, visitsOf } from './visits.ts';

/** After this long without a response, a test or its clean-up gives up. No step needs to wait that long for one. */
const silentMs = 20_000;

/** Where to try, and the surroundings; by default, those of this process. */
type Place = Pick<Trial, 'baseUrl' | 'apiKey' | 'domain' | 'isGuest' | 'lastUsedAt' | 'managedDomain' | 'tell'> &
  Pick<LinksClientOptions, 'fetch' | 'onWait'> & {
    readonly visit?: Visit;
    /** Stops the test. */
    readonly signal: AbortSignal;
  };

/**
 * What a test needs, and a client that cleans up after it, even if the test was stopped. Both end for good after 20
 * seconds without a response. The client by itself would retry for a minute in each step.
 */
export function trialOf({ signal, onWait = () => {}, ...place }: Place): { trial: Trial; cleaner: LinksClient } {
  const { baseUrl, apiKey } = place;
  const [tested, cleaned] = [presenceOf(place), presenceOf(place)];
  const stopped = AbortSignal.any([signal, tested.gone]);
  return {
    trial: {
      ...place,
      client: linksClient({ baseUrl, apiKey, onWait, fetch: tested.fetch, signal: stopped }),
      fetch: tested.fetch,
      visit: tested.visit,
      wait: async (ms) => void (await wait(ms, undefined, { signal: stopped })),
      isStopped: () => stopped.aborted,
    },
    cleaner: linksClient({ baseUrl, apiKey, onWait, fetch: cleaned.fetch, signal: cleaned.gone }),
  };
}

/** Requests and visits, and a signal that none of them has got a response for too long. */
function presenceOf({ baseUrl, fetch = globalThis.fetch, visit = visitsOf(baseUrl) }: Omit<Place, 'signal'>) {
  const leaving = new AbortController();
  const { signal: gone } = leaving;
  const leave = () => leaving.abort(new Error(`the service has not responded for ${silentMs / 1_000} seconds`));
  const left = new Promise<never>((_, reject) => gone.addEventListener('abort', () => reject(gone.reason)));
  left.catch(() => {});
  // Since the first request without a response, and through all attempts after it.
  let silence: NodeJS.Timeout | undefined;
  async function answered<T>(asked: Promise<T>): Promise<T> {
    silence ??= setTimeout(leave, silentMs).unref();
    const answer = await Promise.race([asked, left]);
    clearTimeout(silence);
    silence = undefined;
    return answer;
  }
  const eitherSignal = (signal: AbortSignal | null = null) => (signal ? AbortSignal.any([signal, gone]) : gone);
  return {
    gone,
    fetch: ((input, init) => answered(fetch(input, { ...init, signal: eitherSignal(init?.signal) }))) as typeof fetch,
    visit: ((shortUrl, options) => answered(visit(shortUrl, options))) as Visit,
  };
}
