import { alarming } from '../core/alarms.ts';
import { addressOf } from '../core/click/address.ts';
import { type Click, nothingKnown, webhookFields } from '../core/click/click.ts';
import { dimensionsOf } from '../core/click/dimensions.ts';
import { newClick } from '../core/click/new-click.ts';
import type { Link } from '../core/link/link.ts';
import { recordedWithinMs } from '../core/visit/visit.ts';
import { timeForAttempt, timeLeft, withDeadline } from '../runtime/deadline.ts';
import { instant } from '../runtime/instant.ts';
import { loggedRequest } from '../runtime/logged-request.ts';
import { clickMessage, recordClick } from '../store/clicks/clicks.ts';
import type { VisitRequest } from './decide-visit.ts';
import type { ThrottleMemory } from './remembered-throttles.ts';
import type { UniqueVisitors } from './unique-visitors.ts';
import { countryOf } from './whereabouts.ts';

/** How long one attempt may take, in milliseconds. A retry is harmless, because the click's key is fixed. */
const attemptMs = 400;

/** How a function records visits. */
export type Recorder = {
  /** Whether the table throttled a click a moment ago. */
  readonly throttles: ThrottleMemory;
  readonly visitors: UniqueVisitors;
};

/**
 * Records a click with the time at which the gateway received the request. If the visitor opts out, it says nothing
 * about them.
 *
 * The visitor waits for a retry after a lost response, which is rare, but not for a table that throttles clicks: the
 * click then goes to a queue, and is counted later. If it cannot be recorded, the visitor is redirected anyway, and a
 * metric counts the failure.
 *
 * @param claim the number of the visit's claim of the link's cap; undefined without a cap.
 * @param variant the id of the variant that the visitor got; undefined if there was none.
 */
export async function recordVisit(
  link: Link,
  request: VisitRequest,
  { throttles, visitors }: Recorder,
  { claim, variant }: MoreOfVisit,
): Promise<void> {
  try {
    const known = request.optsOut
      ? nothingKnown
      : {
          ...dimensionsOf(request, countryOf(request), variant),
          ...addressOf(request, link),
          visitor: visitors.hashOf(link, request),
        };
    const click = newClick(link, request.receivedAt, known, webhookFields(link, request.wantsClicks, claim));
    await withDeadline(
      Math.min(timeLeft(), recordedWithinMs),
      () => recordOrQueue(click, throttles),
      attemptMs,
      () => throttles.throttled(instant()),
    );
  } catch (error) {
    const { id: linkId, workspaceId } = link;
    console.error({ message: alarming.clickNotRecorded, ...loggedRequest(), workspaceId, linkId, name: (error as Error).name });
  }
}

/**
 * Records a click in the table, or sends it to the queue if the table throttles it, or has throttled another one within
 * the last second. The code that sends it is in a file of its own beside the bundle, so that other visits don't load
 * it.
 */
async function recordOrQueue(click: Click, throttles: ThrottleMemory): Promise<void> {
  const isBusy = () => throttles.isBusy(instant());
  if (!isBusy()) {
    try {
      return await recordClick(click);
    } catch (error) {
      if (!isBusy()) throw error;
    }
  }
  await (await import('#waiting-clicks')).sendClick(clickMessage(click), timeForAttempt);
}

type MoreOfVisit = { readonly claim: number | undefined; readonly variant: string | undefined };
