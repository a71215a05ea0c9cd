/** A response, with the names of its headers in lower case. Of headers that come twice, the last one counts. */
export type Response = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
};

/** What has been found in the bytes of a connection: a whole response, or how many bytes there must be to look again. */
export type Found =
  | {
      readonly response: Response;
      /** How many bytes it took. */
      readonly length: number;
      /** Whether the server closes the connection after it. */
      readonly isLast: boolean;
    }
  | { readonly needed: number };

const lineEnd = '\r\n';
/** RFC 9112, section 6.3. DynamoDB has no such responses to a POST. */
const bodiless = new Set(['204', '304']);
/** Node's own limit for the head of a response, in bytes. */
const longestHead = 16 * 1024;

/**
 * Reads the response to a POST from the bytes that have come so far, by RFC 9112. It must say how long it is, by
 * `Content-Length` or in chunks, so that a body that was cut off is noticed.
 *
 * @throws Error if the bytes are not such a response.
 */
export function responseIn(received: Buffer): Found {
  const headEnd = received.indexOf(lineEnd + lineEnd);
  if (headEnd > longestHead || (headEnd < 0 && received.length > longestHead)) throw new Error('the head is too long');
  if (headEnd < 0) return { needed: received.length + 1 };
  const [statusLine = '', ...lines] = received.toString('latin1', 0, headEnd).split(lineEnd);
  const [, minor, status = ''] = /^HTTP\/1\.([01]) ([2-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/.exec(statusLine) ?? [];
  if (status === '' || bodiless.has(status)) throw new Error('a malformed status line, or one of a response without a body');
  const headers = headersOf(lines);
  const { 'content-length': length, 'transfer-encoding': coding, connection = '' } = headers;
  const tokens = connection.toLowerCase().split(/ *, */);
  const isLast = tokens.includes('close') || (minor === '0' && !tokens.includes('keep-alive'));
  const start = headEnd + 2 * lineEnd.length;
  const found = coding === undefined ? sizedBody(received, start, length) : chunkedBody(received, start, coding, length);
  if ('needed' in found) return found;
  return { response: { status: Number(status), headers, body: found.body.toString() }, length: found.end, isLast };
}

/** @throws Error if a header is malformed, or if the length or the coding comes twice. */
function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, sent, value] = /^([\w!#$%&'*+.^`|~-]+):([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
    if (sent === undefined || value === undefined) throw new Error('a malformed header');
    const name = sent.toLowerCase();
    if (name in headers && framing.has(name)) throw new Error(`more than one ${name}`);
    headers[name] = value.trim();
  }
  return headers;
}

/** The headers that say where a response ends. */
const framing = new Set(['content-length', 'transfer-encoding']);

type FoundBody = { readonly body: Buffer; readonly end: number } | { readonly needed: number };

function sizedBody(received: Buffer, start: number, length: string | undefined): FoundBody {
  if (length === undefined || !/^\d{1,15}$/.test(length)) throw new Error('a response that does not say how long it is');
  const end = start + Number(length);
  return received.length < end ? { needed: end } : { body: received.subarray(start, end), end };
}

/** RFC 9112, section 7.1, without extensions, which nobody sends. Trailers are passed over. */
function chunkedBody(received: Buffer, start: number, coding: string, length: string | undefined): FoundBody {
  if (coding.toLowerCase() !== 'chunked' || length !== undefined) throw new Error('a transfer coding that nobody asked for');
  const parts: Buffer[] = [];
  for (let place = start; ; ) {
    const sizeEnd = received.indexOf(lineEnd, place);
    if (sizeEnd < 0) return { needed: received.length + 1 };
    const hex = received.toString('latin1', place, sizeEnd);
    if (!/^[\da-f]{1,12}$/i.test(hex)) throw new Error('a chunk without a size');
    const size = Number.parseInt(hex, 16);
    if (size === 0) {
      // The last chunk has no bytes. Its line, and those of trailers, end with an empty one.
      const end = received.indexOf(lineEnd + lineEnd, sizeEnd);
      if (end < 0) return { needed: received.length + 1 };
      headersOf(received.toString('latin1', sizeEnd, end).split(lineEnd).slice(1));
      return { body: Buffer.concat(parts), end: end + 2 * lineEnd.length };
    }
    const data = sizeEnd + lineEnd.length;
    place = data + size + lineEnd.length;
    if (received.length < place) return { needed: place };
    if (received.toString('latin1', data + size, place) !== lineEnd) throw new Error('a chunk that is longer than its size');
    parts.push(received.subarray(data, data + size));
  }
}
