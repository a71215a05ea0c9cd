import type { Answer } from './answer.ts';
import { GatewayError, type ResponseType } from './gateway-error.ts';

/** How an API answers one request. */
export type Exchange = {
  /** The header that tells the client the request's id. */
  readonly requestIdHeader: string;
  /** The answer; the body is read when its caller's turn has come. @throws GatewayError for one of the gateway's own. */
  answer(readBody: (caller: string) => Promise<Buffer>): Promise<Answer>;
  /** The gateway's own answer of that type. */
  refuse(type: ResponseType): Answer;
};

/** The largest event that a function takes, in bytes: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const eventLimit = 6 * 1024 * 1024;

/** @throws GatewayError where a function does not take an event of that size. */
export function eventText(event: object): string {
  const text = JSON.stringify(event);
  if (Buffer.byteLength(text) > eventLimit) throw new GatewayError('REQUEST_TOO_LARGE');
  return text;
}

/** @throws GatewayError `INTEGRATION_TIMEOUT` where the work takes longer. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new GatewayError('INTEGRATION_TIMEOUT')), ms);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
