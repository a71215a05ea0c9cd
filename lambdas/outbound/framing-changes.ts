import { timeLeft, withDeadline } from '../deadline.ts';
import { framingAllowed } from './framing.ts';

/** What is found out changes of a link that shall be framed: nothing where there is no such destination, or it does not say. */
export async function framingChange(url: string | undefined, pageOrigin: string): Promise<{ unframeableUrl?: string | null }> {
  const allowed = url === undefined ? undefined : await framingAllowed(url, pageOrigin);
  return allowed === undefined ? {} : { unframeableUrl: allowed ? null : (url ?? null) };
}

/** For many links in all, in milliseconds, and how many are asked at a time: what is not reached by then stays unknown. */
const manyBudget = 6_000;
const inFlight = 20;

/** The same for many links: an entry for each. Each destination is asked once for each domain. */
export async function framingChanges(links: readonly { readonly url: string | undefined; readonly pageOrigin: string }[]) {
  const nameOf = ({ url, pageOrigin }: (typeof links)[number]) => JSON.stringify([url, pageOrigin]);
  const distinct = [...new Map(links.filter(({ url }) => url !== undefined).map((link) => [nameOf(link), link]))];
  const found = new Map<string, { unframeableUrl?: string | null }>();
  let next = 0;
  const worker = async () => {
    for (let one = distinct[next++]; one && timeLeft() > 0; one = distinct[next++]) {
      found.set(one[0], await framingChange(one[1].url, one[1].pageOrigin));
    }
  };
  await withDeadline(Math.min(timeLeft(), manyBudget), () => Promise.all(Array.from({ length: inFlight }, worker)));
  return links.map((link) => found.get(nameOf(link)) ?? {});
}
