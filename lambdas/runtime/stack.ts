import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** The bundle that this is part of; undefined if it is not bundled, as in a test. */
const bundle = typeof __filename === 'string' && __filename.endsWith('.cjs') ? __filename : undefined;

let map: SourceMap | undefined;

/** The map that lies beside the bundle. Read only once something has failed: starting a function costs nothing for it. */
function mapOf(bundle: string): SourceMap {
  map ??= new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  return map;
}

/**
 * The stack of an error with the files and lines of the sources in place of those of the minified bundle. It is the stack as it was if
 * there is no map that can be read.
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
