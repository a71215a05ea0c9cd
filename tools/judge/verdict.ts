/**
 * The result of a judge.
 *
 * @property findings what is wrong; empty if it found nothing.
 * @property report what it did, in lines to print.
 * @property remarks a summary in a few words, such as how many templates it checked.
 */
type Verdict = {
  readonly findings: readonly string[];
  readonly report?: readonly string[];
  readonly remarks?: string;
};

/**
 * A program by others that checks this project.
 *
 * @param folder a temporary folder of its own.
 * @param more arguments for the program, from `--with`.
 * @throws NotAvailable if the program cannot run here; any other error is a finding.
 */
export type Judge = (folder: string, more: readonly string[]) => Promise<Verdict>;

/** A judge cannot run on this machine. The message says what is missing. */
export class NotAvailable extends Error {}
