import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, sep } from 'node:path';

/** The folder of the bundle that contains this module; undefined if it isn't bundled, as in a test. */
const folder = typeof __filename === 'string' && __filename.endsWith('.cjs') ? dirname(__filename) : undefined;

const maps = new Map<string, SourceMap>();

/**
 * The source map beside a file of the bundle. It is read only after an error, so that it does not slow down the start.
 */
function mapOf(file: string): SourceMap {
  const map = maps.get(file) ?? new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  maps.set(file, map);
  return map;
}

/**
 * An error's stack with the files and lines of the sources instead of those of the minified bundle. Unchanged if there
 * is no readable source map.
 */
export function stackOf(error: Error): string | undefined {
  const { stack } = error;
  if (!folder || !stack) return stack;
  const locations = new RegExp(`(?:file://)?(${RegExp.escape(folder + sep)}[\\w-]+\\.cjs):(\\d+):(\\d+)`, 'g');
  try {
    return stack.replace(locations, (location, file, line, column) => {
      const origin = mapOf(file).findOrigin(Number(line), Number(column));
      return 'fileName' in origin ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}` : location;
    });
  } catch {
    return stack;
  }
}
