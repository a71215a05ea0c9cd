import { isDeepStrictEqual } from 'node:util';
import { countsOf, type Plan, type Step } from './plan.ts';
import { settingDefaults } from './settings.ts';

/**
 * A plan for people: `+` marks what is created, `~` what is changed, `-` what is deleted. The last line has the counts.
 */
export function tableOf(plan: Plan): string {
  const { domain, managedBy, steps } = plan;
  if (steps.length === 0) return `No changes: the links of ${managedBy} match the manifest.`;
  const count = countsOf(plan);
  const tags = count.createTags === 0 ? '' : ` (and ${count.createTags} ${count.createTags === 1 ? 'tag' : 'tags'})`;
  return [
    `Links on ${domain}, managed by ${managedBy}:`,
    '',
    ...steps.flatMap((step) => [...linesOf(step), '']),
    `Plan: ${count.create} to create${tags}, ${count.update} to change, ${count.delete} to delete.`,
  ].join('\n');
}

function linesOf(step: Step): string[] {
  switch (step.action) {
    case 'create-tag':
      return [`  + tag ${step.name}`, field('+', 'color', text(step.color))];
    case 'create':
      return [`  + ${step.slug}`, ...settingsOf(step.wanted).map(([name, value]) => field('+', name, text(value)))];
    case 'delete':
      return [`  - ${step.slug}`, field('-', 'url', text(step.seen.url))];
    case 'update': {
      const changes = Object.entries(step.changes);
      const width = Math.max(...changes.map(([name]) => name.length)) + 1;
      return [
        `  ~ ${step.seen.slug}`,
        ...changes.map(([name, { from, to }]) => field('~', name, `${text(from)} -> ${text(to)}`, width)),
      ];
    }
  }
}

/** The settings of a new link that are not the default. */
const settingsOf = (wanted: Extract<Step, { action: 'create' }>['wanted']): [string, unknown][] =>
  Object.entries(wanted).filter(
    ([name, value]) => name !== 'slug' && !isDeepStrictEqual(value, settingDefaults[name as keyof typeof settingDefaults]),
  );

const field = (sign: string, name: string, value: string, width = name.length + 1): string =>
  `      ${sign} ${`${name}:`.padEnd(width)} ${value}`;

/** JSON in one line. Control characters are escaped, so that they cannot control the terminal. */
const text = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A step in a few words, for messages. */
export const nameOf = (step: Step): string => (step.action === 'create-tag' ? `tag ${step.name}` : step.slug);
