import { go, screenAddress } from './location.ts';
import { watched } from './watched.ts';

// Several addresses that somebody has pasted or listed, on their way to the import. They are only in memory.

let pasted: string | undefined;
const pastedWatch = watched(() => pasted);

/** Keeps a pasted text until the import takes it. @param text undefined once it has, or to forget it */
export function setPasted(text: string | undefined): void {
  pasted = text;
  pastedWatch.emit();
}

/** Opens the import with several addresses, at its check. */
export function importPasted(text: string): void {
  setPasted(text);
  go(screenAddress('import'));
}

export const usePasted = pastedWatch.useValue;
