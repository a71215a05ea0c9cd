import type { Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { alarming } from '../core/alarms.ts';
import { type Delivery, newDeliveries } from '../core/webhook/delivery.ts';
import { enableSchedule, startSenders } from '../outbound/senders.ts';
import { timeLeft, withDeadline, withinInvocation } from '../runtime/deadline.ts';
import { reportingDenials } from '../runtime/denials.ts';
import { tryAll } from '../runtime/in-parallel.ts';
import { setting } from '../runtime/settings.ts';
import { type RecordedClick, toRecordedClick } from '../store/clicks/clicks.ts';
import { putAside } from '../store/clicks/failures.ts';
import { findLinks } from '../store/links/links.ts';
import { tableTime } from '../store/table/clock.ts';
import { isWake, linkOfClick, type ReceiverPk } from '../store/table/keys.ts';
import { addDeliveries } from '../store/webhooks/deliveries.ts';
import { ensureScheduled, makeDue } from '../store/webhooks/receivers.ts';
import { targetsOf } from '../store/webhooks/targets.ts';
import { linkInPayload, webhookBody } from '../views/webhook-payload.ts';

/** A click that is reported to webhooks. */
type ReportedClick = RecordedClick & {
  readonly workspaceId: string;
  /** When it was recorded, by the stream, in ISO 8601. */
  readonly recordedAt: string;
  /** The cap that this click used up: its generation and `maxClicks`, as in `1#100`. */
  readonly capReached: string | undefined;
};

/** How many workspaces to process at a time. */
const concurrency = 5;

/** The share of the time that may pass before senders are started. */
const creatingShare = 0.9;

/**
 * Creates the deliveries of clicks, makes their receivers due, and starts senders for them. Also starts a sender if
 * somebody has asked for one. A batch that is repeated creates the same deliveries, so nothing is sent twice.
 *
 * The settings when this runs decide where events go: to the workspace's webhooks that are active, subscribe to the
 * event and existed when it happened, and to the link's own URLs if the workspace has a secret for them.
 *
 * If an item of one workspace or receiver is busy, the others are served first, and then Lambda sends the batch again.
 * A call that a policy denies is also reported at once.
 *
 * @throws RequestError `temporarily_unavailable`
 */
export const handler = ({ Records }: DynamoDBStreamEvent, context: Context): Promise<void> =>
  withinInvocation(context, async () => {
    const receivers = new Set<ReceiverPk>();
    const tasks = tasksOf(Records, async (receiver) => {
      await makeDue(receiver);
      receivers.add(receiver);
    });
    try {
      await withDeadline(timeLeft() * creatingShare, () => tryAll(tasks, concurrency, reportingDenials));
    } finally {
      if (receivers.size > 0) {
        await ensureScheduled({ enable: enableSchedule });
        await startSenders(receivers);
      }
    }
  });

/**
 * The tasks of a batch: one for each workspace with clicks, each receiver for which somebody has asked for a sender,
 * and each unreadable record.
 *
 * @param tell makes a receiver due.
 */
function tasksOf(records: readonly DynamoDBRecord[], tell: (receiver: ReceiverPk) => Promise<void>): (() => Promise<void>)[] {
  const clicks: ReportedClick[] = [];
  const woken = new Set<ReceiverPk>();
  const unreadable: DynamoDBRecord[] = [];
  for (const record of records) {
    const { pk, sk } = record.dynamodb?.Keys ?? {};
    const click = toClick(record);
    if (sk?.S && isWake(sk.S)) woken.add(pk?.S as ReceiverPk);
    else if (click) clicks.push(click);
    else unreadable.push(record);
  }
  const create = async (workspaceId: string, some: readonly ReportedClick[]) =>
    addDeliveries(await deliveriesOf(workspaceId, some), tell);
  return [
    ...unreadable.map((record) => () => putRecordAside(record)),
    ...[...woken].map((receiver) => () => tell(receiver)),
    ...[...Map.groupBy(clicks, (click) => click.workspaceId)].map((one) => () => create(...one)),
  ];
}

/** The deliveries of clicks of one workspace. */
async function deliveriesOf(workspaceId: string, clicks: readonly ReportedClick[]): Promise<Delivery[]> {
  const ids = [...new Set(clicks.map(({ linkId }) => linkId))];
  const links = new Map((await findLinks(workspaceId, ids)).map((link) => [link.id, link]));
  const targetsFor = await targetsOf(workspaceId);
  return clicks.flatMap((click) => {
    const link = links.get(click.linkId);
    const shown = link ? linkInPayload(link, setting('SHORT_URL_ORIGIN')) : { id: click.linkId };
    const about = { workspaceId, linkId: click.linkId };
    const clicked = {
      ...about,
      type: 'link.clicked',
      key: click.id,
      body: webhookBody('link.clicked', click.at, { link: shown, click }),
    } as const;
    const reached =
      click.capReached &&
      ({
        ...about,
        type: 'link.cap_reached',
        key: `${click.linkId} ${click.capReached}`,
        body: webhookBody('link.cap_reached', click.at, { link: shown }),
      } as const);
    return [clicked, reached].flatMap((event) =>
      event ? newDeliveries(event, targetsFor(event.type, link, click.recordedAt), tableTime()) : [],
    );
  });
}

/** The click of a record; undefined if the record isn't a valid click. */
function toClick({ dynamodb }: DynamoDBRecord): ReportedClick | undefined {
  const keys = textsOf(dynamodb?.Keys);
  const image = textsOf(dynamodb?.NewImage);
  const linkId = linkOfClick(keys.pk ?? '');
  if (!linkId || image.workspaceId === undefined) return undefined;
  const click = toRecordedClick(linkId, { ...image, ...keys });
  if (Number.isNaN(Date.parse(click.at))) return undefined;
  const { ApproximateCreationDateTime: seconds = Date.parse(click.at) / 1_000 } = dynamodb ?? {};
  const recordedAt = new Date(seconds * 1_000).toISOString();
  return { ...click, workspaceId: image.workspaceId, recordedAt, capReached: image.capReached };
}

/** The texts among the attributes of a record. */
const textsOf = (attributes: Readonly<Record<string, { readonly S?: string }>> = {}): Partial<Record<string, string>> =>
  Object.fromEntries(Object.entries(attributes).flatMap(([name, { S }]) => (S === undefined ? [] : [[name, S]])));

async function putRecordAside({ dynamodb }: DynamoDBRecord): Promise<void> {
  const { pk, sk } = dynamodb?.Keys ?? {};
  const sequenceNumber = dynamodb?.SequenceNumber ?? '';
  console.error({ message: alarming.clickUnreadable, sequenceNumber });
  await putAside({ reader: 'create-deliveries', shardId: 'unknown', sequenceNumber, itemPk: pk?.S, itemSk: sk?.S });
}
