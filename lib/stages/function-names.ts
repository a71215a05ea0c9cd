import type { Stage } from './stages.ts';

// Fixed names of functions. This file doesn't import the CDK, because that would slow down commands.

/**
 * The function that manages domains. The API invokes it by this name, because its stack is deployed after the API's.
 */
export const managerName = (stage: Stage['name']): string => `Links-${stage}-manage-domains`;

/** The function that seals clicks. The operator's command runs it by this name. */
export const sealerName = (stage: Stage['name']): string => `Links-${stage}-seal-clicks`;
