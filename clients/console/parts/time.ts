// Texts for times and numbers.

const day = 24 * 60 * 60_000;
const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', day],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
];

/** A time up to 7 days away as "3 days ago" or "in 2 hours", otherwise its date. */
export function shortTime(at: string, now = Date.now()): string {
  const distance = Date.parse(at) - now;
  const [unit, length] = units.find(([, size]) => Math.abs(distance) >= size) ?? [];
  if (unit === undefined || length === undefined) return distance > 0 ? 'in a moment' : 'just now';
  if (Math.abs(distance) > 7 * day) return new Date(at).toLocaleDateString('en-GB', { dateStyle: 'medium' });
  return new Intl.RelativeTimeFormat('en', { numeric: 'always' }).format(Math.trunc(distance / length), unit);
}

/** When something began, such as "09:12" today, and "20 Nov, 09:12" on another day. */
export function sinceTime(at: string, now = Date.now()): string {
  const [began, today] = [new Date(at), new Date(now)];
  const clock = began.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (began.toDateString() === today.toDateString()) return clock;
  const isThisYear = began.getFullYear() === today.getFullYear();
  const day = began.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' }) });
  return `${day}, ${clock}`;
}

const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether the browser knows the reader's time zone. If not, it says `Etc/Unknown`, and its clock shows UTC. */
export const knowsZone = (): boolean => browserZone() !== 'Etc/Unknown';

/** The reader's time zone; UTC if it is unknown. */
export const ownZone = (): string => (knowsZone() ? browserZone() : 'UTC');

/** Date, time and zone. */
export const fullTime = (at: string, timeStyle: 'short' | 'medium' = 'short'): string =>
  `${new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle })} ${ownZone()}`;

/** A count in full, with groups. */
export const count = (number: number): string => number.toLocaleString('en');

export const counted = (number: number, one: string, many = `${one}s`): string => `${count(number)} ${number === 1 ? one : many}`;

/** The subject and verb of a partial result, such as "2 of 3 links are" and "1 link is". */
export function someOf(number: number, all: number, one: string): string {
  const verb = number === 1 || all === 1 ? 'is' : 'are';
  return number === 1 && all === 1 ? `1 ${one} is` : `${count(number)} of ${counted(all, one)} ${verb}`;
}

/** A time as the value of a field for local dates and times; empty for null, and unchanged if it isn't a time. */
export function localValue(at: string | null): string {
  if (at === null) return '';
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return at;
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/**
 * The time in a field for local dates and times; null if it is empty. Browsers allow years of six digits: such a time
 * is sent unchanged, so that the service says what is wrong.
 */
export function timeOfLocal(value: string): string | null {
  if (value === '') return null;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? value : time.toISOString();
}
