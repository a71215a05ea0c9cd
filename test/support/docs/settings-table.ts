import type { StageSettings } from '../../../lib/stages.ts';

/** Settings of a stage that share a docstring. */
type Row = { readonly names: readonly string[]; readonly about: string };

/** A type of lib/stages.ts: what its settings are for, and the settings. */
type Group = { readonly type: string; readonly purpose: string; readonly rows: readonly Row[] };

/**
 * The tables of docs/deploy.md: a row for each setting with its values and its docstring, in groups.
 *
 * @param source lib/stages.ts
 * @throws Error if the types of the settings have another form than those there
 */
export function settingsTables(source: string, stages: Readonly<Record<string, StageSettings>>): string {
  const groups = groupsIn(source);
  const [, parts = ''] = /^export type StageSettings = ([^;]*);$/m.exec(source) ?? [];
  const joined = parts.split('&').map((part) => part.trim());
  if (groups.map(({ type }) => type).join() !== joined.join()) {
    throw new Error(`StageSettings must consist of the groups, in their order: ${groups.map(({ type }) => type).join(' & ')}`);
  }
  const names = Object.keys(stages);
  const head = `| setting | ${names.join(' | ')} | what it does |\n|${'---|'.repeat(names.length + 2)}`;
  return groups
    .map(
      ({ purpose, rows }) => `**${purpose.replace(':', ':**')}\n\n${[head, ...rows.map((row) => rowOf(row, stages))].join('\n')}`,
    )
    .join('\n\n');
}

/** Types with a docstring such as `Data: what survives.`, whose name ends with `Settings`. */
const groupsIn = (source: string): Group[] =>
  [...source.matchAll(/^(\/\*\*(?:(?!\*\/).)*\*\/)\ntype (\w+Settings) = \{\n(.*?)^\};$/gms)].map(
    ([, comment = '', type = '', body = '']) => ({ type, purpose: textOf(comment), rows: rowsIn(type, body) }),
  );

/** Reads docstrings and the settings after them. A setting has one line. */
function rowsIn(type: string, body: string): Row[] {
  const rows: { names: string[]; about: string }[] = [];
  for (const [entry] of body.matchAll(/ *\/\*\*.*?\*\/\n|[^\n]*\n/gs)) {
    const [, name] = /^ {2}readonly (\w+)\??: [^{;]*(?:\{[^}]*\}[^;]*)?;\n$/.exec(entry) ?? [];
    if (entry.trimStart().startsWith('/**')) rows.push({ names: [], about: textOf(entry) });
    else if (name !== undefined && rows.length > 0) rows.at(-1)?.names.push(name);
    else throw new Error(`${type}: neither a docstring nor a setting after one, in one line: ${entry}`);
  }
  return rows;
}

/** The text of a comment, with links as docs/deploy.md has them. */
const textOf = (comment: string): string =>
  comment
    .replace(/^\s*\/\*\*|\*\/\s*$/g, '')
    .replace(/^ *\*/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('](../docs/deploy.md#', '](#')
    .replaceAll('](../docs/', '](');

function rowOf({ names, about }: Row, stages: Readonly<Record<string, StageSettings>>): string {
  const values = Object.values(stages).map((settings) => {
    const shown = names.map((name) => shownValue(settings[name as keyof StageSettings]));
    return [...new Set(shown)].length === 1 ? shown[0] : shown.join(', ');
  });
  // A long value is shown once.
  const short = values.map((value = '', index) => (value.length > 15 && value === values[index - 1] ? 'the same' : value));
  const cells = [names.map((name) => `\`${name}\``).join(', '), ...short, about];
  if (cells.some((cell) => cell.includes('|'))) throw new Error(`${names.join()}: a table has no room for "|"`);
  return `| ${cells.join(' | ')} |`;
}

function shownValue(value: unknown): string {
  if (value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? value.toLocaleString('en-US') : `\`${codeOf(value)}\``;
}

/** A value as it is written in lib/stages.ts; a text without its quotes. */
function codeOf(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en-US').replaceAll(',', '_');
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([name, one]) => `${name}: ${codeOf(one)}`)
    .join(', ')} }`;
}
