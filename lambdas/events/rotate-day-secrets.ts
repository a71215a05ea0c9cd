import type { Context } from 'aws-lambda';
import { withinInvocation } from '../runtime/deadline.ts';
import { rotateDaySecrets } from '../store/visitors/day-secrets.ts';

/**
 * Runs every hour, and makes the secrets of today and tomorrow, under which visitors are hashed, if there are none.
 * Deletes those of days that ended an hour ago or more. Runs that fail are repeated by Lambda, and by the next hour.
 */
export const handler = (_event: unknown, context: Context): Promise<void> => withinInvocation(context, rotateDaySecrets);
