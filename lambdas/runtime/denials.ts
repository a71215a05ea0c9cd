import { alarming } from '../core/alarms.ts';

/** The name of AWS's errors for calls that no policy allows. */
export const accessDenied = 'AccessDeniedException';
/** S3 has another one: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const deniedByS3 = 'AccessDenied';

/** Whether AWS denied a call. */
export const isDenial = (error: unknown): boolean => error instanceof Error && [accessDenied, deniedByS3].includes(error.name);

/**
 * Runs a work that is repeated until it succeeds. If AWS denies it a call, that raises an alarm at once, because no
 * repetition helps until somebody changes a policy.
 *
 * @throws what the work throws.
 */
export async function reportingDenials<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDenial(error)) console.error({ message: alarming.accessDenied, reason: (error as Error).message });
    throw error;
  }
}
