import { matches, type Template } from '../template/template.ts';

export type Queues = {
  /** Puts a message into a queue. @throws Error if the template has no such queue. */
  send(arn: string, message: object): void;
  /**
   * The newest 1,000 messages that were sent to a queue since the start, oldest first.
   *
   * @param which the queue's ARN, name, logical id or construct id.
   */
  messages(which: string): readonly object[];
};

const kept = 1_000;

/** The template's queues. Nothing reads them: they keep the newest messages in memory, and log all messages. */
export function openQueues(template: Template, log: (line: string) => void): Queues {
  const queues = template.ofType('AWS::SQS::Queue').map((resource) => ({
    resource,
    arn: template.attribute(resource, 'Arn'),
    messages: [] as object[],
  }));
  const find = (which: string) => {
    const queue = queues.find(({ resource, arn }) => matches(resource, arn, which));
    if (!queue) throw new Error(`the template has no queue "${which}"`);
    return queue.messages;
  };
  return {
    send: (arn, message) => {
      const queue = find(arn);
      queue.push(message);
      if (queue.length > kept) queue.shift();
      log(`${arn} ${JSON.stringify(message)}`);
    },
    messages: (which) => [...find(which)],
  };
}
