import { appendFileSync, rmSync, statSync } from 'node:fs';

const sizeLimit = 20 * 1024 * 1024;

/** Appends lines to a file, each with its time. A file that has grown large is begun anew at the start. */
export function lineLog(file: string): (line: string) => void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > sizeLimit) rmSync(file);
  return (line) => appendFileSync(file, `${new Date().toISOString()} ${line}\n`);
}
