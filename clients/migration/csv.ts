// CSV as programs write it. Spreadsheets double a quote within quotes (RFC 4180), and separate cells by semicolons
// where numbers have a decimal comma. Databases may write a backslash before the quote, and NULL or \N for nothing,
// both without quotes: https://dev.mysql.com/doc/refman/8.4/en/select-into.html,
// https://www.postgresql.org/docs/current/sql-copy.html and phpMyAdmin's ExportCsv.php.
//
// A row whose quotes do not match is refused alone. csv-parse cannot do that: `skip_records_with_error` continues after
// the next quote, wherever that is, and does not say which lines were lost.

/** How a file is written. */
export type Dialect = {
  /** The character between cells. */
  readonly delimiter: string;
  /** Whether a backslash precedes a quote within quotes. Otherwise quotes are doubled. */
  readonly hasBackslashes: boolean;
};

/** A row of a file. */
export type CsvRow = {
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Whether its quotes do not match. Then the cells are what its first line looks like. */
  readonly isOdd: boolean;
};

const names: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' };

/** A dialect in words, such as `semicolon CSV`. */
export const dialectName = ({ delimiter, hasBackslashes }: Dialect): string =>
  `${names[delimiter] ?? delimiter} CSV${hasBackslashes ? ' with backslashes' : ''}`;

/** The longest row, in characters. A longer one has a quote that is never closed. */
const mostOfRow = 1_000_000;

/** Words that stand for an empty cell if they have no quotes. */
const nulls: ReadonlySet<string> = new Set(['NULL', '\\N']);
const withoutNull = (cell: string): string => (nulls.has(cell) ? '' : cell);

/** The letters to which a backslash gives another meaning. */
const escapes: Readonly<Record<string, string>> = { 0: '\0', b: '\b', n: '\n', r: '\r', t: '\t' };
const unescaped = (text: string): string =>
  text.replace(/\\([\s\S])|""/g, (_, letter?: string) => (letter === undefined ? '"' : (escapes[letter] ?? letter)));

/** Whether an odd number of backslashes precedes a position, from `start` on. */
function isEscaped(text: string, start: number, position: number): boolean {
  let at = position;
  while (at > start && text[at - 1] === '\\') at--;
  return (position - at) % 2 === 1;
}

/** Where the content of a line ends. */
function contentEnd(line: string): number {
  const end = line.endsWith('\n') ? line.length - 1 : line.length;
  return line[end - 1] === '\r' ? end - 1 : end;
}

/** A row as far as it is read: its whole cells, and the text of the cell whose quote is open. */
type Reading = { readonly cells: string[]; open: string | undefined };

/** Reads on in a row. @param line with its end */
function readLine(line: string, reading: Reading, { delimiter, hasBackslashes }: Dialect): 'whole' | 'open' | 'odd' {
  const end = contentEnd(line);
  for (let at = 0; ; at++) {
    if (reading.open !== undefined || line[at] === '"') {
      const start = reading.open === undefined ? at + 1 : at;
      const close = closingQuote(line, start, hasBackslashes);
      const text = (reading.open ?? '') + line.slice(start, close < 0 ? undefined : close);
      reading.open = close < 0 ? text : undefined;
      if (close < 0) return 'open';
      reading.cells.push(hasBackslashes ? unescaped(text) : text.replaceAll('""', '"'));
      at = close + 1;
    } else {
      const next = line.indexOf(delimiter, at);
      const cell = withoutNull(line.slice(at, next < 0 ? end : next));
      // A quote inside a cell that does not begin with one is text.
      reading.cells.push(hasBackslashes ? unescaped(cell) : cell);
      at = next < 0 ? end : next;
    }
    if (at >= end) return 'whole';
    if (line[at] !== delimiter) return 'odd';
  }
}

/** The position of the quote that ends a cell; -1 if it is not on this line. */
function closingQuote(line: string, start: number, hasBackslashes: boolean): number {
  let quote = line.indexOf('"', start);
  while (quote >= 0) {
    if (hasBackslashes && isEscaped(line, start, quote)) quote = line.indexOf('"', quote + 1);
    else if (line[quote + 1] === '"') quote = line.indexOf('"', quote + 2);
    else break;
  }
  return quote;
}

/** How lines end: in LF, perhaps after CR, or in CR. Undefined if the text does not show it yet. */
function lineEndOf(text: string): '\n' | '\r' | undefined {
  const first = text.search(/[\r\n]/);
  if (first < 0 || text[first] === '\n') return first < 0 ? undefined : '\n';
  const next = text[first + 1];
  return next === undefined ? undefined : next === '\n' ? '\n' : '\r';
}

