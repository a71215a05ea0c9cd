import type { Writable } from 'node:stream';

/** What a program has of the terminal in which it was started. Tests run programs in their own process, with another one. */
export type Terminal = {
  /** Writes lines to both of the next. */
  readonly console: Console;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Sets the exit code of a program that comes to its end. */
  readonly exitWith: (code: number) => void;
  /** Lets the first SIGINT and the first SIGTERM stop the program gently. */
  readonly onStop: (stop: () => void) => void;
};

export const ownTerminal: Terminal = {
  console,
  stdout: process.stdout,
  stderr: process.stderr,
  exitWith: (code) => {
    process.exitCode = code;
  },
  onStop: (stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  },
};
