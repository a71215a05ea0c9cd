import { alarming } from '../core/alarms.ts';

/** The name of AWS's errors for calls that no policy allows. */
export const accessDenied = 'AccessDeniedException';
/** S3 has another one: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const deniedByS3 = 'AccessDenied';

/** Whether AWS denied a call. */
export const isDenial = (error: unknown): boolean => error instanceof Error && [accessDenied, deniedByS3].includes(error.name);

/**
 * Runs `work`, which is repeated until it succeeds. If AWS denies one of its calls, an alarm is raised at once, because
 * no retry helps until somebody changes a policy.
 *
 * @throws what `work` throws.
 */
export async function reportingDenials<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDenial(error)) console.error({ message: alarming.accessDenied, reason: (error as Error).message });
    throw error;
  }
}
