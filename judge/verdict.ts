/**
 * What a judge says.
 *
 * @property findings what is wrong; nothing if it found nothing.
 * @property report what it did, in lines for people.
 */
type Verdict = {
  readonly findings: readonly string[];
  readonly report?: readonly string[];
  readonly remarks?: string;
};

/**
 * A program of somebody else that looks at this one.
 *
 * @param folder a temporary folder of its own.
 * @param more arguments for the program, by `--with`.
 * @throws NotAvailable if the program cannot run here; any other error is a finding.
 */
export type Judge = (folder: string, more: readonly string[]) => Promise<Verdict>;

/** A judge cannot run on this machine, and says what is missing. */
export class NotAvailable extends Error {}
