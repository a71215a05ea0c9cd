import type { Writable } from 'node:stream';

/** The parts of the terminal that a program uses. Tests run programs in their own process, with another terminal. */
export type Terminal = {
  /** Writes lines to `stdout` and `stderr`. */
  readonly console: Console;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Sets the exit code of a program that ends by itself. */
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
