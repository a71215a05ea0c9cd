import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { randomBase62 } from '../core/base62.ts';
import { reportNoteLength, urlLength } from '../core/limits.ts';
import { type ReportReason, reportReasons } from '../core/report/report.ts';
import { type ReportedPlace, readReportedAddress } from '../core/report/reported-address.ts';

/** The fields of the form as somebody has filled them in. */
export type Typed = {
  readonly address: string;
  readonly reason: string;
  readonly note: string;
  /** Made for each form, so that a report that is sent twice is one. */
  readonly form: string;
};

export type Field = 'address' | 'reason' | 'note';

/** What somebody reports, after it was checked. */
export type Checked = { readonly place: ReportedPlace; readonly reason: ReportReason; readonly note: string };

/** The longest form that is read, in characters: one with a note of emoji, each 12 when escaped, and an address. */
const longestForm = 16_384;

const formShape = /^[0-9A-Za-z]{16}$/;

/** An empty form. @param address that it begins with */
export const newForm = (address = ''): Typed => ({
  address: address.slice(0, urlLength),
  reason: '',
  note: '',
  form: randomBase62(16),
});

/** Reads a form that was sent; a status if it isn't a form, or too long. What is not UTF-8 becomes U+FFFD. */
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
    // Browsers send line breaks as CRLF. NUL is in no HTML.
    note: field('note').replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd').trim(),
    form: formShape.test(form) ? form : randomBase62(16),
  };
}

/** Checks a form. @returns what is reported, or the fields that are wrong, in their order on the page */
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
