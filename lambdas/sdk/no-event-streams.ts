/**
 * Replaces `@smithy/core/event-streams` in the bundles. None of the operations that functions call uses event streams,
 * and the SDK's dynamic import prevents tree shaking.
 */
export class EventStreamSerde {
  constructor() {
    throw new Error('this bundle does not include event streams');
  }
}

/** Lambda's client has operations with event streams, which functions don't call. */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
export const eventStreamSerdeProvider = () => new EventStreamSerde();
