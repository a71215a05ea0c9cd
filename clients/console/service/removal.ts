import { ProblemError } from '../../typescript/problem.ts';
import { type Say, untilAnswered } from './patience.ts';

/**
 * Deletes something. Gone already is what was wanted.
 *
 * @throws ProblemError; UnsureError if nobody answers.
 */
export async function deleteSurely(send: () => Promise<unknown>, say: Say): Promise<void> {
  try {
    await untilAnswered(send, say);
  } catch (error) {
    if (!(error instanceof ProblemError && error.status === 404)) throw error;
  }
}
