import type { Refusal } from '../../core/visit/refusal.ts';

/** All texts for visitors in one language. The type ensures that no language lacks one. */
export type Wording = {
  /** A title and a sentence for each refusal. */
  readonly refusals: Readonly<Record<Refusal, readonly [title: string, sentence: string]>>;
  /** Labels and short texts of the pages. */
  readonly labels: {
    readonly password: string;
    readonly open: string;
    /** The confirmation page. */
    readonly confirm: readonly [title: string, sentence: string];
    readonly goOn: string;
    readonly goingOn: string;
    /** @param hosts one, or several with commas between them. */
    readonly leadsTo: (hosts: string) => string;
    /** @param day in ISO 8601 */
    readonly created: (day: string) => string;
    /** The link to the report page. */
    readonly report: string;
  };
};
