/**
 * Takes the place of `@smithy/core/event-streams` in the bundles: no operation of DynamoDB has a stream, and the SDK's dynamic
 * import of it keeps much else from being left out.
 */
export class EventStreamSerde {
  constructor() {
    throw new Error('this bundle has no event streams');
  }
}
