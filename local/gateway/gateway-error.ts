/** The gateway's own responses, by AWS's names. */
export type ResponseType =
  | 'ACCESS_DENIED'
  | 'AUTHORIZER_CONFIGURATION_ERROR'
  | 'AUTHORIZER_FAILURE'
  | 'BAD_REQUEST_BODY'
  | 'INTEGRATION_FAILURE'
  | 'INTEGRATION_TIMEOUT'
  | 'INVALID_API_KEY'
  | 'MISSING_AUTHENTICATION_TOKEN'
  | 'REQUEST_TOO_LARGE'
  | 'THROTTLED'
  | 'UNAUTHORIZED';

/** Ends a request with one of the gateway's own responses. */
export class GatewayError extends Error {
  readonly type: ResponseType;
  constructor(type: ResponseType, message: string = type) {
    super(message);
    this.type = type;
  }
}
