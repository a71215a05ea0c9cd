import { createHash, randomUUID } from 'node:crypto';
import { matches, type Template } from '../template/template.ts';

type QueueProperties = {
  readonly MessageRetentionPeriod?: number;
  readonly VisibilityTimeout?: number;
};

/** A message that a queue has handed out, in the shape that functions receive. */
export type ReceivedMessage = {
  readonly messageId: string;
  readonly body: string;
  readonly md5OfBody: string;
  readonly attributes: { readonly ApproximateReceiveCount: string; readonly SentTimestamp: string };
};

export type Queues = {
  /** Puts a message into a queue. @throws Error if the template has no such queue. */
  send(which: string, message: object | string): { readonly messageId: string; readonly md5OfBody: string };
  /**
   * Takes messages out of a queue, for its visibility timeout.
   *
   * @throws Error if the template has no such queue.
   */
  receive(which: string, most: number): ReceivedMessage[];
  /** Deletes messages that were received. */
  remove(which: string, messageIds: readonly string[]): void;
  /**
   * The newest 1,000 messages that were sent to a queue since the start, oldest first: objects, or else the texts.
   *
   * @param which the queue's URL, ARN, name, logical id or construct id.
   */
  messages(which: string): readonly unknown[];
};

const kept = 1_000;

type Waiting = {
  readonly message: Omit<ReceivedMessage, 'attributes'>;
  readonly sentAt: number;
  visibleAt: number;
  received: number;
};

/**
 * The template's queues, in memory: messages that are waiting when the service stops are lost. They keep the newest
 * messages, and log those that people should read.
 *
 * @param isRead whether the template's functions read a queue.
 */
export function openQueues(
  template: Template,
  log: (line: string) => void,
  isRead: (arn: string) => boolean = () => false,
  now: () => number = Date.now,
): Queues {
  const queues = template.ofType<QueueProperties>('AWS::SQS::Queue').map((resource) => ({
    resource,
    arn: template.attribute(resource, 'Arn'),
    newest: [] as string[],
    waiting: new Map<string, Waiting>(),
  }));
  const find = (which: string) => {
    const name = which.replace(/^https?:.*\//, '');
    const queue = queues.find(({ resource, arn }) => matches(resource, arn, name));
    if (!queue) throw new Error(`the template has no queue "${which}"`);
    return queue;
  };
  return {
    send: (which, message) => {
      const { arn, newest, waiting } = find(which);
      const body = typeof message === 'string' ? message : JSON.stringify(message);
      newest.push(body);
      if (newest.length > kept) newest.shift();
      const sent = { messageId: randomUUID(), md5OfBody: createHash('md5').update(body).digest('hex') };
      if (isRead(arn)) waiting.set(sent.messageId, { message: { ...sent, body }, sentAt: now(), visibleAt: 0, received: 0 });
      else log(`${arn} ${body}`);
      return sent;
    },
    receive: (which, most) => {
      const { resource, waiting } = find(which);
      const { VisibilityTimeout = 30, MessageRetentionPeriod = 4 * 24 * 60 * 60 } = resource.properties;
      for (const [id, { sentAt }] of waiting) if (sentAt + MessageRetentionPeriod * 1_000 <= now()) waiting.delete(id);
      const visible = [...waiting.values()].filter(({ visibleAt }) => visibleAt <= now()).slice(0, most);
      return visible.map((one) => {
        one.visibleAt = now() + VisibilityTimeout * 1_000;
        const attributes = { ApproximateReceiveCount: String(++one.received), SentTimestamp: String(one.sentAt) };
        return { ...one.message, attributes };
      });
    },
    remove: (which, messageIds) => {
      const { waiting } = find(which);
      for (const id of messageIds) waiting.delete(id);
    },
    messages: (which) =>
      find(which).newest.map((body) => {
        try {
          return JSON.parse(body);
        } catch {
          return body;
        }
      }),
  };
}
