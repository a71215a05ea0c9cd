/** A command is refused before it writes anything. Each line names one reason. */
export class RefusedError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'RefusedError';
    this.lines = lines;
  }
}
