/**
 * Takes the place of `@aws-sdk/endpoint-cache` in the bundles: the SDK makes one for every client, and uses it only where endpoint
 * discovery is switched on.
 */
export class EndpointCache {}
