/**
 * How long tests wait for what must come, in milliseconds: only what hangs takes longer, however busy the machine is.
 * No test may depend on it.
 */
export const patience = 4 * 60_000;
