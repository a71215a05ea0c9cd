import type { FormatName } from '../../migration/formats.ts';
import type { ReadFile } from '../../migration/read.ts';

/** A file that somebody has chosen, read in one of the formats. */
export type Chosen = ReadFile & {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fingerprint: string;
  readonly format: FormatName;
};
