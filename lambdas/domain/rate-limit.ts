/** What a limit says to a request: whether it passes, how many more would now, and in how many seconds one more will. */
export type Slot = { readonly passed: boolean; readonly remaining: number; readonly resetSeconds: number };

/** At most `quota` requests in any `windowSeconds`. */
export type RateLimit = { readonly quota: number; readonly windowSeconds: number };
