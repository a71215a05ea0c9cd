/**
 * The result of a judge.
 *
 * @property findings the problems; empty if it found none.
 * @property report lines to print about what it did.
 * @property remarks a summary in a few words, such as how many templates it checked.
 */
type Verdict = {
  readonly findings: readonly string[];
  readonly report?: readonly string[];
  readonly remarks?: string;
};

/**
 * An outside program that checks this project.
 *
 * @param folder the judge's own temporary folder.
 * @param more arguments for the program, from `--with`.
 * @throws NotAvailable if the program cannot run here; any other error is a finding.
 */
export type Judge = (folder: string, more: readonly string[]) => Promise<Verdict>;

/** A judge cannot run on this machine. The message says what is missing. */
export class NotAvailable extends Error {}
