/**
 * Replaces `@aws-sdk/endpoint-cache` in the bundles. The SDK creates one for every client, but uses it only if endpoint
 * discovery is enabled.
 */
export class EndpointCache {}
