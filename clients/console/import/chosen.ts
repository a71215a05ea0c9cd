import type { FormatName } from '../../migration/formats.ts';
import type { ReadFile } from '../../migration/read.ts';
import type { Beside } from './pasted.ts';

/** A file that somebody has chosen, or a text that they have pasted, read in one of the formats. */
export type Chosen = ReadFile & {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fingerprint: string;
  readonly format: FormatName;
  /** Only for a pasted text that does not name its columns. */
  readonly pasted?: { readonly text: string; readonly beside: Beside | undefined };
};