/** Splits a text that arrives in parts into lines with their ends. */
function lineSplitter(): (part: string, isLast: boolean) => string[] {
  let [rest, lineEnd] = ['', undefined as '\n' | '\r' | undefined];
  return (part, isLast) => {
    rest += part;
    lineEnd ??= lineEndOf(rest) ?? (isLast ? '\r' : undefined);
    const lines: string[] = [];
    if (lineEnd === undefined) return lines;
    let start = 0;
    for (let end = rest.indexOf(lineEnd); end >= 0; end = rest.indexOf(lineEnd, start)) {
      lines.push(rest.slice(start, end + 1));
      start = end + 1;
    }
    rest = rest.slice(start);
    if (isLast && rest !== '') lines.push(rest);
    return lines;
  };
}

/** The line with which Excel says what the delimiter is. */
const separatorLine = /^"?sep=(.)"?$/i;

/**
 * Reads a file part by part. Rows without any content are left out.
 *
 * @returns the rows that end in a part. `isLast` is for the last one, which may be empty.
 */
export function csvReader(dialect: Dialect): (part: string, isLast: boolean) => CsvRow[] {
  const { delimiter, hasBackslashes } = dialect;
  const split = lineSplitter();
  /** The lines of the row that is being read, how long they are, and the number of the first one. */
  let [held, size, line]: [string[], number, number] = [[], 0, 1];
  let reading: Reading = { cells: [], open: undefined };
  const begin = (next: number) => {
    [held, size, line] = [[], 0, next];
    reading = { cells: [], open: undefined };
  };
  const readOn = (text: string): 'whole' | 'open' | 'odd' => {
    if (held.length > 1 || hasBackslashes || text.includes('"')) return readLine(text, reading, dialect);
    reading.cells.push(...text.slice(0, contentEnd(text)).split(delimiter).map(withoutNull));
    return 'whole';
  };
  return (part, isLast) => {
    const rows: CsvRow[] = [];
    /** Refuses the first line of the row. @returns the lines that have to be read again */
    const refuse = (): string[] => {
      const [first = '', ...others] = held;
      rows.push({ line, cells: first.slice(0, contentEnd(first)).split(delimiter), isOdd: true });
      begin(line + 1);
      return others;
    };
    let lines = split(part, isLast);
    for (let next = 0; next < lines.length || (isLast && held.length > 0); next++) {
      const text = lines[next];
      if (text !== undefined) {
        held.push(text);
        size += text.length;
        const state = readOn(text);
        if (state === 'open' && size <= mostOfRow) continue;
        if (state === 'whole') {
          const isSeparator = line === 1 && separatorLine.test(text.slice(0, contentEnd(text)));
          if (!isSeparator && reading.cells.some((cell) => cell !== '')) rows.push({ line, cells: reading.cells, isOdd: false });
          begin(line + held.length);
          continue;
        }
      }
      lines = [...refuse(), ...lines.slice(next + 1)];
      next = -1;
    }
    return rows;
  };
}

/** A quote after a backslash, or a doubled one, within a cell: the first one shows how quotes are written. */
const quoteWithin = /\\"(?=[^",;\t|\r\n])|[^",;\t|\r\n\\]""(?=[^",;\t|\r\n])/;
/** Databases' tables with tabs have backslashes instead of quotes. */
const nullWithin = /[\t\n]\\N(?=[\t\r\n])/;

/**
 * Finds out how a file is written. The delimiter is the one with which the first line has most known columns; the first
 * quote within a cell shows how quotes are written.
 *
 * @param isKnown whether a column has that name.
 */
export function dialectFinder(isKnown: (name: string) => boolean) {
  let [start, before, isSure, hasBackslashes] = ['', '', false, false];
  let delimiter: string | undefined;
  const headerOf = (text: string, isWhole: boolean): string | undefined => {
    const lines = text.split(/\r\n|\n|\r/);
    const [first = '', ...others] = isWhole ? lines : lines.slice(0, -1);
    delimiter = separatorLine.exec(first)?.[1];
    return [delimiter === undefined ? first : '', ...others].find((one) => one.trim() !== '');
  };
  const delimiterOf = (header: string): string => {
    const known = Object.keys(names).map((one) => {
      const reading: Reading = { cells: [], open: undefined };
      readLine(header, reading, { delimiter: one, hasBackslashes: false });
      return { one, count: reading.cells.filter(isKnown).length };
    });
    return known.reduce((best, other) => (other.count > best.count ? other : best)).one;
  };
  let header: string | undefined;
  return {
    /** Examines the next part. @returns whether it has seen enough */
    add: (part: string): boolean => {
      if (header === undefined) {
        start += part;
        header = headerOf(start, false);
        if (header !== undefined) delimiter ??= delimiterOf(header);
      }
      if (!isSure) {
        const text = before + part;
        const [found] = quoteWithin.exec(text) ?? (delimiter === '\t' ? nullWithin.exec(text) : null) ?? [];
        if (found !== undefined) [isSure, hasBackslashes] = [true, found.includes('\\')];
        before = text.slice(-3);
      }
      return isSure && header !== undefined;
    },
    found: (): Dialect => ({ delimiter: delimiter ?? delimiterOf(headerOf(start, true) ?? ''), hasBackslashes }),
  };
}
