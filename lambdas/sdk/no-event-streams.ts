/**
 * Replaces `@smithy/core/event-streams` in the bundles. No DynamoDB operation uses event streams, and the SDK's dynamic
 * import prevents tree shaking.
 */
export class EventStreamSerde {
  constructor() {
    throw new Error('this bundle does not include event streams');
  }
}
