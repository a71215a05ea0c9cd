import type { Stage } from './stages.ts';

// Fixed names of functions. Without the CDK, which takes commands longer to load than all else.

/** The name of the function that manages domains, by which the API invokes it. Its stack is deployed after that of the API. */
export const managerName = (stage: Stage['name']): string => `Links-${stage}-manage-domains`;

/** The name of the function that seals clicks, by which the operator's command runs it. */
export const sealerName = (stage: Stage['name']): string => `Links-${stage}-seal-clicks`;
