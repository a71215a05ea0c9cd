import { framingUnasked } from '../core/link/framing.ts';
import { timeLeft } from '../runtime/deadline.ts';
import { framingAllowed } from './framing.ts';

/**
 * How long destinations are asked, in milliseconds. Always the full time, so that it reveals nothing about the
 * responses.
 */
const lookUpMs = 1_500;
/** How many destinations are asked at a time, and in at most how many rounds per request. The others stay unknown. */
const concurrency = 50;
const mostRounds = 4;

/** The change to a cloaked link: none if there is no destination to check, or the check was inconclusive. */
type FramingChange = { readonly unframeableUrl?: string | null };

/** Takes lookups from the workspace's hourly limit, and returns how many are granted. */
export type TakeLookUps = (wanted: number) => Promise<number>;

/**
 * Checks whether the links' destinations allow framing, one result for each link. Each destination is asked once per
 * domain.
 */
export async function framingChanges(
  links: readonly { readonly url: string | undefined; readonly pageOrigin: string }[],
  take: TakeLookUps,
): Promise<FramingChange[]> {
  const nameOf = ({ url, pageOrigin }: (typeof links)[number]) => JSON.stringify([url, pageOrigin]);
  const found = new Map<string, boolean | undefined>();
  const toAsk = new Map<string, [URL, URL]>();
  for (const link of links) {
    if (link.url === undefined) continue;
    const urls: [URL, URL] = [new URL(link.url), new URL(link.pageOrigin)];
    const known = framingUnasked(...urls);
    if (known === 'ask') toAsk.set(nameOf(link), urls);
    else found.set(nameOf(link), known);
  }
  await askAll([...toAsk].slice(0, concurrency * mostRounds), found, take);
  return links.map((link) => {
    const allowed = found.get(nameOf(link));
    return allowed === undefined ? {} : { unframeableUrl: allowed ? null : (link.url ?? null) };
  });
}

/**
 * Asks as many destinations as the workspace's limit grants, and records responses in time. The duration depends only
 * on their number.
 */
async function askAll(all: readonly [string, [URL, URL]][], found: Map<string, boolean | undefined>, take: TakeLookUps) {
  const granted = all.length === 0 ? 0 : await take(all.length);
  // A round begins only if it leaves as much time as it takes for what comes after.
  for (let first = 0; first < granted && timeLeft() > 2 * lookUpMs; first += concurrency) {
    const over = new AbortController();
    for (const [name, urls] of all.slice(first, Math.min(granted, first + concurrency))) {
      void framingAllowed(...urls, over.signal).then((allowed) => {
        if (!over.signal.aborted) found.set(name, allowed);
      });
    }
    await new Promise((done) => setTimeout(done, lookUpMs));
    over.abort();
  }
}
