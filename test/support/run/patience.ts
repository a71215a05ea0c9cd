/**
 * How long tests wait for an event that must happen, in milliseconds: more than a busy machine takes, so only a hang uses
 * it up. No test may depend on it.
 */
export const patience = 4 * 60_000;
