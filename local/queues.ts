import { isMeant, type Template } from './template/template.ts';

export type Queues = {
  /** @throws Error when the ARN is no queue of the template. */
  send(arn: string, message: object): void;
  /** What was sent to a queue since the start, oldest first. `which` is its ARN, name, logical id or the id of its construct. */
  messages(which: string): readonly object[];
};

const kept = 1_000;

/** The template's queues, as destinations only: the newest messages in memory, and all of them in the log. */
export function openQueues(template: Template, log: (line: string) => void): Queues {
  const queues = template.ofType('AWS::SQS::Queue').map((resource) => ({
    resource,
    arn: template.attribute(resource, 'Arn'),
    messages: [] as object[],
  }));
  const find = (which: string) => {
    const queue = queues.find(({ resource, arn }) => isMeant(resource, arn, which));
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
