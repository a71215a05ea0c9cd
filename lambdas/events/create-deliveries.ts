import type { Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { alarming } from '../domain/alarms.ts';
import { type Delivery, newDeliveries } from '../domain/delivery.ts';
import { enableSchedule, startSenders } from '../outbound/senders.ts';
import { withinInvocation } from '../runtime/deadline.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { setting } from '../runtime/settings.ts';
import { putAside } from '../store/clicks/failures.ts';
import { type RecordedClick, toRecordedClick } from '../store/clicks/list.ts';
import { findLinks } from '../store/links/links.ts';
import { tableTime } from '../store/table/clock.ts';
import { linkOfClick, type ReceiverPk } from '../store/table/keys.ts';
import { addDelivery, receiverOf } from '../store/webhooks/deliveries.ts';
import { markDue } from '../store/webhooks/receivers.ts';
import { ensureScheduled } from '../store/webhooks/schedule.ts';
import { targetsOf } from '../store/webhooks/targets.ts';
import { linkInPayload, webhookBody } from '../views/webhook-payload.ts';

/** A click that a webhook wants to know of. */
type HookedClick = RecordedClick & {
  readonly workspaceId: string;
  /** Of the cap that this click used up: its epoch and its clicks. */
  readonly capReached: string | undefined;
};

/** How many items to write at a time. */
const inFlight = 25;

/**
 * Creates the deliveries of clicks, marks their receivers as due, and starts senders for them. Also starts a sender if
 * somebody has asked for one. A batch that is repeated makes the same deliveries, so nothing is sent for it again.
 *
 * Each URL gets what its workspace wants when this runs: its webhooks that are active and subscribe to the event, and the
 * link's own URLs, if the workspace has a secret for them.
 */
export const handler = ({ Records }: DynamoDBStreamEvent, context: Context): Promise<void> =>
  withinInvocation(context, async () => {
    const clicks: HookedClick[] = [];
    const receivers = new Set<ReceiverPk>();
    for (const record of Records) {
      const { pk, sk } = record.dynamodb?.Keys ?? {};
      const click = toClick(record);
      if (sk?.S?.startsWith('WAKE#')) receivers.add(pk?.S as ReceiverPk);
      else if (click) clicks.push(click);
      else await noteUnreadable(record);
    }
    const deliveries: Delivery[] = [];
    for (const [workspaceId, some] of Map.groupBy(clicks, (click) => click.workspaceId)) {
      deliveries.push(...(await deliveriesOf(workspaceId, some)));
    }
    await inParallel(deliveries, inFlight, addDelivery);
    for (const delivery of deliveries) receivers.add(receiverOf(delivery));
    if (receivers.size === 0) return;
    await inParallel([...receivers], inFlight, markDue);
    await ensureScheduled({ enable: enableSchedule });
    await startSenders(receivers);
  });

/** The deliveries of clicks of one workspace. */
async function deliveriesOf(workspaceId: string, clicks: readonly HookedClick[]): Promise<Delivery[]> {
  const ids = [...new Set(clicks.map(({ linkId }) => linkId))];
  const links = new Map((await findLinks(workspaceId, ids)).map((link) => [link.id, link]));
  const targetsFor = await targetsOf(workspaceId);
  return clicks.flatMap((click) => {
    const link = links.get(click.linkId);
    const shown = link ? linkInPayload(link, setting('SHORT_URL_ORIGIN')) : { id: click.linkId };
    const happened = { workspaceId, linkId: click.linkId, at: click.at };
    const clicked = {
      ...happened,
      type: 'link.clicked',
      key: click.id,
      body: webhookBody('link.clicked', click.at, { link: shown, click }),
    } as const;
    const reached =
      click.capReached &&
      ({
        ...happened,
        type: 'link.cap_reached',
        key: `${click.linkId} ${click.capReached}`,
        body: webhookBody('link.cap_reached', click.at, { link: shown }),
      } as const);
    return [clicked, reached].flatMap((event) => (event ? newDeliveries(event, targetsFor(event.type, link), tableTime()) : []));
  });
}

/** The click of a record; undefined if the record isn't a valid click. */
function toClick({ dynamodb }: DynamoDBRecord): HookedClick | undefined {
  const keys = textsOf(dynamodb?.Keys);
  const image = textsOf(dynamodb?.NewImage);
  const linkId = linkOfClick(keys.pk ?? '');
  if (!linkId || image.workspaceId === undefined) return undefined;
  const click = toRecordedClick(linkId, { ...image, ...keys });
  if (Number.isNaN(Date.parse(click.at))) return undefined;
  return { ...click, workspaceId: image.workspaceId, capReached: image.capReached };
}

/** The texts among the attributes of a record. */
const textsOf = (attributes: Readonly<Record<string, { readonly S?: string }>> = {}): Partial<Record<string, string>> =>
  Object.fromEntries(Object.entries(attributes).flatMap(([name, { S }]) => (S === undefined ? [] : [[name, S]])));

async function noteUnreadable({ dynamodb }: DynamoDBRecord): Promise<void> {
  const { pk, sk } = dynamodb?.Keys ?? {};
  const sequenceNumber = dynamodb?.SequenceNumber ?? '';
  console.error({ message: alarming.clickUnreadable, sequenceNumber });
  await putAside({ reader: 'create-deliveries', shardId: 'unknown', sequenceNumber, itemPk: pk?.S, itemSk: sk?.S });
}
