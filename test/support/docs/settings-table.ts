import * as z from 'zod';
import { groups, schema, settingsOf } from '../../../lib/stages/settings.ts';

const defaults: Readonly<Record<string, unknown>> = settingsOf({});

/** The tables of docs/deploy.md: a row for each setting with its default and its description, in groups. */
export const settingsTables = (): string =>
  groups
    .map(({ title, purpose, settings }) => {
      const rows = Object.entries(settings).map(([name, { description = '' }]) => {
        if (description.includes('|')) throw new Error(`${name}: a table has no room for "|"`);
        return `| \`${name}\` | ${shown(defaults[name])} | ${description} |`;
      });
      return [`**${title}:** ${purpose}.\n`, '| setting | default | what it does |', '|---|---|---|', ...rows].join('\n');
    })
    .join('\n\n');

/** A value as it is written in the file of a stage; a text without its quotes. */
function shown(value: unknown): string {
  if (value === undefined) return 'none';
  if (typeof value === 'string') return `\`${value}\``;
  if (typeof value === 'number') return value.toLocaleString('en-US');
  if (typeof value === 'boolean') return `\`${value}\``;
  return Object.keys(value as object).length ? `\`${JSON.stringify(value).replaceAll(/[:,](?=["{[\d])/g, '$& ')}\`` : 'none';
}

/** The JSON Schema by which editors check and explain the file of a stage. */
export function settingsJsonSchema(): string {
  const settings = Object.entries(schema.shape).map(([name, setting]) => [
    name,
    // Null returns to the default.
    setting
      .nullable()
      .optional()
      .describe(setting.description ?? ''),
  ]);
  const file = z.strictObject({
    $schema: z.string().optional(),
    extends: z
      .string()
      .optional()
      .describe(
        'The stage on whose settings this one builds, such as `dev`. A setting here replaces theirs as a whole; null returns to the default.',
      ),
    ...(Object.fromEntries(settings) as Record<string, z.ZodType>),
  });
  const json = z.toJSONSchema(file, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // Editors show texts as they are, and know no links between pages.
      if (jsonSchema.description) jsonSchema.description = jsonSchema.description.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
    },
  });
  // Its description is next to it.
  for (const { anyOf: [setting] = [] } of Object.values(json.properties ?? {}) as z.core.JSONSchema.JSONSchema[]) {
    if (typeof setting === 'object') delete setting.description;
  }
  return `${JSON.stringify({ ...json, title: 'What differs from the defaults on a stage of the service' }, null, 2)}\n`;
}
