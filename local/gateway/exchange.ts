import { GatewayError, type ResponseType } from './gateway-error.ts';
import type { GatewayResponse } from './gateway-response.ts';

/** How an API responds to one request. */
export type Exchange = {
  /** The response header with the request's id. */
  readonly requestIdHeader: string;
  /**
   * The response to the request.
   *
   * @param readBody reads the request's body when it is the caller's turn.
   * @throws GatewayError if the gateway itself responds; `refuse` has that response.
   */
  respond(readBody: (caller: string) => Promise<Buffer>): Promise<GatewayResponse>;
  /** The gateway's own response of a type. */
  refuse(type: ResponseType): GatewayResponse;
};

/**
 * The largest event that a function accepts, in bytes:
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const eventLimit = 6 * 1024 * 1024;

/** The event as JSON. @throws GatewayError `REQUEST_TOO_LARGE` if it is too large for a function. */
export function eventText(event: object): string {
  const text = JSON.stringify(event);
  if (Buffer.byteLength(text) > eventLimit) throw new GatewayError('REQUEST_TOO_LARGE');
  return text;
}

/** Waits for the work. @throws GatewayError `INTEGRATION_TIMEOUT` if it takes longer than `ms` milliseconds. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new GatewayError('INTEGRATION_TIMEOUT')), ms);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
