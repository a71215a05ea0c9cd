import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { randomBase62 } from '../core/base62.ts';
import { reportNoteLength, urlLength } from '../core/limits.ts';
import { type ReportReason, reportReasons } from '../core/report/report.ts';
import { type ReportedPlace, readReportedAddress } from '../core/report/reported-address.ts';

/** The fields of the form as they were filled in. */
export type Typed = {
  readonly address: string;
  readonly reason: string;
  readonly note: string;
  /** Random for each form, so that a report that is sent twice is counted once. */
  readonly form: string;
};

export type Field = 'address' | 'reason' | 'note';

/** A checked report. */
export type Checked = { readonly place: ReportedPlace; readonly reason: ReportReason; readonly note: string };

/** The longest form that is read, in characters: room for an address, and a note of emoji, each 12 when escaped. */
const longestForm = 16_384;

const formShape = /^[0-9A-Za-z]{16}$/;

/** A new form. @param address its initial address */
export const newForm = (address = ''): Typed => ({
  address: address.slice(0, urlLength),
  reason: '',
  note: '',
  form: randomBase62(16),
});

/** Reads a posted form; returns a status if it isn't a form, or too long. Bytes that are not UTF-8 become U+FFFD. */
export function readForm({ headers, body = '', isBase64Encoded }: APIGatewayProxyEventV2): Typed | 413 | 415 {
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')) return 415;
  if (body.length > 2 * longestForm) return 413;
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
  if (text.length > longestForm) return 413;
  const fields = new URLSearchParams(text);
  const field = (name: string) => fields.get(name) ?? '';
  const form = field('form');
  return {
    address: field('address'),
    reason: field('reason'),
    // Browsers send line breaks as CRLF. HTML cannot contain NUL.
    note: field('note').replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd').trim(),
    form: formShape.test(form) ? form : randomBase62(16),
  };
}

/** Checks a form. @returns the report, or the fields that are wrong, in their order on the page */
export function checkForm({ address, reason, note }: Typed, host: string): Checked | readonly Field[] {
  const place = readReportedAddress(address, host);
  const known = reportReasons.find((one) => one === reason);
  const isLong = [...note].length > reportNoteLength;
  if (place && known && !isLong) return { place, reason: known, note };
  return [
    ...(place ? [] : (['address'] as const)),
    ...(known ? [] : (['reason'] as const)),
    ...(isLong ? (['note'] as const) : []),
  ];
}
