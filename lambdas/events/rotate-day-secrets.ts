import type { Context } from 'aws-lambda';
import { withinInvocation } from '../runtime/deadline.ts';
import { rotateDaySecrets } from '../store/visitors/day-secrets.ts';

/**
 * Runs every hour. Makes the secrets with which visitors are hashed today and tomorrow, if they don't exist, and
 * deletes those of days that ended at least an hour ago. Lambda retries failed runs, and so does the next hour's run.
 */
export const handler = (_event: unknown, context: Context): Promise<void> => withinInvocation(context, rotateDaySecrets);
