/**
 * Takes the place of `@smithy/core/retry` in the bundles: `store/client.ts` makes a call again by its own rule, and tells the SDK
 * not to (`maxAttempts: 1`). Every call is one attempt here, whatever a configuration says.
 */
export const Retry = { v2026: false };
export const RETRY_MODES = { STANDARD: 'standard', ADAPTIVE: 'adaptive' };
export const DEFAULT_RETRY_MODE = RETRY_MODES.STANDARD;
export const NODE_MAX_ATTEMPT_CONFIG_OPTIONS = fixed(1);
export const NODE_RETRY_MODE_CONFIG_OPTIONS = fixed(DEFAULT_RETRY_MODE);

export const resolveRetryConfig = <Config>(config: Config): Config => config;

type Stack = { add: (middleware: (next: unknown) => unknown, options: object) => void };
/** Other middlewares find their place by this one's name. */
const place = { name: 'retryMiddleware', tags: ['RETRY'], step: 'finalizeRequest', priority: 'high', override: true };
export const getRetryPlugin = () => ({ applyToStack: (stack: Stack) => stack.add((next) => next, place) });

/** A setting that neither the environment nor a file changes. */
function fixed<T>(value: T) {
  return { environmentVariableSelector: () => undefined, configFileSelector: () => undefined, default: value };
}
