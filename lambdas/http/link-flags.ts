import * as z from 'zod/mini';
import type { LinkFlag } from '../core/link/link.ts';

/** The settings of a link that are true or false. */
export const flagFields = {
  isActive: z.optional(z.boolean()),
  isArchived: z.optional(z.boolean()),
  cloaked: z.optional(z.boolean()),
  forwardParameters: z.optional(z.boolean()),
  forwardPath: z.optional(z.boolean()),
  hideReferrer: z.optional(z.boolean()),
  blockBots: z.optional(z.boolean()),
  confirmVisit: z.optional(z.boolean()),
} satisfies Record<LinkFlag, unknown>;
