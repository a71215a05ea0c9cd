/** What cannot be done, line by line, each by name. Nothing was written. */
export class RefusedError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'RefusedError';
    this.lines = lines;
  }
}
