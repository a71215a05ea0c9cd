/**
 * Replaces `@smithy/core/retry` in the bundles. `lambdas/store/table/client.ts` retries by its own rule and turns the
 * SDK's retries off (`maxAttempts: 1`). Here every call is one attempt, whatever the configuration says.
 */
export const Retry = { v2026: false };
export const RETRY_MODES = { STANDARD: 'standard', ADAPTIVE: 'adaptive' };
export const DEFAULT_RETRY_MODE = RETRY_MODES.STANDARD;
export const NODE_MAX_ATTEMPT_CONFIG_OPTIONS = fixed(1);
export const NODE_RETRY_MODE_CONFIG_OPTIONS = fixed(DEFAULT_RETRY_MODE);

export const resolveRetryConfig = <Config>(config: Config): Config => config;

type Stack = { add: (middleware: (next: unknown) => unknown, options: object) => void };
/** Other middlewares are placed relative to this name. */
const place = { name: 'retryMiddleware', tags: ['RETRY'], step: 'finalizeRequest', priority: 'high', override: true };
export const getRetryPlugin = () => ({ applyToStack: (stack: Stack) => stack.add((next) => next, place) });

/** A setting that neither the environment nor a file can change. */
function fixed<T>(value: T) {
  return { environmentVariableSelector: () => undefined, configFileSelector: () => undefined, default: value };
}
