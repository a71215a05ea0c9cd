/** The forms of a date in HTTP, each with what `Date.parse` needs besides: the usual one, and two that are obsolete. */
const dateForms = [
  [/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/, ''],
  [/^\w{6,9}, \d\d-\w{3}-\d\d [\d:]{8} GMT$/, ''],
  [/^\w{3} \w{3} [ \d]\d [\d:]{8} \d{4}$/, ' GMT'],
] as const;

/**
 * How long a server wants to be left alone, in milliseconds, by the value of its header `Retry-After`: a number of seconds,
 * or a date in one of the forms that recipients must accept (RFC 9110, sections 10.2.3 and 5.6.7).
 *
 * @param now by a clock that is right, in milliseconds since 1970.
 * @returns 0 if the time has come, or if the value is neither.
 */
export function retryAfterMs(value: string, now: number): number {
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const form = dateForms.find(([pattern]) => pattern.test(value));
  const at = form ? Date.parse(value + form[1]) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
