import { watched } from './watched.ts';

// Several addresses that somebody has pasted, on their way to the import. They are only in memory.

let pasted: string | undefined;
const pastedWatch = watched(() => pasted);

/** Keeps a pasted text until the import takes it. @param text undefined once it has, or to forget it */
export function setPasted(text: string | undefined): void {
  pasted = text;
  pastedWatch.emit();
}

export const usePasted = pastedWatch.useValue;
