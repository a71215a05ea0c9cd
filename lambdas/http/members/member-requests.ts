import * as z from 'zod/mini';
import { parseEmail } from '../../core/member/email.ts';
import { keysOfRemoved, type RemovalOptions } from '../../core/member/removal.ts';
import { setting } from '../../runtime/settings.ts';
import { ruled } from '../validation.ts';

export const memberEmail = ruled(parseEmail);

/** The query parameters of a removal. */
export const removalQuery = z.strictObject({ keys: z.optional(z.enum(keysOfRemoved)) });

export const removalOptions = ({ keys = 'revoke' }: z.output<typeof removalQuery>): RemovalOptions => ({
  keys,
  keptDays: Number(setting('HISTORY_DAYS')),
});
