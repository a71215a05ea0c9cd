import { framingUnasked } from '../domain/framing.ts';
import { timeLeft } from '../runtime/deadline.ts';
import { framingAllowed } from './framing.ts';

/** How long destinations are asked, in milliseconds: always that long, so that the time of an answer says nothing of what came back. */
const lookUpMs = 1_500;
/** How many destinations are asked at a time, and how often, for one request: the others stay unknown. */
const atOnce = 50;
const mostTimes = 4;

/** What is found out changes of a link that shall be framed: nothing where there is no such destination, or it does not say. */
type FramingChange = { readonly unframeableUrl?: string | null };

/** Takes so many look-ups of what a workspace may have in an hour, and says how many of them there are. */
export type TakeLookUps = (wanted: number) => Promise<number>;

/** Finds out for each link whether its destination allows frames. Each destination is asked once for each domain. @returns an entry for each link. */
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
  await askAll([...toAsk].slice(0, atOnce * mostTimes), found, take);
  return links.map((link) => {
    const allowed = found.get(nameOf(link));
    return allowed === undefined ? {} : { unframeableUrl: allowed ? null : (link.url ?? null) };
  });
}

/** Asks as many destinations as the workspace may, and notes what they said in time. How long it takes follows from their number alone. */
async function askAll(all: readonly [string, [URL, URL]][], found: Map<string, boolean | undefined>, take: TakeLookUps) {
  const granted = all.length === 0 ? 0 : await take(all.length);
  // Half of the time that is left is for what comes after.
  for (let first = 0; first < granted && timeLeft() > 2 * lookUpMs; first += atOnce) {
    const over = new AbortController();
    for (const [name, urls] of all.slice(first, Math.min(granted, first + atOnce))) {
      void framingAllowed(...urls, over.signal).then((allowed) => {
        if (!over.signal.aborted) found.set(name, allowed);
      });
    }
    await new Promise((done) => setTimeout(done, lookUpMs));
    over.abort();
  }
}
