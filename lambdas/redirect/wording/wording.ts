import type { Refusal } from '../../core/visit/refusal.ts';

/** Every text that a visitor can read, in one language. The type makes sure that no language lacks one. */
export type Wording = {
  /** A title and a sentence for each refusal. */
  readonly refusals: Readonly<Record<Refusal, readonly [title: string, sentence: string]>>;
  /** Labels and short texts of the pages. */
  readonly labels: {
    readonly password: string;
    readonly open: string;
    /** What the page that asks for a confirmation says. */
    readonly confirm: readonly [title: string, sentence: string];
    readonly goOn: string;
    readonly goingOn: string;
    /** @param hosts one, or several with commas between them. */
    readonly leadsTo: (hosts: string) => string;
    /** @param day in ISO 8601 */
    readonly created: (day: string) => string;
    /** What leads to the page on which visitors report a link. */
    readonly report: string;
  };
};
