import { appendFileSync, rmSync, statSync } from 'node:fs';

const sizeLimit = 20 * 1024 * 1024;

/** Returns a function that appends a line with its time to a file. A file of more than 20 MB is deleted first. */
export function lineLog(file: string): (line: string) => void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > sizeLimit) rmSync(file);
  return (line) => appendFileSync(file, `${new Date().toISOString()} ${line}\n`);
}
