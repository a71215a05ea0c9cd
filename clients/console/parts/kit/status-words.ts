import type { IconName } from '../icon-paths.ts';

/** A status: a word, and an icon beside it. */
export type StatusWords = {
  readonly icon: IconName;
  readonly tone: 'good' | 'warning' | 'bad' | 'quiet';
  readonly word: string;
};
