import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** The bundle that contains this module; undefined if it isn't bundled, as in a test. */
const bundle = typeof __filename === 'string' && __filename.endsWith('.cjs') ? __filename : undefined;

let map: SourceMap | undefined;

/** The source map beside the bundle. It is read only after an error, so that it does not slow down the start. */
function mapOf(bundle: string): SourceMap {
  map ??= new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  return map;
}

/**
 * An error's stack with the files and lines of the sources instead of those of the minified bundle. Unchanged if there
 * is no readable source map.
 */
export function stackOf(error: Error): string | undefined {
  const { stack } = error;
  if (!bundle || !stack) return stack;
  const places = new RegExp(`(?:file://)?${RegExp.escape(bundle)}:(\\d+):(\\d+)`, 'g');
  try {
    return stack.replace(places, (place, line, column) => {
      const origin = mapOf(bundle).findOrigin(Number(line), Number(column));
      return 'fileName' in origin ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}` : place;
    });
  } catch {
    return stack;
  }
}
