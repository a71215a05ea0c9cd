/** The forms of a date in HTTP, each with the suffix that `Date.parse` needs: the usual one, and two obsolete ones. */
const dateForms = [
  [/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/, ''],
  [/^\w{6,9}, \d\d-\w{3}-\d\d [\d:]{8} GMT$/, ''],
  [/^\w{3} \w{3} [ \d]\d [\d:]{8} \d{4}$/, ' GMT'],
] as const;

/**
 * The delay that a `Retry-After` header asks for, in milliseconds. Its value is a number of seconds, or a date in one
 * of the forms that recipients must accept (RFC 9110, sections 10.2.3 and 5.6.7).
 *
 * @param now by a correct clock, in milliseconds since 1970.
 * @returns 0 if the time has passed, or if the value is neither.
 */
export function retryAfterMs(value: string, now: number): number {
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const form = dateForms.find(([pattern]) => pattern.test(value));
  const at = form ? Date.parse(value + form[1]) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
