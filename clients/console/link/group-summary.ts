import { count, counted, fullTime, timeOfLocal } from '../parts/time.ts';
import type { Values } from './fields/fields.ts';
import { utmNames, utmOf } from './fields/utm.ts';

const timeIn = (values: Values, name: string): string | undefined => {
  const at = timeOfLocal(String(values[name] ?? ''));
  return at === null || Number.isNaN(Date.parse(at)) ? undefined : fullTime(at);
};
const has = (values: Values, name: string): boolean => values[name] !== null && values[name] !== '' && values[name] !== false;
const lengthOf = (values: Values, name: string): number => (values[name] as readonly unknown[]).length;

type Summary = (values: Values, hasPassword: boolean) => readonly (string | false | undefined)[];

/** What the groups of the form say while they are closed. */
const summaries: Readonly<Record<string, Summary>> = {
  'Schedule and limit': (values) => {
    const [starts, expires] = [timeIn(values, 'startsAt'), timeIn(values, 'expiresAt')];
    return [
      values.isActive === false && 'Switched off',
      starts && `Starts ${starts}`,
      expires && `Expires ${expires}`,
      has(values, 'maxClicks') && `At most ${count(Number(values.maxClicks))}`,
    ];
  },
  Access: (values, hasPassword) => [
    ((hasPassword && values.password !== null) || has(values, 'password')) && 'Password set',
    values.confirmVisit === true && 'Asks first',
    values.blockBots === true && 'No programs',
  ],
  'Where visitors go': (values) => [
    lengthOf(values, 'rules') > 0 && counted(lengthOf(values, 'rules'), 'rule'),
    lengthOf(values, 'variants') > 0 && counted(lengthOf(values, 'variants'), 'variant'),
    utmNames.some((name) => utmOf(String(values.url), name) !== '') && 'UTM',
    values.forwardParameters === true && 'Passes on parameters',
  ],
  'Card and tracking': (values) => [
    has(values, 'description') && 'Description',
    has(values, 'image') && 'Picture',
    values.cloaked === true && 'Cloaked',
    (has(values, 'metaPixelId') || has(values, 'googleTagId')) && 'Tracking',
  ],
  Advanced: (values) => [
    values.redirectType === 'PERMANENT_301' && '301',
    has(values, 'externalId') && 'External id',
    has(values, 'webhookUrls') && counted(String(values.webhookUrls).trim().split(/\s+/).length, 'webhook'),
    has(values, 'managedBy') && 'Managed',
  ],
};

/** What a closed group has, in a few words; empty if it has nothing that a plain link has not. */
export const summaryOf = (title: string, values: Values, hasPassword: boolean): string =>
  (summaries[title]?.(values, hasPassword) ?? []).filter(Boolean).join(', ');
