import { shortAddress } from '../../parts/short-address.ts';
import { count, counted, fullTime, timeOfLocal } from '../../parts/time.ts';
import { campaignTitle, groups, type Setting, type Value, type Values } from './fields.ts';
import { utmNames, utmOf } from './utm.ts';

/** The value of a setting, in words; empty for the default. @param hasPassword whether the existing link has one */
export function settingText({ name, kind }: Setting, value: Value, hasPassword: boolean): string {
  switch (kind) {
    case 'switch':
      if (name === 'isActive') return value === false ? 'Off' : '';
      return value === true ? 'On' : '';
    case 'password':
      return value !== null && (hasPassword || value !== '') ? 'Set' : '';
    case 'redirect':
      return value === 'PERMANENT_301' ? 'Permanent (301)' : '';
    case 'tags':
      return '';
    case 'rules':
    case 'variants': {
      const { length } = value as readonly unknown[];
      return length > 0 ? counted(length, kind === 'rules' ? 'rule' : 'variant') : '';
    }
    default:
      return textOf(kind, String(value ?? '').trim());
  }
}

function textOf(kind: Setting['kind'], text: string): string {
  if (text === '') return '';
  if (kind === 'number') return count(Number(text));
  if (kind === 'url') return shortAddress(text);
  if (kind === 'lines') return counted(text.split(/\s+/).length, 'webhook');
  const at = kind === 'time' ? timeOfLocal(text) : null;
  return at === null || Number.isNaN(Date.parse(at)) ? text : fullTime(at);
}

/** The values in a closed group of the form, in a few words; empty if all are defaults. */
export function summaryOf(title: string, values: Values, hasPassword: boolean): string {
  const settings = groups.find((group) => group.title === title)?.fields ?? [];
  const words = settings.flatMap((setting) => {
    const text = settingText(setting, values[setting.name] ?? null, hasPassword);
    if (text === '') return [];
    if (/^(rules|variants|lines)$/.test(setting.kind) || setting.name === 'isActive') return [text];
    return [/^(time|number)$/.test(setting.kind) ? `${setting.label} ${text}` : setting.label];
  });
  const utm = title === campaignTitle ? utmNames.map((name) => utmOf(String(values.url), name)) : [];
  return [...words, ...utm.filter((value) => value !== '')].join(', ');
}
